// Press: what can be said at levels 10 and 20 as menus, plain text at 8000, answers with one tap.

import { button, h, icon, refresh } from "./dom.js";
import { swatch } from "./panels.js";
import { gamePath, listed, orderAsPress, orderInPress, Refusal, sentence, turnKey, turnName } from "./store.js";

/** What the menus offer: from which level on, and what is asked. A test makes every one and parses it. */
export const ABOUT = {
	peace: { title: "peace", level: 10, asks: ["powers"] },
	alliance: { title: "an alliance", level: 10, asks: ["powers", "enemies"] },
	draw: { title: "a draw", level: 10, asks: [] },
	solo: { title: "a solo", level: 10, asks: ["winner"] },
	zone: { title: "a zone", level: 20, asks: ["powers", "provinces"] },
	order: { title: "an order", level: 20, asks: ["order"] },
};
export const SAY = { PRP: "Propose", FCT: "Tell" };
export const TURNS = { "": "as it says", NOT: "not so", NAR: "no word either way" };

const group = (words) => `( ${words.join(" ")} )`;

/**
 * The DAIDE text of a draft, or {why} when something is missing.
 * A draft is {say, about, turn, powers, enemies, winner, provinces, order}; `owner` tells whose unit stands at a place.
 */
export function pressText(draft, owner) {
	const inner = arrangement(draft, owner);
	if (inner.why) return inner;
	return { text: `${draft.say} ( ${draft.turn ? `${draft.turn} ( ${inner.text} )` : inner.text} )` };
}

function arrangement({ about, powers, enemies, winner, provinces, order }, owner) {
	switch (about) {
		case "peace": return powers.length < 2 ? { why: "Peace needs two powers or more." } : { text: `PCE ${group(powers)}` };
		case "alliance":
			if (powers.length < 2) return { why: "An alliance needs two powers or more." };
			if (!enemies.length) return { why: "Against whom?" };
			if (enemies.some((power) => powers.includes(power))) return { why: "Nobody can be ally and enemy." };
			return { text: `ALY ${group(powers)} VSS ${group(enemies)}` };
		case "draw": return { text: "DRW" };
		case "solo": return winner ? { text: `SLO ( ${winner} )` } : { why: "Who is to win?" };
		case "zone":
			if (!powers.length) return { why: "Who keeps out?" };
			return provinces.length ? { text: `DMZ ${group(powers)} ${group(provinces)}` } : { why: "Tap provinces on the map." };
		case "order": return order ? { text: `XDO ( ${orderAsPress(order, owner)} )` } : { why: "Tap a unit on the map and give the order you wish for." };
		default: return { why: "About what?" };
	}
}

/** Free text as DAIDE writes it: between single quotes, a quote inside doubled. */
export const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

export class Composer {
	constructor(view, act, server, game) {
		Object.assign(this, { view, act, server, path: `${gamePath(game)}/seat` });
		this.root = h("section.composer", { "aria-label": "Say something" });
		this.to = new Set();
		this.reset();
		this.checked = null;
		this.stamp = 0;
		this.replying = new Set(); // proposals whose answer is on its way
	}

	reset() {
		const me = this.view.seat.power;
		this.draft = { say: "PRP", about: "peace", turn: "", powers: [me], enemies: [], winner: me, provinces: [], order: null, text: "", raw: null };
	}

	get me() {
		return this.view.seat.power;
	}

	get rules() {
		return this.view.seat.press || { level: 0, may: false, to: [], deaf: {} };
	}

	/** The menus follow the draft at once: nothing can be sent that the preview does not show. */
	changed() {
		this.stamp += 1;
		this.check();
		this.update();
		this.act.redraw();
	}

	owner = (place) => {
		const { units } = this.view.game.before(this.view.game.last);
		const province = place.split("/")[0];
		return Object.keys(units).find((power) => units[power].some((unit) => unit.split(" ")[1].split("/")[0] === province)) || this.me;
	};

	/** What would be sent: {text} or {why}. */
	message() {
		const { draft } = this;
		if (draft.raw !== null && draft.raw.trim()) return { text: draft.raw.trim() };
		if (draft.about === "text") return draft.text.trim() ? { text: quoted(draft.text.trim()) } : { why: "Write something." };
		const told = pressText({ ...draft, powers: this.ordered(this.withMe(draft)), enemies: this.ordered(draft.enemies) }, this.owner);
		return told;
	}

	/** Self and those addressed are parties unless the player chose otherwise. */
	withMe(draft) {
		return draft.chosen ? draft.powers : [...new Set([this.me, ...this.to].filter((power) => !draft.enemies.includes(power)))];
	}

	ordered(powers) {
		return this.view.game.powers.filter((power) => powers.includes(power));
	}

	// Asking the server for the English ----------

	check() {
		clearTimeout(this.timer);
		this.checked = null;
		const { text } = this.message();
		if (!text || !this.to.size) return;
		const asked = this.stamp;
		this.timer = setTimeout(async () => {
			try {
				const told = await this.server.post(`${this.path}/press/check`, { to: [...this.to], text });
				if (asked === this.stamp) this.checked = told;
			} catch (problem) {
				if (asked === this.stamp) this.checked = { ok: false, why: problem.message };
			}
			this.act.redraw();
		}, 120);
	}

	async post(to, text) {
		try {
			const told = await this.server.post(`${this.path}/press`, { to, text });
			const isSent = told.ok !== false && told.sent !== false;
			this.act.say(isSent ? `Sent: ${told.english || text}` : told.why || "It was not sent.", !isSent);
			return isSent;
		} catch (problem) {
			if (!(problem instanceof Refusal)) throw problem;
			this.act.say(problem.message, true);
			return false;
		}
	}

	/** Send what the preview shows, once; who has gone on to the next message meanwhile keeps it. */
	async send(to, text) {
		if (this.isSending) return;
		this.isSending = true;
		this.update();
		const { stamp } = this;
		const isSent = await this.post(to, text).finally(() => { this.isSending = false; });
		if (isSent && stamp === this.stamp) {
			this.reset();
			this.to.clear();
		}
		this.changed();
	}

	// Coming from elsewhere ----------

	/** An order that another power is asked for. */
	request(power, order) {
		this.reset();
		this.to = new Set([power]);
		Object.assign(this.draft, { about: "order", order });
		this.act.openTab("press");
		this.changed();
	}

	/** End one's own word in good time: it is no stab after that. */
	callOff(id) {
		const promise = this.view.game.doc.promises.find((each) => each.id === id);
		if (!promise || !promise.text) return Promise.resolve(true);
		const to = promise.to.filter((power) => power !== this.me);
		return this.post(to, `FCT ( NOT ( ${promise.text} ) )`);
	}

	isPicking() {
		return Boolean(this.picksPlaces && this.draft.about === "zone" && this.view.tab === "press");
	}

	/** The zone in the making, as the map shows it. */
	marks() {
		const { provinces } = this.draft;
		const zone = { powers: this.ordered(this.withMe(this.draft)), provinces };
		return { targets: provinces.map((place) => ({ place, label: "✓" })), zones: provinces.length ? [zone] : [] };
	}

	tap({ target, province }) {
		if (!this.isPicking()) return false;
		const place = (province || target || "").split("/")[0];
		if (!place) return true;
		const { provinces } = this.draft;
		this.draft.provinces = provinces.includes(place) ? provinces.filter((each) => each !== place) : [...provinces, place];
		this.changed();
		return true;
	}

	// Answers ----------

	/** Proposals to us that we have not answered, newest last. */
	open(talks) {
		return talks.filter(({ said, answers }) => said.kind === "PRP" && said.to.includes(this.me)
			&& !answers.some(({ from, kind }) => from === this.me || kind === "CCL"));
	}

	/** The buttons under one line of the feed. */
	answers(talk, i) {
		const { game } = this.view;
		if (!game.isNow(i) || !this.rules.may) return null;
		const { said, answers } = talk;
		const disabled = this.replying.has(said.id);
		if (this.open([talk]).length) {
			const answer = (face, letter, word, kind) => button([face, said.id === this.keyed()?.said.id ? h("kbd", letter) : null], () => this.reply(talk, word), { class: kind, disabled, "data-key": word });
			return h("div.answers", answer("Accept ", "Y", "YES", "strong"), answer("Refuse ", "N", "REJ", "plain"), answer("Will not say ", "B", "BWX", "plain"),
				button("Counter", () => this.counter(said), { class: "plain" }));
		}
		if (said.from === this.me && said.kind === "PRP" && !answers.length) {
			return h("div.answers", button("Take back", () => this.once(said, said.to, `CCL ( ${said.text} )`), { class: "plain", disabled }));
		}
		const order = answers.some(({ from, kind }) => from === this.me && kind === "YES") && said.kind === "PRP" ? orderInPress(said.text) : null;
		if (order && this.desk && !/^PRP \( (NOT|NAR)/.test(said.text) && this.owner(order.split(" ")[1]) === this.me && !this.isGiven(order)) {
			return h("div.answers", button(`Set this order: ${order}`, this.desk.ofThisTurn(() => this.desk.submit(order)), { class: "strong" }));
		}
		return null;
	}

	isGiven(order) {
		return (this.view.seat.orders || []).some((each) => each.order === order);
	}

	reply({ said }, word) {
		return this.once(said, [said.from, ...said.to.filter((power) => power !== this.me)], `${word} ( ${said.text} )`);
	}

	/** Say one thing about a message at a time, however often a button is pressed. */
	async once(said, to, text) {
		if (this.replying.has(said.id)) return;
		this.replying.add(said.id);
		this.act.redraw();
		const isSent = await this.post(to, text);
		if (!isSent) this.replying.delete(said.id);
		this.act.redraw();
	}

	/** The proposal that the keys answer, and that wears their letters: the newest, until it has its answer. */
	keyed() {
		const { game } = this.view;
		const open = this.open(game.talks(game.last)).filter(({ said }) => !this.replying.has(said.id));
		const talk = open.find(({ said }) => said.id === this.keyedId) || open[open.length - 1];
		this.keyedId = talk && talk.said.id;
		return talk;
	}

	/** What the lines of the feed show of all this. */
	answering() {
		return [...this.replying, this.keyed()?.said.id];
	}

	counter(said) {
		this.reset();
		this.to = new Set([said.from, ...said.to.filter((power) => power !== this.me)]);
		this.changed();
		this.root.querySelector("select").focus();
	}

	key({ key }) {
		const word = { y: "YES", n: "REJ", b: "BWX" }[key.toLowerCase()];
		if (!word || !this.rules.may) return false;
		const talk = this.keyed();
		if (!talk) return false;
		this.reply(talk, word);
		return true;
	}

	/** Open promises of ours, with what ends them without a stab. */
	myWord() {
		const { game, index } = this.view;
		const mine = game.promisesAt(index).filter((promise) => promise.state === "open" && (promise.maker === this.me || promise.to.includes(this.me)));
		const line = (promise) => h("li", icon("open"), h("span", sentence(promise.en, ""),
			h("span.muted", ` ${promise.maker === this.me ? `to ${listed(promise.to.map((power) => game.name(power)))}` : `from ${game.name(promise.maker)}`}, since ${turnName(promise.made)}`)),
		promise.maker === this.me && game.isNow(index) && this.rules.may ? button("Call off", () => this.callOff(promise.id), { class: "plain" }) : null);
		const own = mine.filter(({ maker }) => maker === this.me);
		const theirs = mine.filter(({ maker }) => maker !== this.me);
		return [h("div.order-list", h("h3", "My word")), own.length ? h("ul.word-list", own.map(line)) : h("p.key", "You owe nobody anything."),
			theirs.length ? [h("div.order-list", h("h3", "Their word to me")), h("ul.word-list", theirs.map(line))] : null];
	}

	// The menus ----------

	update() {
		const { view, rules } = this;
		const turn = view.seat.turn && turnKey(view.seat.turn);
		if (turn !== this.turn) this.check(); // what could be said then may be impossible now
		this.turn = turn;
		const key = JSON.stringify([this.stamp, rules, view.seat.state, this.checked, this.isSending, view.game.last]);
		if (key === this.shownKey) return;
		this.shownKey = key;
		this.paint();
	}

	paint() {
		const { rules, view } = this;
		if (!rules.level) {
			refresh(this.root, h("p.closed", "This game is played without press."));
			return;
		}
		if (!rules.may || view.seat.state !== "playing") {
			refresh(this.root, h("p.closed", rules.why || "Nothing can be said now."));
			return;
		}
		const { draft } = this;
		const about = Object.entries(ABOUT).filter(([, { level }]) => level <= rules.level);
		const select = (name, choices, value) => h("select", { "aria-label": name, "data-field": name, "data-key": name, onchange: (event) => this.set({ [name]: event.target.value }) },
			choices.map(([key, title]) => h("option", { value: key, selected: key === value }, title)));
		const isText = draft.about === "text";
		const recipients = h("div.row", { "data-field": "to", "data-key": "to" }, h("b", "To"), rules.to.map((power) => this.toggle(power, this.to.has(power), () => this.address(power), rules.deaf && rules.deaf[power])));
		if (!this.to.size && draft.raw === null) {
			refresh(this.root, recipients, h("p.closed", "Choose who is to hear you; tap a foreign unit to ask for an order."));
			return;
		}
		refresh(this.root, recipients,
			h("div.row", { "data-key": "say" }, h("b", "Say"), isText ? null : select("say", Object.entries(SAY), draft.say),
				select("about", [...about.map(([name, { title }]) => [name, title]), ...(rules.level >= 8000 ? [["text", "in plain words"]] : [])], draft.about),
				isText ? null : select("turn", Object.entries(TURNS), draft.turn)),
			isText ? this.textField() : ABOUT[draft.about].asks.map((field) => this.field(field)),
			this.previewAndSend());
	}

	textField() {
		return h("textarea", { "data-key": "text", "aria-label": "What to say", maxlength: 1000, value: this.draft.text, oninput: (event) => this.set({ text: event.target.value }) });
	}

	advanced() {
		const { draft } = this;
		const field = h("textarea", {
			class: "raw", rows: 2, spellcheck: "false", "aria-label": "DAIDE text", placeholder: "PRP ( PCE ( FRA ENG ) )", value: draft.raw || "",
			oninput: (event) => this.set({ raw: event.target.value }),
		});
		return h("details", { open: draft.raw !== null, ontoggle: (event) => { if (!event.target.open && draft.raw !== null) { draft.raw = null; this.changed(); } else if (event.target.open && draft.raw === null) { draft.raw = ""; } } },
			h("summary", "advanced: DAIDE text"), field);
	}

	toggle(power, isOn, act, deaf) {
		const { game } = this.view;
		const name = game.name(power);
		return button([swatch(game, power), power], act, {
			class: "toggle", "aria-pressed": String(isOn), "data-power": power, "data-key": power, disabled: Boolean(deaf), "aria-label": name, title: deaf ? `${name} ${deaf}` : name,
		});
	}

	address(power) {
		if (!this.to.delete(power)) this.to.add(power);
		this.changed();
	}

	set(change) {
		Object.assign(this.draft, change);
		if ("about" in change) this.picksPlaces = change.about === "zone";
		this.changed();
		if (this.desk) this.desk.changed();
	}

	field(name) {
		const { draft, view } = this;
		const { game } = view;
		const living = game.powers.filter((power) => !game.isOut(power, game.last));
		const several = (title, list, change) => h("div.row", { "data-field": name, "data-key": name }, h("b", title), living.map((power) => this.toggle(power, list.includes(power), () => change(flip(list, power)))));
		switch (name) {
			case "powers": {
				const parties = this.withMe(draft);
				const title = { peace: "between", alliance: "allies", zone: "for" }[draft.about];
				return several(title, parties, (powers) => this.set({ powers, chosen: true, enemies: draft.enemies.filter((power) => !powers.includes(power)) }));
			}
			case "enemies": return several("against", draft.enemies, (enemies) => this.set({ enemies, powers: draft.powers.filter((power) => !enemies.includes(power)) }));
			case "winner": return h("div.row", { "data-field": name, "data-key": name }, h("b", "for"), living.map((power) => this.toggle(power, draft.winner === power, () => this.set({ winner: power }))));
			case "provinces": return h("div.row", { "data-field": name, "data-key": name }, h("b", "where"),
				draft.provinces.map((place) => button([view.names[place], " ×"], () => this.set({ provinces: draft.provinces.filter((each) => each !== place) }), { class: "toggle" })),
				this.placeList(), h("span.muted", "or tap the map"));
			case "order": return h("div.row", { "data-field": name, "data-key": name }, h("b", "order"), draft.order ? h("span.order-text", draft.order) : h("span.muted", "tap a foreign unit on the map, then its goal"));
			default: return null;
		}
	}

	placeList() {
		const { names } = this.view;
		const rest = Object.entries(names).filter(([place]) => !this.draft.provinces.includes(place)).sort((a, b) => (a[1] < b[1] ? -1 : 1));
		return h("select", { "aria-label": "Add a province", onchange: (event) => event.target.value && this.set({ provinces: [...this.draft.provinces, event.target.value] }) },
			h("option", { value: "" }, "province ..."), rest.map(([place, name]) => h("option", { value: place }, name)));
	}

	/** The English of the draft, and the button that sends exactly this. */
	previewAndSend() {
		const { checked } = this;
		const { text, why } = this.message();
		const to = [...this.to];
		const missing = to.length ? why : "Choose who is to hear it.";
		const isBad = Boolean(!missing && checked && !checked.ok);
		const told = missing || !checked ? h("span.muted", missing || "...") : isBad ? [checked.why, checked.at === undefined ? null : underlined(text, checked.at)] : checked.english;
		return [h("p", { "data-key": "preview", role: "status", class: isBad ? "preview bad" : "preview" }, told),
			h("div.row", { "data-key": "send" }, this.advanced(), h("span.spread"),
				button("Send", () => this.send(to, text), { class: "strong", disabled: Boolean(missing || isBad || !checked || this.isSending) }))];
	}
}

function flip(list, value) {
	return list.includes(value) ? list.filter((each) => each !== value) : [...list, value];
}

/** The draft with the word that cannot stand there underlined. */
function underlined(text, at) {
	const words = text.split(" ");
	return h("span.daide", words.map((word, i) => [i === at ? h("u", word) : word, " "]), at >= words.length ? h("u", "?") : null);
}
