// One game: the frame that holds map, panels, timeline and, for who has one, a seat.

import { Board } from "./board.js";
import { Composer } from "./compose.js";
import { button, h, icon, refresh, remember, replace } from "./dom.js";
import { sentenceOf } from "./orders.js";
import { OrdersPanel, PressPanel, RelationsPanel, SPEEDS, swatch, Timeline, waitingSentence, YearsPanel } from "./panels.js";
import { OrderDesk } from "./play.js";
import { brand, here, link, loadMap, Painter, showHelp, toast, tools } from "./shell.js";
import { Game, gamePath, Live, PHASES, Refusal, sentence, Server, turnName } from "./store.js";

const TABS = [["press", "Press"], ["orders", "Orders"], ["relations", "Relations"], ["years", "Years"]];

export class GamePage {
	constructor(root, where, again) {
		this.root = root;
		this.again = again;
		this.where = where;
		this.server = new Server(where.secret);
		this.view = {
			game: null, names: {}, index: 0, isFollowing: !where.turn, tab: remember.get("tab") || "press", only: null,
			filter: { power: "", other: "", kind: "", broken: false, text: "" }, lifted: null, pinned: null, openText: new Set(),
			playing: null, speed: remember.get("speed") || 1, seat: null, toWin: 18,
			layers: { orders: true, names: true, relations: false, patterns: matchMedia("(prefers-contrast: more), (forced-colors: active)").matches, ...remember.get("layers") },
		};
		this.listeners = new AbortController();
		this.painter = new Painter(() => this.paint(), this.listeners.signal);
	}

	async open() {
		const path = gamePath(this.where.game);
		const [doc] = await Promise.all([this.server.get(path), loadMap("standard").catch(() => null)]);
		const map = await loadMap(doc.variant);
		const { view } = this;
		view.game = new Game(doc, map);
		view.map = map;
		view.names = Object.fromEntries(Object.entries(map.provinces).map(([name, { title }]) => [name, title]));
		view.index = view.game.last;
		if (this.where.turn) {
			const frame = view.game.frameOf(this.where.turn);
			if (frame < 0) throw new Refusal(404, `There is no turn ${this.where.turn} in ${this.where.game}`);
			view.index = frame;
			view.isFollowing = frame === view.game.last;
		}
		if (doc.variant !== "standard") view.toWin = (await this.server.get(`/api/boards/${encodeURIComponent(doc.variant)}`).catch(() => ({}))).centers_to_win;
		if (this.where.secret && doc.view !== "all") {
			const seat = await this.server.get(`${path}/seat`);
			if (seat.power) view.seat = seat;
			else this.isWaiting = true; // powers are drawn when the game begins
		}
		this.build();
		this.render();
		this.live = new Live({
			wants: () => ({ follow: [{ game: this.where.game, ...(this.where.secret ? { secret: this.where.secret } : {}), run: view.game.doc.run, after: view.game.doc.n }] }),
			message: (event) => this.hear(event),
			state: (isOpen) => this.connected(isOpen),
		});
		this.ticking = setInterval(() => this.tick(), 500);
	}

	close() {
		this.listeners.abort();
		clearInterval(this.ticking);
		clearTimeout(this.advancing);
		if (this.live) this.live.close();
		if (this.board) this.board.close();
		if (this.timeline) this.timeline.observer.disconnect();
	}

	// What arrives ----------

	hear(event) {
		const { view } = this;
		if (event.error) {
			this.say(event.error);
			return;
		}
		if (event.game !== this.where.game) return;
		if (this.isWaiting && (["seat", "start", "phase"].includes(event.event) || event.stage === "running")) {
			this.again();
			return;
		}
		if ("following" in event) {
			if (view.game.doc.now && event.left !== undefined) view.game.setNow({ ...view.game.doc.now, left: event.left });
			return;
		}
		if (event.event === "seat") {
			if (this.desk) this.desk.heard(event.seat);
			return;
		}
		const wasLast = view.index === view.game.last;
		if (!view.game.apply(event)) {
			this.reload();
			return;
		}
		if (event.event === "turn") this.turned(wasLast);
		if (event.event === "phase" && this.desk) this.desk.refresh();
		if (event.event === "press") this.heardPress(event.press);
		if (event.event === "result" && this.desk) this.desk.refresh();
		this.redraw();
	}

	async reload() {
		if (this.isLoading) return;
		this.isLoading = true;
		try {
			const wasLast = this.view.index === this.view.game.last;
			const code = this.view.game.code(this.view.index);
			this.view.game.load(await this.server.get(gamePath(this.where.game)));
			const frame = this.view.game.frameOf(code);
			this.view.index = wasLast && this.view.isFollowing ? this.view.game.last : Math.max(0, frame < 0 ? this.view.game.last : frame);
			this.live.ask();
			if (this.desk) this.desk.refresh();
		} catch (problem) {
			this.say(problem.message);
		} finally {
			this.isLoading = false;
			this.redraw();
		}
	}

	/** A turn was judged: whoever follows sees its orders for a while, then the new position. */
	turned(wasLast) {
		const { view } = this;
		if (!view.isFollowing || !wasLast) {
			if (view.isFollowing && view.game.last - view.index > 2) view.index = view.game.last - 1;
			return;
		}
		clearTimeout(this.advancing);
		view.index = view.game.last - 1;
		this.advancing = setTimeout(() => this.advance(), view.seat ? 2600 : 1500);
	}

	advance() {
		const { view } = this;
		if (!view.isFollowing || view.index >= view.game.last) return;
		this.board.play(600, () => {
			view.index = view.game.last;
			this.redraw();
		});
	}

	heardPress(press) {
		const { view } = this;
		if (!view.seat || !press.to.includes(view.seat.power)) return;
		const isSeen = view.tab === "press" && !(this.act.isPhone() && !this.sheetSize());
		if (!isSeen) this.unread = (this.unread || 0) + 1;
		this.say(press.en, !isSeen);
	}

	connected(isOpen) {
		if (isOpen && this.isOffline && this.desk) this.desk.back();
		this.isOffline = !isOpen;
		this.tick();
		this.redraw();
	}

	// The frame ----------

	build() {
		const { view } = this;
		const act = {
			redraw: () => this.redraw(), go: (frame) => this.go(frame), step: (by) => this.step(by), play: () => this.togglePlay(), speed: (by) => this.changeSpeed(by),
			lift: (order) => this.lift(order), pin: (order) => this.pin(order), toggleText: (id) => this.toggleText(id),
			showOrder: (frame, power, order) => this.showOrder(frame, power, order), pair: (a, b) => this.pair(a, b), say: (text, isToast) => this.say(text, isToast),
			openTab: (tab) => this.openTab(tab), look: (places) => this.board.look(places, 3.2), isPhone: () => matchMedia("(max-width: 559px), (max-width: 699px) and (min-height: 521px)").matches,
		};
		this.act = act;
		this.when = h("p.when");
		this.badge = h("span.badge");
		this.clock = h("span.clock");
		this.seats = h("span.muted.seats");
		this.chips = h("div.chips", { role: "group", "aria-label": "Powers: show only one" });
		this.caption = h("div.caption", { role: "status" });
		this.behind = h("div.behind.hidden");
		this.banner = h("div.banner.hidden", { role: "alert" });
		this.status = h("p.only-read", { role: "status", "aria-live": "polite" });
		this.legend = this.layersMenu();
		this.stage = h("section.stage", { tabindex: -1, "aria-label": "Map" }, this.caption, this.behind, this.banner,
			h("div.map-tools",
				button(icon("plus"), () => this.board.zoom(1.5), { title: "Zoom in (+)", "aria-label": "Zoom in" }),
				button(icon("minus"), () => this.board.zoom(1 / 1.5), { title: "Zoom out (-)", "aria-label": "Zoom out" }),
				button(icon("fit"), () => this.board.fit(), { title: "Whole board (0)", "aria-label": "Whole board" }),
				button(icon("layers"), () => this.legend.classList.toggle("hidden"), { title: "What is drawn", "aria-label": "What is drawn" })), this.legend);
		this.panels = { press: new PressPanel(view, act), orders: new OrdersPanel(view, act), relations: new RelationsPanel(view, act), years: new YearsPanel(view, act) };
		this.tabs = h("div.tabs", { role: "tablist" }, h("span.grip"),
			TABS.map(([name, title]) => button(title, () => this.openTab(name, true), { role: "tab", "data-tab": name })));
		this.side = h("aside.side", { "aria-label": "Press, orders, relations and years" }, this.tabs, Object.values(this.panels).map((panel) => panel.root));
		this.timeline = new Timeline(view, act);
		this.page = h("div.game",
			h("header.top", brand(view.game.doc.view === "all" ? this.where.secret : null), h("h1", { title: this.where.game }, this.where.game), this.when, this.badge, this.clock, this.seats,
				tools(button(icon("share"), () => this.share(), { class: "quiet", title: "Copy the address of this turn", "aria-label": "Copy the address of this turn" })), this.chips),
			this.stage, this.side, this.timeline.root, this.status);
		if (view.seat) this.buildSeat(act);
		this.root.className = "";
		replace(this.root, this.page);
		document.title = `${this.where.game} · daide`;
		this.board = new Board(this.stage, view.map, {
			tap: (hit) => this.tap(hit), hover: (order) => this.lift(order), long: ({ place }) => this.desk && this.desk.long(place),
		});
		addEventListener("keydown", (event) => this.key(event), { signal: this.listeners.signal });
		this.pullable();
	}

	buildSeat(act) {
		const { view } = this;
		this.desk = view.play = new OrderDesk(view, act, this.server, this.where.game);
		this.composer = new Composer(view, act, this.server, this.where.game);
		this.desk.composer = this.composer;
		this.composer.desk = this.desk;
		act.answers = (talk, i) => this.composer.answers(talk, i);
		act.answering = () => this.composer.answering();
		act.ownOrders = () => this.desk.list();
		act.myWord = () => this.composer.myWord();
		this.page.insertBefore(this.desk.root, this.side);
		this.side.append(this.composer.root);
		if (!view.openedBefore) view.tab = "press";
	}

	layersMenu() {
		const { layers } = this.view;
		const names = { orders: "Orders", names: "Names", relations: "Relations between powers", patterns: "Patterns on land" };
		return h("div.legend.hidden", Object.entries(names).map(([name, title]) => h("label",
			h("input", { type: "checkbox", "data-layer": name, checked: layers[name], onchange: (event) => this.layer(name, event.target.checked) }), title)));
	}

	layer(name, isOn) {
		const { layers } = this.view;
		layers[name] = isOn === undefined ? !layers[name] : isOn;
		this.legend.querySelector(`[data-layer="${name}"]`).checked = layers[name];
		remember.set("layers", layers);
		this.redraw();
	}

	/** On a phone the panel is a sheet: pull it up half, whole, or push it down. */
	pullable() {
		let from = null;
		const sizes = ["", "half", "whole"];
		const size = () => sizes.findIndex((each) => (each ? this.side.classList.contains(each) : true) && (each || !["half", "whole"].some((other) => this.side.classList.contains(other))));
		this.sheet = (n) => { this.side.classList.remove("half", "whole"); if (sizes[n]) this.side.classList.add(sizes[n]); };
		this.sheetSize = size;
		this.tabs.addEventListener("pointerdown", (event) => { from = event.clientY; });
		addEventListener("pointerup", (event) => {
			if (from !== null && Math.abs(event.clientY - from) > 24) {
				this.sheet(Math.max(0, Math.min(2, size() + (event.clientY < from ? 1 : -1))));
				this.pulled = Date.now();
			}
			from = null;
		}, { signal: this.listeners.signal });
	}

	openTab(name, isTap) {
		const { view } = this;
		if (this.pulled && Date.now() - this.pulled < 300) return;
		if (this.act.isPhone()) this.sheet(isTap && view.tab === name && this.sheetSize() ? 0 : Math.max(1, this.sheetSize()));
		view.tab = name;
		remember.set("tab", name);
		if (name === "press") this.unread = 0;
		this.redraw();
	}

	// Showing ----------

	redraw() {
		this.painter.ask();
	}

	render() {
		this.painter.now();
	}

	paint() {
		const { view } = this;
		const { game } = view;
		view.index = Math.max(0, Math.min(game.last, view.index));
		this.header();
		for (const [name, panel] of Object.entries(this.panels)) {
			panel.root.classList.toggle("hidden", name !== view.tab);
			if (name === view.tab) panel.update();
		}
		for (const tab of this.tabs.querySelectorAll("[role=tab]")) {
			tab.setAttribute("aria-selected", tab.dataset.tab === view.tab);
			const count = tab.dataset.tab === "press" && this.unread ? h("span.count", this.unread) : null;
			refresh(tab, TABS.find(([name]) => name === tab.dataset.tab)[1], count);
		}
		this.timeline.update();
		if (this.desk) {
			this.desk.update();
			this.composer.update();
			this.composer.root.classList.toggle("hidden", view.tab !== "press");
			this.page.classList.toggle("composing", this.desk.isBusy());
		}
		this.showBoard();
		this.showCaption();
		this.keepAddress();
	}

	header() {
		const { view } = this;
		const { game, index } = view;
		const turn = game.turn(index);
		const isEnd = game.isEnd(index);
		replace(this.when, isEnd ? game.ending() : game.hasStarted ? turnName(turn) : this.isWaiting ? "You have a seat" : "Waiting for players", h("small", isEnd ? turnName(turn) : game.hasStarted ? PHASES[turn[0]] : ""));
		const stage = game.doc.stage;
		this.badge.className = `badge${stage === "running" ? " live" : ""}`;
		this.badge.textContent = stage === "running" ? "live" : stage === "ended" ? "replay" : "open";
		const behind = game.last - index;
		const isBehind = stage === "running" && !view.isFollowing && behind > 0;
		this.behind.classList.toggle("hidden", !isBehind);
		if (isBehind) refresh(this.behind, `${behind} ${behind === 1 ? "turn" : "turns"} behind`, button("to now", () => this.go(Infinity)));
		this.showChips();
		this.tick();
	}

	showChips() {
		const { view } = this;
		const { game, index, only } = view;
		const key = JSON.stringify([game.version, index, only, view.seat && view.seat.power]);
		if (key === this.chipsKey) return;
		this.chipsKey = key;
		const counts = game.counts(index);
		const years = game.years.filter(({ frame }) => frame <= index);
		const old = years.length > 1 ? years[years.length - 2].counts : null;
		const waiting = game.isNow(index) && game.doc.now && game.doc.now.waiting && game.doc.now.waiting.powers;
		refresh(this.chips, game.powers.map((power) => {
			const change = old ? counts[power] - old[power] : 0;
			const player = game.player(power);
			return button([swatch(game, power), h("span.title", game.name(power)), h("b", counts[power]),
				change ? h("span.trend", change > 0 ? `▲${change}` : `▼${-change}`) : null,
				waiting && !game.isOut(power, index) ? h("span", { class: `waits${waiting.includes(power) ? "" : " in"}`, title: waiting.includes(power) ? "orders are missing" : "orders are in" }) : null],
			() => this.only(power), {
				"data-key": power, class: `chip${game.isOut(power, index) && game.hasStarted ? " out" : ""}${view.seat && view.seat.power === power ? " mine" : ""}`,
				"aria-pressed": String(only === power), "aria-label": `${game.name(power)}: ${counts[power]} centers${player ? `, ${player}` : ""}`,
				title: `${game.name(power)}${player ? `: ${player}` : ""}${view.seat && view.seat.power === power ? " (you)" : ""}`,
			});
		}));
	}

	/** Twice a second: the clock, and how long we have been without the server. */
	tick() {
		const { game } = this.view;
		const { deadline } = game;
		const left = deadline === null ? null : Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
		this.clock.textContent = left === null || !game.doc.now ? "" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
		this.clock.classList.toggle("soon", left !== null && left <= 10);
		const waiting = game.doc.now && game.doc.now.waiting;
		const seats = game.doc.seats || game.powers.length;
		this.seats.textContent = game.doc.stage === "forming" ? `${game.doc.players} of ${seats} seats taken`
			: waiting ? (waiting.count ? `${waiting.count} ${waiting.count === 1 ? "power" : "powers"} missing` : "all orders in") : "";
		this.seats.title = waiting ? waitingSentence(game, waiting) : "";
		const away = this.isOffline && this.live && this.live.since ? Math.round((Date.now() - this.live.since) / 1000) : 0;
		const isShown = away >= 2 || (this.desk && this.desk.isAway());
		this.banner.classList.toggle("hidden", !isShown);
		if (isShown) this.banner.textContent = away >= 2 ? `Offline for ${away} s${this.desk ? `; ${this.desk.savedSentence()}` : "; the page catches up by itself"}.` : "Your seat's connection to the game is being made again.";
	}

	picture() {
		const { view } = this;
		const { game, index, layers } = view;
		const marks = { ...game.marksAt(index) };
		if (!layers.relations) marks.relations = [];
		if (view.only) marks.only = view.only;
		if (this.desk) Object.assign(marks, this.desk.marks(index));
		return { ...game.picture(index), ...(layers.orders ? {} : { orders: [] }), marks, names: layers.names, patterns: layers.patterns };
	}

	/** Draw the board anew only when something on it is different: press alone changes nothing. */
	showBoard() {
		const { game, index, layers } = this.view;
		const picture = this.picture();
		const key = JSON.stringify([game.last, index, game.doc.run, layers, picture.marks]);
		if (key === this.boardKey) return;
		this.boardKey = key;
		const counts = Object.entries(game.counts(index)).map(([power, count]) => `${game.name(power)} ${count}`).join(", ");
		this.board.show(picture, `Board in ${turnName(game.turn(index))}: ${counts} centers; ${game.unitCount(index)} units, ${game.orders(index).length} orders. The orders are a list in the panel.`);
	}

	showCaption() {
		const { view } = this;
		const { game, index } = view;
		const shown = view.lifted ?? view.pinned;
		const order = shown !== null && shown !== undefined ? game.orders(index)[Number(shown)] : null;
		if (!order) {
			this.caption.replaceChildren();
			return;
		}
		const [power, text, , , reason] = order;
		const stab = game.stabsAt(index).find((each) => each.by === power && each.order === text);
		replace(this.caption, swatch(game, power), h("span", h("span.order-text", text), " ", reason ? sentence(reason) : sentenceOf(text, view.names)),
			stab ? [icon("dagger"), h("span", stabSentence(game, stab))] : null);
	}

	keepAddress() {
		const { game, index } = this.view;
		const turn = this.view.isFollowing && index >= game.last - 1 && game.doc.stage !== "ended" ? null : index === game.last && game.doc.stage === "ended" ? null : game.code(index);
		const to = link({ ...this.where, turn });
		if (to !== here()) history.replaceState(null, "", to);
	}

	// Doing ----------

	go(frame) {
		const { view } = this;
		this.stop();
		clearTimeout(this.advancing);
		view.index = Math.max(0, Math.min(view.game.last, frame));
		view.isFollowing = view.index === view.game.last;
		view.pinned = null;
		this.lift(null);
		this.redraw();
	}

	step(by) {
		this.go(this.view.index + by);
	}

	year(by) {
		const { game, index } = this.view;
		const year = game.turn(index)[1] + by;
		const frame = game.frameAt(["SPR", year]);
		this.go(by < 0 && frame === index ? 0 : frame);
	}

	togglePlay() {
		const { view } = this;
		if (view.playing) {
			this.stop();
		} else {
			if (view.index >= view.game.last) view.index = 0;
			view.isFollowing = false;
			view.playing = {};
			this.playOn();
		}
		this.redraw();
	}

	stop() {
		if (this.view.playing) clearTimeout(this.view.playing.timer);
		this.view.playing = null;
	}

	playOn() {
		const { view } = this;
		const turn = view.playing;
		if (!turn) return;
		this.render();
		const rests = view.game.orders(view.index).length ? 1300 : 300;
		turn.timer = setTimeout(() => {
			if (view.playing !== turn) return;
			this.board.play(600 / Math.max(1, view.speed), () => {
				if (view.playing !== turn) return;
				view.index += 1;
				if (view.index >= view.game.last) {
					this.stop();
					view.index = view.game.last;
					view.isFollowing = true;
					this.redraw();
				} else this.playOn();
			});
		}, rests / view.speed);
	}

	changeSpeed(by) {
		const { view } = this;
		const at = SPEEDS.indexOf(view.speed) + by;
		view.speed = SPEEDS[by === 1 && at >= SPEEDS.length ? 0 : Math.max(0, Math.min(SPEEDS.length - 1, at))];
		remember.set("speed", view.speed);
		this.redraw();
	}

	only(power) {
		this.view.only = this.view.only === power ? null : power;
		this.redraw();
	}

	pair(a, b) {
		const { filter } = this.view;
		const isSame = filter.power === a && filter.other === b;
		Object.assign(filter, isSame ? { power: "", other: "" } : { power: a, other: b });
		this.redraw();
		if (!isSame) this.openTab("press");
	}

	lift(order) {
		const { view } = this;
		if (view.lifted === order) return;
		view.lifted = order;
		this.board.lift(order ?? view.pinned);
		this.redraw();
	}

	pin(order) {
		const { view } = this;
		view.pinned = view.pinned === order ? null : order;
		this.board.lift(view.pinned);
		if (this.act.isPhone() && view.pinned !== null) this.sheet(0);
		this.redraw();
	}

	toggleText(id) {
		const { openText } = this.view;
		if (!openText.delete(id)) openText.add(id);
		this.redraw();
	}

	showOrder(frame, power, text) {
		this.go(frame);
		const { game, index } = this.view;
		const found = game.orders(index).findIndex(([who, order]) => who === power && (!text || order === text));
		if (found < 0) return;
		this.render();
		this.view.pinned = String(found);
		this.board.lift(this.view.pinned);
		const words = game.orders(index)[found][1].split(" ");
		this.board.look(words.filter((word) => /^[A-Z]{3}(\/[A-Z]{3})?$/.test(word) && word.split("/")[0] in this.view.names), 2.6);
		if (this.act.isPhone()) this.sheet(0);
		this.redraw();
	}

	tap(hit) {
		if (this.desk && this.desk.tap(hit)) return;
		if (this.composer && this.composer.tap(hit)) return;
		this.pin(hit.order);
	}

	say(text, isToast) {
		this.status.textContent = text;
		if (isToast) toast(text);
	}

	async share() {
		const to = new URL(link({ game: this.where.game, turn: this.view.game.code(this.view.index) }), location.href).href;
		try {
			await navigator.clipboard.writeText(to);
			toast("The address of this turn is copied (without your secret).");
		} catch {
			toast(to);
		}
	}

	key(event) {
		if (event.altKey || event.metaKey) return;
		const isField = event.target.closest("input, textarea, select, dialog");
		if (isField) return;
		if (remember.get("keys") === false && event.key.length === 1) return;
		if (this.desk && this.desk.key(event)) {
			event.preventDefault();
			return;
		}
		if (this.composer && !event.ctrlKey && this.composer.key(event)) {
			event.preventDefault();
			return;
		}
		if (event.ctrlKey) return;
		const isOnTrack = event.target.closest("[role=slider]");
		if (event.key === " " && event.target.closest("button, summary") && !isOnTrack) return;
		const does = this.keys()[event.shiftKey && event.key.startsWith("Arrow") ? `Shift${event.key}` : event.key];
		if (!does) return;
		event.preventDefault();
		does();
	}

	keys() {
		const { game } = this.view;
		const each = {
			ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), ShiftArrowLeft: () => this.year(-1), ShiftArrowRight: () => this.year(1),
			Home: () => this.go(0), End: () => this.go(Infinity), " ": () => this.togglePlay(), "[": () => this.changeSpeed(-1), "]": () => this.changeSpeed(1),
			o: () => this.layer("orders"), l: () => this.layer("names"), 0: () => this.board.fit(), "+": () => this.board.zoom(1.4), "=": () => this.board.zoom(1.4), "-": () => this.board.zoom(1 / 1.4),
			"?": showHelp, Escape: () => { this.view.pinned = null; this.board.lift(null); this.view.only = null; this.redraw(); },
		};
		game.powers.slice(0, 9).forEach((power, i) => { each[String(i + 1)] = () => this.only(power); });
		return each;
	}
}

/** "Russia stabs Germany: peace since Spring 1901; 4 centers, 6 two years later." */
function stabSentence(game, stab) {
	const { by, victim, centers } = stab;
	const [broken] = game.brokenBy(stab);
	const gain = centers && typeof centers[1] === "number" ? `; ${centers[0]} centers, ${centers[1]} two years later` : "";
	return `${game.name(by)} stabs ${game.name(victim)}${broken ? `: ${broken.kind} since ${turnName(broken.made)}` : ""}${gain}.`;
}
