// All games of a server as cards with small boards.

import { thumbnail } from "./board.js";
import { button, h, refresh, remember, replace, s } from "./dom.js";
import { brand, link, loadMap, Painter, toast, tools } from "./shell.js";
import { gamePath, Live, Server, turnName } from "./store.js";

export class Lobby {
	constructor(root, { secret }) {
		this.root = root;
		this.secret = secret;
		this.games = new Map();
		this.listeners = new AbortController();
		this.painter = new Painter(() => this.draw(), this.listeners.signal);
	}

	async open() {
		document.title = "daide: games";
		const told = await new Server(this.secret).get("/api/lobby");
		this.mayPlay = told.play;
		for (const card of told.games) this.games.set(card.game, card);
		this.cards = h("div.cards");
		this.count = h("p");
		this.name = h("input", { "aria-label": "Your name", placeholder: "your name", maxlength: 40, value: remember.get("name") || "", onchange: () => remember.set("name", this.name.value) });
		this.play = h("p.sit", this.name, button("Play: take a seat", (event) => this.take(event, {}), { class: "strong" }));
		this.root.className = "";
		replace(this.root, h("div.lobby",
			h("header.top", brand(this.secret), tools()),
			h("div.lobby-head", h("h1", "Games on this server"), this.count, this.play),
			h("main", this.cards)));
		await this.draw();
		this.live = new Live({
			wants: () => ({ follow: [], lobby: true }),
			message: (event) => event.lobby && this.change(event.lobby),
			state: () => {},
		});
	}

	change(card) {
		if (card.gone) this.games.delete(card.game);
		else if (this.games.has(card.game)) this.games.set(card.game, card);
		else this.games = new Map([[card.game, card], ...this.games]);
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.painter.ask(), 250);
	}

	async draw() {
		const games = [...this.games.values()];
		const running = games.filter(({ stage }) => stage === "running").length;
		this.count.textContent = games.length
			? `${games.length} ${games.length === 1 ? "game" : "games"}, ${running} running. Pick one to watch it, live or from its first spring${this.mayPlay ? "; take a free seat to play" : ""}.`
			: "No game yet. It appears here as soon as somebody starts one.";
		const drawn = await Promise.all(games.map((card) => this.card(card)));
		if (this.painter.isHeld) {
			this.painter.isLate = true;
			return;
		}
		refresh(this.cards, drawn);
		this.play.classList.toggle("hidden", !this.mayPlay);
	}

	async card(card) {
		let board = null;
		let map = null;
		try {
			map = await loadMap(card.variant);
			board = thumbnail(map, card.tints || {});
		} catch { /* a board without a drawing still has a card */ }
		const counts = Object.entries(card.counts || {}).sort((a, b) => b[1] - a[1]);
		return h("a.card", { "data-key": card.game, href: link({ game: card.game, secret: this.secret }) },
			h("span.thumb", board),
			h("span.facts",
				h("h2", card.game, stageBadge(card)),
				h("span", card.turn ? turnName(card.turn) : "has not begun", h("span.muted", ` · ${card.variant} · press ${card.press_level}${card.last_year ? ` · to ${card.last_year}` : ""}`)),
				map && card.stage !== "forming" ? bars(map, counts) : null,
				h("span.muted", standing(map, card, counts)),
				card.free ? h("span", button(`Take a seat (${card.free} free)`, (event) => this.take(event, card), { class: "strong" })) : null));
	}

	async take(event, { game }) {
		event.preventDefault();
		try {
			const seat = await new Server(null).post(game ? `${gamePath(game)}/seats` : "/api/seats", this.name.value.trim() ? { name: this.name.value.trim() } : {});
			location.assign(link({ game: seat.game, secret: seat.secret }));
		} catch (problem) {
			toast(problem.message);
		}
	}

	close() {
		this.listeners.abort();
		clearTimeout(this.timer);
		if (this.live) this.live.close();
	}
}

function stageBadge({ stage, result }) {
	if (stage === "running") return h("span.badge.live", "live");
	return h("span.badge", stage === "ended" ? (result && result.outcome.replace("-", " ")) || "ended" : "open");
}

function standing(map, card, counts) {
	const name = (power) => (map && map.powers[power] ? map.powers[power].title : power);
	if (card.result && card.result.winner) return `${name(card.result.winner)} won alone`;
	const most = counts.filter(([, count]) => count === counts[0][1]).map(([power]) => name(power));
	if (card.result && card.result.outcome === "year-limit" && counts.length) return `${most.join(", ")} first with ${counts[0][1]}`;
	if (card.result && card.result.draw && card.result.draw.length) return `Draw: ${card.result.draw.map(name).join(", ")}`;
	if (card.stage === "forming") return `${card.players} of ${card.seats} seats taken`;
	return counts.slice(0, 3).map(([power, count]) => `${name(power)} ${count}`).join(", ");
}

function bars(map, counts) {
	const total = counts.reduce((sum, [, count]) => sum + count, 0) || 1;
	let x = 0;
	return h("span.bars", s("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
		counts.map(([power, count]) => {
			const width = (count / total) * 100;
			x += width;
			return s("rect", { class: `fill-${map.powers[power] ? map.powers[power].number : "none"}`, x: x - width, width, height: 8 });
		})));
}
