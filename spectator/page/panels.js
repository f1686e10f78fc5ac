// The panel beside the map (press, orders, relations, years) and the timeline below it.

import { button, h, icon, refresh, replace, s } from "./dom.js";
import { sentenceOf } from "./orders.js";
import { listed, PHASES, sentence, turnKey, turnName } from "./store.js";

const RESULTS = {
	BNC: "bounced", CUT: "cut", DSR: "convoy lost", NSO: "in vain", FAR: "too far", NSP: "no such place",
	NSU: "no such unit", NAS: "not at sea", NSF: "no such fleet", NSA: "no such army", NYU: "not yours",
	NRN: "no retreat", NVR: "no such retreat", YSC: "not your center", ESC: "not empty", HSC: "not home",
	NSC: "no center", CST: "which coast", NMB: "no more builds", NMR: "no more removals", NRS: "not now",
};
const KINDS = {
	"": "anything", peace: "peace", alliance: "alliances", order: "orders", dmz: "zones", draw: "draws", text: "plain words",
};
const TURNS_AT_ONCE = 5;

export function swatch(game, power) {
	return s("svg.swatch", { viewBox: "0 0 12 12", "aria-hidden": "true" },
		s("rect", { class: `fill-${game.number(power)}`, width: 12, height: 12 }));
}

function who(game, power) {
	return [swatch(game, power), `${game.name(power)} `];
}

/** What a message is about, for the filter. */
function subject(text) {
	if (/\bXDO\b/.test(text)) return "order";
	if (/\bDMZ\b/.test(text)) return "dmz";
	if (/\bALY\b/.test(text)) return "alliance";
	if (/\bPCE\b/.test(text)) return "peace";
	if (/\b(DRW|SLO)\b/.test(text)) return "draw";
	return "text";
}

// Press ----------

/** `view` is the page's state, `act` what its buttons do; both come from app.js. */
export class PressPanel {
	constructor(view, act) {
		Object.assign(this, { view, act, shown: TURNS_AT_ONCE });
		this.list = h("div.feed");
		this.filters = h("div.filters", { role: "search" });
		this.root = h("div.pane", this.filters, this.list);
	}

	build() {
		const { view } = this;
		const { game, filter } = view;
		const powers = (label, field) => h("select", {
			"aria-label": label, onchange: (event) => this.set({ [field]: event.target.value }),
		}, h("option", { value: "" }, label), game.powers.map((power) => h("option", { value: power }, game.name(power))));
		this.fields = {
			power: powers("all powers", "power"),
			other: powers("and anyone", "other"),
			kind: h("select", { "aria-label": "about", onchange: (event) => this.set({ kind: event.target.value }) },
				Object.entries(KINDS).map(([kind, name]) => h("option", { value: kind }, name))),
			broken: button([icon("dagger"), "broken"], () => this.set({ broken: !view.filter.broken }), { title: "only words that were broken" }),
			text: h("input", { type: "search", placeholder: "search", "aria-label": "search in press", oninput: (event) => this.set({ text: event.target.value }) }),
		};
		replace(this.filters, Object.values(this.fields));
		this.game = game;
		this.fields.text.value = filter.text;
	}

	set(change) {
		Object.assign(this.view.filter, change);
		this.act.redraw();
	}

	update() {
		const { view } = this;
		if (this.game !== view.game) this.build();
		for (const name of ["power", "other", "kind"]) this.fields[name].value = view.filter[name];
		this.fields.broken.setAttribute("aria-pressed", view.filter.broken);
		const key = JSON.stringify([view.game.version, view.index, view.filter, this.shown, [...view.openText], this.act.answering && this.act.answering(), view.seat && view.seat.press]);
		if (key === this.key) return;
		this.key = key;
		this.fill();
	}

	fill() {
		const { game, index } = this.view;
		const level = game.doc.press_level;
		const mayRead = game.doc.press !== "secret" && game.doc.press !== "none" && level !== 0;
		this.filters.classList.toggle("hidden", !mayRead && !game.doc.stabs.length);
		const sections = [];
		let left = this.shown;
		let i = index;
		for (; i >= 0 && left > 0 && game.hasStarted; i -= 1) {
			const lines = this.lines(i);
			if (!lines.length && (i !== index || game.isEnd(i))) continue;
			left -= 1;
			sections.push(this.section(i, lines));
		}
		if (i >= 0 && game.hasStarted) sections.push(h("p.empty", button("Earlier turns", () => { this.shown += 10; this.act.redraw(); }, { class: "plain" })));
		if (!mayRead) sections.unshift(h("p.empty", silence(game)));
		// A line that somebody points at stays where it is, whatever arrives above it.
		const pointed = [...this.list.querySelectorAll(".talk :is(:hover, :focus)")].pop();
		const top = pointed && pointed.getBoundingClientRect().top;
		refresh(this.list, sections);
		const shift = pointed && pointed.isConnected ? pointed.getBoundingClientRect().top - top : 0;
		this.list.style.minHeight = shift ? `${this.root.scrollTop + shift + this.root.clientHeight}px` : "";
		this.root.scrollTop += shift;
	}

	section(i, lines) {
		const { game } = this.view;
		const said = game.press(i).length;
		const title = game.isEnd(i) ? "At the end" : turnName(game.turn(i));
		return h("section", { "aria-label": title, "data-key": game.code(i) },
			h("h3", title, h("span.muted", game.isEnd(i) ? "" : PHASES[game.turn(i)[0]], said ? ` · ${said} said` : ""),
				i === this.view.index ? null : button("show", () => this.act.go(i), { class: "link" })),
			lines.length ? lines : h("p.talk.muted", game.isNow(i) && game.doc.now ? "Nothing said yet." : "Nothing was said."));
	}

	lines(i) {
		const { game } = this.view;
		const stabs = game.stabsAt(i).filter((stab) => this.passes([stab.by], [stab.victim], "", `${game.name(stab.by)} stabs ${game.name(stab.victim)} ${stab.order}`, true));
		const talks = game.talks(i).filter((talk) => this.passes(
			[talk.said.from], talk.said.to, subject(talk.said.text), `${talk.said.en} ${talk.said.text}`,
			talk.promises.some((promise) => promise.verdict === "broken" && turnKey(promise.ended) <= turnKey(game.turn(this.view.index)))));
		return [...stabs.map((stab) => this.stab(stab, i)), ...this.grouped(talks.reverse()).map((talk) => this.talk(talk, i))];
	}

	/** The same words to several powers, one by one, are one line: bots ask everybody for a draw. */
	grouped(talks) {
		const found = new Map();
		for (const talk of talks) {
			const isOwn = this.view.seat && [talk.said.from, ...talk.said.to].includes(this.view.seat.power);
			const key = `${talk.said.from} ${talk.said.text} ${talk.promises.length || isOwn ? talk.said.id : talk.answers.map(({ kind }) => kind)}`;
			const same = found.get(key);
			if (same) same.heard.push(...talk.said.to);
			else found.set(key, { ...talk, heard: [...talk.said.to] });
		}
		return [...found.values()];
	}

	passes(from, to, kind, text, isBroken) {
		const { filter } = this.view;
		const all = [...from, ...to];
		const power = filter.power || this.view.only;
		if (power && !all.includes(power)) return false;
		if (filter.other && !all.includes(filter.other)) return false;
		if (filter.power && filter.other && !(from.includes(filter.power) || from.includes(filter.other))) return false;
		if (filter.kind && kind && filter.kind !== kind) return false;
		if (filter.kind && !kind && !filter.broken) return false;
		if (filter.broken && !isBroken) return false;
		return !filter.text || text.toLowerCase().includes(filter.text.toLowerCase());
	}

	stab(stab, i) {
		const { game } = this.view;
		return h("article.talk.stab", { "data-key": `${stab.by} ${stab.order}` },
			h("div.who", icon("dagger"), who(game, stab.by), h("span.arrow", "stabs "), who(game, stab.victim),
				h("span.outcome", h("span.order-text", stab.order))),
			game.brokenBy(stab).map((promise) => h("p", `Broke: ${promise.en}, given in ${turnName(promise.made)}.`)),
			stab.centers && stab.centers[1] !== null && stab.centers[1] !== undefined
				? h("p.muted", `${stab.centers[0]} centers then, ${stab.centers[1]} two years later.`) : null,
			h("div.extra", button("show on map", () => this.act.showOrder(i, stab.by, stab.order), { class: "link" })));
	}

	talk(talk, i) {
		const { game, openText, seat } = this.view;
		const { said, answers, times, promises, heard } = talk;
		const isOpen = openText.has(said.id);
		const order = promises.find((promise) => promise.kind === "order");
		return h("article", { "data-key": said.id, class: `talk${seat && said.to.includes(seat.power) ? " mine" : ""}` },
			h("div.who", who(game, said.from), h("span.arrow", { "aria-label": "to" }, "→ "),
				heard.length > 3 ? heard.map((power) => h("span", { title: game.name(power) }, swatch(game, power), " ", power)) : heard.map((power) => who(game, power)), times > 1 ? h("span.times", `× ${times}`) : null,
				outcome(talk, game.isNow(i) ? seat : null, promises.length ? this.verdict(worst(promises)) : null)),
			h("p", spoken(said), " ", button("DAIDE", () => this.act.toggleText(said.id), { class: "source", "aria-expanded": String(isOpen), title: "The words as they were sent" })),
			order ? h("div.extra", button("show on map", () => this.act.showOrder(game.frameAt(order.ended || order.made), order.maker, null), { class: "link" })) : null,
			isOpen ? h("p.daide", [said, ...answers].map((each) => h("span", `${each.from} → ${each.to.join(" ")}: ${each.text}`, h("br")))) : null,
			this.act.answers ? this.act.answers(talk, i) : null);
	}

	verdict(promise) {
		const { game, index } = this.view;
		const at = game.promisesAt(index).find((each) => each.id === promise.id);
		const state = at ? at.state : "open";
		const words = { open: "agreed", kept: "kept", broken: `broken${promise.breach ? ` by ${promise.breach}` : ""}`, void: "lapsed" };
		return h("span", { class: `verdict ${state}` }, icon(state, words[state]), words[state]);
	}
}

/** A treaty makes a promise for each side; its line shows one verdict, the worst. */
function worst(promises) {
	return promises.find((each) => each.verdict === "broken") || promises[0];
}

function silence(game) {
	if (!game.hasStarted) return "The game begins when all seats are taken, and the talk with it.";
	if (game.doc.press_level === 0 || game.doc.press === "none") return "This game is played without press.";
	if (game.doc.press === "secret") {
		return "What the powers say to each other is for their ears only. Whoever holds a seat's link reads its press; the host's link reads everything.";
	}
	return "";
}

/** The sentence without "England proposes to France:", which the line above it says with arrows. */
function spoken(said) {
	const text = said.en || said.text;
	const told = /^[^:"]{4,120}?\b(proposes|states)\b[^:"]*: (.+)$/s.exec(text);
	if (!told) return text;
	const body = told[2].charAt(0).toUpperCase() + told[2].slice(1);
	return told[1] === "proposes" ? body.replace(/\.$/, "?") : body;
}

function outcome({ said, answers }, seat, verdict) {
	if (verdict) return h("span.outcome", verdict);
	const shown = (sign, name, word) => h("span", { class: `outcome ${sign}` }, name ? icon(name) : null, word);
	if (answers.some(({ kind, from }) => kind === "CCL" && from === said.from)) return shown("", "void", "taken back");
	const heard = new Map(answers.map((answer) => [answer.from, answer.kind]));
	if (said.kind !== "PRP") return heard.size ? shown("", null, "answered") : said.kind === "FCT" ? shown("", null, "says") : null;
	const kinds = [...heard.values()];
	if (kinds.includes("REJ")) return shown("no", null, "refused");
	if (kinds.includes("HUH")) return shown("", null, "not understood");
	if (kinds.includes("BWX")) return shown("", null, "will not say");
	const agreed = kinds.filter((kind) => kind === "YES").length;
	if (agreed && agreed >= said.to.length) return shown("yes", null, "accepted");
	if (agreed) return shown("yes", null, `${agreed} of ${said.to.length} accept`);
	return shown("", null, seat && said.to.includes(seat.power) ? "asks you" : "open");
}

// Orders ----------

export class OrdersPanel {
	constructor(view, act) {
		Object.assign(this, { view, act });
		this.root = h("div.pane.order-list");
	}

	update() {
		const { view } = this;
		const key = JSON.stringify([view.game.version, view.index, view.only, view.seat && view.seat.orders, view.play && view.play.stamp]);
		if (key !== this.key) {
			this.key = key;
			refresh(this.root, view.game.isNow(view.index) ? this.now() : this.past());
		}
		for (const node of this.root.querySelectorAll("li")) node.classList.toggle("shown", node.dataset.order === String(view.lifted));
	}

	past() {
		const { game, index, only } = this.view;
		const stabs = game.stabsAt(index);
		const groups = game.powers.filter((power) => !only || power === only).map((power) => {
			const mine = game.orders(index).map((order, i) => ({ order, i })).filter(({ order }) => order[0] === power);
			if (!mine.length) return null;
			return [h("h3", who(game, power), h("span.muted", game.player(power) || "")),
				h("ul", mine.map(({ order, i }) => this.line(order, i, stabs.find((stab) => stab.by === power && stab.order === order[1]))))];
		});
		return groups.some(Boolean) ? groups : h("p.empty", "No orders were needed in this turn.");
	}

	line([, text, result, , reason, flags], i, stab) {
		const word = flags && flags.includes("d") && (result === "SUC" || result === null) ? "dislodged" : result === "SUC" || result === null ? "" : RESULTS[result] || result;
		return h("li", {
			class: word && word !== "dislodged" ? "failed" : "", "data-order": i, "data-key": text, tabindex: 0,
			title: sentenceOf(text, this.view.names),
			onmouseenter: () => this.act.lift(String(i)), onmouseleave: () => this.act.lift(null),
			onfocus: () => this.act.lift(String(i)), onblur: () => this.act.lift(null),
			onclick: () => this.act.pin(String(i)),
		},
		h("span.order-text", text, flags && flags.includes("a") ? h("span.muted", " (no order)") : null),
		stab ? icon("dagger", `breaks its word to ${this.view.game.name(stab.victim)}`) : word ? h("span.result.bad", word) : null,
		reason ? h("span.why", sentence(reason)) : null);
	}

	now() {
		const { game, index, seat } = this.view;
		if (seat && this.act.ownOrders) return this.act.ownOrders();
		if (!game.doc.now) return h("p.empty", `${game.ending()}.`);
		const waiting = game.doc.now.waiting;
		return h("p.empty",
			`Orders for ${turnName(game.turn(index))} are being written; they are shown when all are judged.`,
			waiting ? ` ${waitingSentence(game, waiting)}` : "");
	}
}

export function waitingSentence(game, waiting) {
	if (!waiting || !waiting.count) return "All orders are in.";
	if (waiting.powers) return `Waiting for ${listed(waiting.powers.map((power) => game.name(power)))}.`;
	return `Waiting for ${waiting.count} ${waiting.count === 1 ? "power" : "powers"}.`;
}

// Relations ----------

/** Signs of what stands between two powers: patterns, not hues. */
export function stateSign(state) {
	const line = (y, extra) => s("path", { d: `M3 ${y}h20`, class: extra });
	const parts = {
		none: [],
		offered: [line(8, "dashed")],
		peace: [line(8)],
		alliance: [line(5), line(11)],
		broken: [s("path", { d: "M3 8h7l-2-4M23 8h-7l2 4", class: "torn" })],
	}[state];
	return s("svg.state", { viewBox: "0 0 26 16", "aria-hidden": "true" }, parts);
}

const STATES = { none: "nothing", offered: "offered", peace: "peace", alliance: "alliance", broken: "broken lately" };

export class RelationsPanel {
	constructor(view, act) {
		Object.assign(this, { view, act });
		this.root = h("div.pane");
	}

	update() {
		const { view } = this;
		const key = JSON.stringify([view.game.version, view.index, view.filter.power, view.filter.other, view.seat && view.seat.power]);
		if (key === this.key) return;
		this.key = key;
		const { game } = view;
		if (!game.doc.promises.length && game.doc.press === "secret") {
			refresh(this.root, h("p.empty", "Who promised what to whom is known to those who may read the press. ", silence(game)));
			return;
		}
		refresh(this.root,
			h("table.matrix",
				h("caption.only-read", `What each power has promised the others in ${turnName(game.turn(view.index))}`),
				h("thead", h("tr", h("td"), game.powers.map((power) => h("th", { scope: "col" }, swatch(game, power), power)))),
				h("tbody", game.powers.map((maker) => h("tr",
					h("th", { scope: "row" }, swatch(game, maker), maker),
					game.powers.map((other) => (maker === other ? h("td.self") : h("td", this.cell(maker, other)))))))),
			h("p.key", "Row promises column.", Object.entries(STATES).filter(([state]) => state !== "none").map(
				([state, name]) => h("span", stateSign(state), name)), h("span", "3|1 = kept|broken"), h("span", "strip = the years")),
			this.act.myWord ? this.act.myWord() : this.standing());
	}

	/** Treaties that stand at this turn, and words broken within the last year. */
	standing() {
		const { game, index, filter } = this.view;
		const year = game.turn(index)[1];
		const isPair = ({ maker, to }) => (!filter.power || maker === filter.power || to.includes(filter.power)) && (!filter.other || maker === filter.other || to.includes(filter.other));
		const known = game.promisesAt(index).filter(isPair);
		const shown = [...known.filter(({ state, ended }) => state === "broken" && ended[1] >= year - 1), ...known.filter(({ state }) => state === "open")];
		// A treaty is a promise of each party, and each may name the parties in an order of its own.
		const once = [...new Map(shown.map((promise) => [`${promise.state} ${promise.text.split(" ").sort().join(" ")}`, promise])).values()];
		return once.length ? [h("div.order-list", h("h3", "Words that stand or fell lately")), h("ul.word-list", once.slice(0, 40).map((promise) => h("li", icon(promise.state),
			h("span", sentence(promise.en, ""), h("span.muted", promise.state === "broken" ? ` broken by ${game.name(promise.maker)} in ${turnName(promise.ended)}: ${promise.breach || ""}` : ` since ${turnName(promise.made)}`)))))] : null;
	}

	cell(maker, other) {
		const { game, index, filter } = this.view;
		const { state, kept, broken } = game.record(maker, other, index);
		const isPair = filter.power && filter.other && [filter.power, filter.other].includes(maker) && [filter.power, filter.other].includes(other);
		return button([stateSign(state), h("span", kept || broken ? `${kept}|${broken}` : ""), strip(game.history(maker, other))],
			() => this.act.pair(maker, other), {
				"data-key": "", class: `cell ${state}`, "aria-pressed": String(Boolean(isPair)),
				title: `${game.name(maker)} to ${game.name(other)}: ${STATES[state]}; ${kept} kept, ${broken} broken`,
			});
	}
}

function strip(states) {
	const wide = Math.max(states.length, 8) * 2;
	return s("svg.strip", { viewBox: `0 0 ${wide} 6`, preserveAspectRatio: "none", "aria-hidden": "true" },
		states.map((state, i) => (state === "none" ? null : s("rect", {
			x: i * 2, width: 1.7, y: { offered: 4, peace: 2.5, alliance: 0, broken: 0 }[state], height: { offered: 2, peace: 3.5, alliance: 6, broken: 6 }[state], class: `s-${state}`,
		}))));
}

// Years ----------

export class YearsPanel {
	constructor(view, act) {
		Object.assign(this, { view, act });
		this.root = h("div.pane");
	}

	update() {
		const { view } = this;
		const key = JSON.stringify([view.game.version, view.index, view.only]);
		if (key === this.key) return;
		this.key = key;
		const { game } = view;
		const { years } = game;
		const goal = game.doc.centers_to_win || view.toWin;
		const current = years.reduce((best, year, i) => (year.frame <= view.index ? i : best), 0);
		refresh(this.root,
			h("div.chart", chart(game, years, goal, current, view.only)),
			h("table.years",
				h("thead", h("tr", h("th", "after"), game.powers.map((power) => h("th", { title: game.name(power) }, swatch(game, power), h("br"), power)))),
				h("tbody", years.map(({ year, frame, counts }, i) => h("tr", { class: i === current ? "now" : "", onclick: () => this.act.go(frame) },
					h("th", i ? button(String(year), () => this.act.go(frame), { class: "link" }) : "start"),
					game.powers.map((power) => h("td", counts[power] || "–")))))),
			players(game));
	}
}

function players(game) {
	if (!game.doc.names) return null;
	return h("ul.word-list", game.powers.filter((power) => game.player(power)).map((power) => h("li", swatch(game, power), `${game.name(power)}: ${game.player(power)}`)));
}

function chart(game, years, goal, current, only) {
	const [width, height, left, right, top, bottom] = [380, 240, 22, 58, 10, 20];
	const most = Math.max(goal || 0, ...years.flatMap(({ counts }) => Object.values(counts))) + 1;
	const x = (i) => left + (years.length > 1 ? (i / (years.length - 1)) * (width - left - right) : 0);
	const y = (count) => height - bottom - (count / most) * (height - top - bottom);
	const lines = game.powers.map((power) => {
		const points = years.map(({ counts }, i) => `${x(i).toFixed(1)},${y(counts[power]).toFixed(1)}`).join(" ");
		const dim = only && only !== power ? " dim" : "";
		return [s("polyline", { class: `edge${dim}`, points }), s("polyline", { class: `core line-${game.number(power)}${dim}`, points })];
	});
	const ends = game.powers.map((power) => ({ power, y: y(years[years.length - 1].counts[power]) })).sort((a, b) => a.y - b.y);
	for (let i = 1; i < ends.length; i += 1) ends[i].y = Math.max(ends[i].y, ends[i - 1].y + 12);
	// Down where they are crowded, and up again from the bottom as far as they need it.
	ends.reduceRight((room, end) => { end.y = Math.min(end.y, room); return end.y - 12; }, height - bottom);
	const every = Math.ceil(years.length / 8);
	return s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Centers of the powers from ${years[0].year + 1} to ${years[years.length - 1].year}` },
		[5, 10, 15, 20].filter((count) => count < most).map((count) => [
			s("path.grid", { d: `M${left} ${y(count)}H${width - right}` }), s("text.muted", { x: 4, y: y(count) + 4 }, count)]),
		goal ? [s("path.solo", { d: `M${left} ${y(goal)}H${width - right}` }), s("text.muted", { x: 4, y: y(goal) + 4 }, goal)] : null,
		years.map(({ year }, i) => (i % every ? null : s("text.muted", { x: x(i), y: height - 4, "text-anchor": "middle" }, i ? year : ""))),
		s("path.now", { d: `M${x(current)} ${top}V${height - bottom}` }),
		lines,
		ends.map(({ power, y: at }) => [
			s("rect", { class: `fill-${game.number(power)}`, x: width - right + 7, y: at - 5, width: 9, height: 9, rx: 2.5, stroke: "currentColor" }),
			s("text", { x: width - right + 20, y: at + 4, class: only && only !== power ? "dim" : null }, power)]));
}

// Timeline ----------

export const SPEEDS = [0.5, 1, 2, 4, 8];
const MARKS = {
	stab: "M0 -9 L2.6 2 H4.5 V4 H1 V9 H-1 V4 H-4.5 V2 H-2.6 Z",
	out: "M-4 -4 4 4M4 -4-4 4",
	end: "M-5 6 V-5 H5 L2 -1.5 5 2 H-3.5 V6 Z",
};

export class Timeline {
	constructor(view, act) {
		Object.assign(this, { view, act });
		this.playButton = button(icon("play"), () => act.play(), { title: "Play (Space)", "aria-label": "Play" });
		this.speed = button("1×", () => act.speed(1), { class: "speed", title: "Speed ([ and ])", "aria-label": "Speed" });
		this.track = h("div", {
			class: "track", role: "slider", tabindex: 0, "aria-label": "Turn",
			onpointerdown: (event) => this.grab(event), onpointermove: (event) => this.drag(event), onpointerup: () => { this.held = false; },
		});
		const step = (name, title, move) => button(icon(name), move, { title, "aria-label": title, class: name === "first" || name === "last" ? "ends" : null });
		this.root = h("footer.timeline",
			h("div.steps",
				step("first", "First turn (Home)", () => act.go(0)), step("back", "One turn back (Left)", () => act.step(-1)), this.playButton,
				step("next", "One turn on (Right)", () => act.step(1)), step("last", "Last turn (End)", () => act.go(Infinity))),
			this.speed, this.track);
		this.observer = new ResizeObserver(() => { this.key = ""; this.act.redraw(); });
		this.observer.observe(this.track);
	}

	grab(event) {
		const mark = event.target.closest("[data-frame]");
		this.held = true;
		this.track.setPointerCapture(event.pointerId);
		if (mark) {
			this.held = false;
			this.act.go(Number(mark.dataset.frame));
		} else this.drag(event);
	}

	drag(event) {
		if (!this.held) return;
		const { left, width } = this.track.getBoundingClientRect();
		const share = (event.clientX - left - 12) / (width - 24);
		const frame = Math.round(share * this.view.game.last);
		const kept = Math.max(0, Math.min(this.view.game.last, frame));
		if (kept !== this.view.index) this.act.go(kept);
	}

	update() {
		const { view } = this;
		const { game, index } = view;
		const isPlaying = Boolean(view.playing);
		if (isPlaying !== this.wasPlaying) {
			this.wasPlaying = isPlaying;
			replace(this.playButton, icon(isPlaying ? "pause" : "play"));
			this.playButton.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
		}
		this.speed.textContent = `${view.speed}×`;
		const told = `${turnName(game.turn(index))}, ${PHASES[game.turn(index)[0]]}`;
		for (const [name, value] of Object.entries({ valuemin: 0, valuemax: game.last, valuenow: index, valuetext: told })) this.track.setAttribute(`aria-${name}`, value);
		const key = JSON.stringify([game.version, index, this.track.clientWidth]);
		if (key !== this.key) {
			this.key = key;
			this.paint();
		}
	}

	paint() {
		const { game, index } = this.view;
		const width = Math.max(60, this.track.clientWidth);
		const height = this.track.clientHeight || 44;
		const rail = height - 17;
		const x = (frame) => 12 + (game.last ? frame / game.last : 0) * (width - 24);
		const loudest = Math.max(1, ...Array.from({ length: game.last + 1 }, (_, i) => game.press(i).length));
		const bars = [];
		const ticks = [];
		const years = [];
		let lastLabel = -99;
		for (let i = 0; i <= game.last; i += 1) {
			const [season, year] = game.turn(i);
			const said = game.press(i).length;
			const high = Math.sqrt(said / loudest) * 16;
			const wide = Math.max(1.5, Math.min(7, (width - 24) / (game.last + 1) - 1));
			if (said) bars.push(s("rect.said", { x: x(i) - wide / 2, width: wide, y: rail - 3 - high, height: high }));
			const isYear = season === "SPR";
			if (isYear || (width - 24) / (game.last + 1) > 5) ticks.push(s("path", { class: isYear ? "tick year" : "tick", d: `M${x(i)} ${rail + 3}v${isYear ? 5 : 3}` }));
			if (isYear && x(i) - lastLabel > 38) {
				years.push(s("text", { x: x(i), y: height - 0.5 }, year));
				lastLabel = x(i);
			}
		}
		const seen = new Map();
		const marks = game.moments.map(({ frame, kind, text }) => {
			const place = `${frame} ${kind}`;
			const nth = seen.get(place) || 0;
			seen.set(place, nth + 1);
			if (nth > 1) return null;
			return s("g", { class: `mark ${kind}`, "data-frame": frame, transform: `translate(${x(frame)} ${rail - 11 - nth * 4}) scale(.8)` },
				s("title", `${turnName(game.turn(frame))}: ${text}`), s("path", { d: MARKS[kind] }));
		});
		replace(this.track, s("svg", { "aria-hidden": "true" }, bars,
			s("path.rail", { d: `M12 ${rail}H${width - 12}` }), s("path.past", { d: `M12 ${rail}H${x(index)}` }),
			ticks, years, marks, s("circle.thumb", { cx: x(index), cy: rail, r: 6.5 })));
	}
}

