// What every view of the page shares: addresses, maps, theme, short notes, help.

import { button, h, icon, remember } from "./dom.js";
import { unpacked } from "./draw.js";
import { Server } from "./store.js";

const maps = new Map();

// Addresses ----------
// /g/GAME/TURN, and behind # the secret of a seat or of the host, which no request ever carries. In a file
// that holds a game everything is behind #, and there is no secret.

export const here = () => (globalThis.offline ? location.hash : location.pathname + location.hash);

export function address() {
	const [, kind, game, turn] = (globalThis.offline ? location.hash : location.pathname).split("/");
	const [name, at] = kind === "g" && game ? [decode(game), turn || null] : [null, null];
	if (globalThis.offline) return { game: name, turn: at, secret: null };
	// Whatever stands there is shown to the server, so that a link with a part missing is refused.
	return { game: name, turn: at, secret: location.hash.slice(1).replace(/[^\w-]/g, "-") || null };
}

function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

export function link({ game, turn, secret }) {
	const path = game ? `/g/${encodeURIComponent(game)}${turn ? `/${turn}` : ""}` : "/";
	return globalThis.offline ? `#${path}` : path + (secret ? `#${secret}` : "");
}

export function loadMap(variant) {
	if (!maps.has(variant)) {
		maps.set(variant, new Server(null).get(`/page/maps/${encodeURIComponent(variant)}.json`).then(unpacked).catch((problem) => {
			maps.delete(variant);
			throw problem;
		}));
	}
	return maps.get(variant);
}

// Theme, toasts, help ----------

const dark = matchMedia("(prefers-color-scheme: dark)");
function applyTheme() {
	document.documentElement.dataset.theme = remember.get("theme") || (dark.matches ? "dark" : "light");
}
function toggleTheme() {
	remember.set("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
	applyTheme();
}
applyTheme();
dark.addEventListener("change", applyTheme);

/**
 * Draws at the next frame, but never while a button is down: what was pressed is there, and means the same,
 * when it is let go. A finger's click comes a while after the finger has gone.
 */
export class Painter {
	constructor(paint, signal) {
		Object.assign(this, { paint, signal });
		const on = (kind, act) => addEventListener(kind, act, { capture: true, signal });
		on("pointerdown", ({ target }) => { this.hold(Boolean(target.closest("button, select, a, label, summary, li"))); });
		on("pointerup", ({ pointerType }) => { this.timer = setTimeout(() => this.hold(false), pointerType === "mouse" ? 0 : 400); });
		on("pointermove", ({ buttons, pointerType }) => { if (pointerType === "mouse" && !buttons) this.hold(false); });
		for (const kind of ["click", "pointercancel"]) on(kind, () => this.hold(false));
	}

	hold(isHeld) {
		clearTimeout(this.timer);
		const isFree = this.isHeld && !isHeld;
		this.isHeld = isHeld;
		if (isFree && this.isLate) this.ask();
	}

	ask() {
		if (this.isAsked) return;
		this.isAsked = true;
		const once = () => {
			this.isAsked = false;
			this.now();
		};
		if (document.hidden) setTimeout(once, 400);
		else requestAnimationFrame(once);
	}

	now() {
		this.isLate = this.isHeld;
		if (!this.isHeld && !this.signal.aborted) this.paint();
	}
}

export function toast(text) {
	const note = h("p.toast", { role: "status" }, text);
	const all = document.querySelector(".toasts") || document.body.appendChild(h("div.toasts"));
	all.append(note);
	if (all.childElementCount > 2) all.firstChild.remove();
	setTimeout(() => note.remove(), 2000 + text.length * 40); // as long as it takes to read
}

const HELP = [
	["Watching", [["← →", "one turn back, on"], ["Shift ← →", "one year"], ["Home End", "first turn, last turn"], ["Space", "play, pause"], ["[ ]", "slower, faster"],
		["1 - 7", "only this power"], ["O L", "orders, names on or off"], ["+ - 0", "zoom, whole board"], ["?", "this list"]]],
	["Your seat", [["J K", "next, last unit of yours"], ["Shift J K", "next, last foreign unit (to ask for an order)"], ["H M S C", "hold, move, support, convoy"], ["V", "by sea"],
		["R D", "retreat, disband"], ["A F W X", "build army, build fleet, waive, remove"], ["1 - 9", "answer the question below the map"], ["↑ ↓ Enter", "choose a target"], ["Esc", "one step back"], ["U", "undo (Shift: redo)"],
		["G", "ready"], ["/", "type an order: par - bur, nth s bel - hol, lon - nwy via nth"], ["Y N B", "answer the newest proposal: accept, refuse, will not say"]]],
];

export function showHelp() {
	const dialog = h("dialog", { onclose: () => dialog.remove() },
		h("h2", "Keys and signs"),
		HELP.map(([title, keys]) => [h("h3", title), h("dl.keys", keys.map(([key, what]) => [h("dt", h("kbd", key)), h("dd", what)]))]),
		h("h3", "Signs"),
		h("dl.keys", [["open", "a word given, not yet due"], ["kept", "kept"], ["broken", "broken"], ["void", "lapsed"], ["dagger", "stab: an order that broke a word"]]
			.map(([name, what]) => [h("dt", icon(name)), h("dd", what)])),
		h("label", h("input", { type: "checkbox", checked: remember.get("keys") === false, onchange: (event) => remember.set("keys", !event.target.checked) }), " switch single keys off"),
		h("p", button("Close", () => dialog.close(), { class: "strong" })));
	document.body.append(dialog);
	dialog.showModal();
}

export function tools(...more) {
	return h("div.tools", more,
		button(icon("theme"), toggleTheme, { class: "quiet", title: "Light or dark", "aria-label": "Light or dark" }),
		button(icon("help"), showHelp, { class: "quiet", title: "Keys and signs (?)", "aria-label": "Keys and signs" }));
}

export function brand(secret) {
	return h("a.brand", { href: globalThis.offline?.home || link({ secret }), title: "All games", "aria-label": "daide: all games" }, h("img", { src: "/page/icon.svg", alt: "", width: 22, height: 22 }), h("span", "daide"));
}
