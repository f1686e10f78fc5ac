// A seat's orders: by clicking, by keys and by text, out of the list that the server calls legal.

import { button, h, icon, refresh } from "./dom.js";
import { COASTS, decided, matching, nextQuestion, readTyped, sentence, sentenceOf, standsAt, takeApart, placeName } from "./orders.js";
import { Outbox } from "./outbox.js";
import { gamePath, Refusal, turnKey, turnName } from "./store.js";

const KIND_KEYS = { H: "hold", M: "move", S: "support", C: "convoy", R: "retreat", D: "disband" };
const KIND_FACES = { move: "Move", support: "Support", convoy: "Convoy", hold: "Hold", retreat: "Retreat", disband: "Disband", build: "Build", remove: "Remove" };
const COAST_KEYS = { N: "NCS", S: "SCS", E: "ECS", W: "WCS" };
const ROUTES_SHOWN = 8;
/** Orders that add up instead of replacing one another: sent twice they count twice. */
const ADDING = ["build", "remove", "waive"];

export class OrderDesk {
	constructor(view, act, server, game) {
		Object.assign(this, { view, act, server, path: `${gamePath(game)}/seat`, gamePath: gamePath(game) });
		this.root = h("section.entry", { "aria-label": "Your orders" });
		this.told = h("p.sentence", { role: "status", "aria-live": "polite" });
		this.kinds = h("div.row.kinds");
		this.options = h("div.row.options");
		this.notes = h("div.notes");
		this.typed = h("input", {
			class: "typed", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "Type an order",
			placeholder: "or type: par - bur", oninput: () => this.typing(), onkeydown: (event) => this.typedKey(event), onpaste: (event) => this.pasted(event),
		});
		this.fits = h("span.fits", { role: "status" });
		this.undoButton = button([icon("undo")], () => this.undo(), { class: "plain", title: "Undo (U)", "aria-label": "Undo" });
		this.drawButton = button("Draw?", () => this.vote(), { class: "plain", title: "Vote for a draw" });
		this.readyButton = button("Ready", () => this.ready(), { class: "strong ready" });
		this.stopButton = button(icon("close"), () => this.drop(), { class: "quiet", title: "Put the unit down (Esc)", "aria-label": "Put the unit down" });
		this.root.append(h("div.row", this.stopButton, this.told, h("span.spread"), this.kinds), this.notes,
			h("div.row", this.options, h("div.row.typing.spread", this.typed, this.fits), this.drawButton, this.undoButton, this.readyButton));
		this.refused = new Map(); // unit -> {order, why}
		this.held = new Map(); // unit -> {text, turn, breaks}: against our word, until somebody says that it is meant
		this.outbox = new Outbox(server.secret.slice(0, 8), this.held, (batch) => this.carry(batch));
		this.late = []; // orders whose turn was over before they arrived
		this.past = [];
		this.future = [];
		this.stamp = 0;
		this.number = -1; // of the newest state of the seat that we know
		this.shown = {}; // what the buttons show: {turn, ready, draw}
		this.wishes = {}; // what they were told to become
		const kept = this.outbox.kept();
		this.take(view.seat);
		this.resume(kept);
	}

	/** What a former page of this seat could not send any more. */
	resume(kept) {
		const isOfNow = ({ turn }) => this.seat.turn && turnKey(turn) === turnKey(this.seat.turn);
		for (const { unit, text, turn } of kept.filter(isOfNow)) this.outbox.put(unit, { text, turn });
		this.tellLate(kept.filter((each) => !isOfNow(each)));
	}

	tellLate(entries) {
		this.late.push(...entries.map(({ text }) => text).filter(Boolean));
		if (this.late.length) this.act.say(this.lateSentence());
	}

	lateSentence() {
		return `Not sent, for the turn was over: ${this.late.join("; ")}`;
	}

	// The seat as the server tells it ----------

	/** States come as answers and as news, and may overtake each other: an older one changes nothing. */
	take(seat) {
		const round = this.turnKey(seat);
		if (seat.number < this.number) {
			if (round === this.round) this.learnLegal(seat);
			return;
		}
		this.number = seat.number;
		this.view.seat = seat;
		if (round !== this.round) this.begin(round);
		this.learnLegal(seat);
		for (const [unit, { order }] of this.saved()) if ((this.refused.get(unit) || {}).order === order) this.refused.delete(unit);
		this.changed();
	}

	begin(round) {
		this.round = round;
		Object.assign(this, { past: [], future: [], offer: null, foreignLegal: null, legal: new Map(), late: [] });
		this.refused.clear();
		this.held.clear();
		this.tellLate([...this.outbox.drop().values()]);
		this.drop();
	}

	learnLegal(seat) {
		if (!seat.legal) return;
		this.legal = new Map();
		for (const text of Object.values(seat.legal).flat()) {
			const each = takeApart(text);
			const unit = each.kind === "build" ? `? ${each.at}` : each.unit;
			if (!this.legal.has(unit)) this.legal.set(unit, []);
			this.legal.get(unit).push(each);
		}
		this.legalFor = this.round;
	}

	turnKey(seat) {
		return seat.turn ? `${turnKey(seat.turn)}` : "none";
	}

	heard(seat) {
		this.take(seat);
		if (this.legalFor !== this.round) this.refresh();
	}

	/** Fetch the seat with its legal orders soon; several reasons at once make one question. */
	refresh() {
		clearTimeout(this.soon);
		this.soon = setTimeout(() => this.load(), 40);
	}

	/** Returns whether the server answered. */
	async load() {
		try {
			this.take(await this.server.get(this.path));
			return true;
		} catch (problem) {
			this.act.say(problem.message);
			return problem.status !== 0;
		}
	}

	changed() {
		this.stamp += 1;
		this.act.redraw();
	}

	get seat() {
		return this.view.seat;
	}

	get names() {
		return this.view.names;
	}

	get isNow() {
		return this.view.game.isNow(this.view.index) && this.seat.state === "playing" && this.legalFor === this.round;
	}

	isAway() {
		return this.seat.state === "away";
	}

	isBusy() {
		return Boolean(this.pick);
	}

	/** Units (or free home centers, as "? PAR") that have something to be ordered. */
	units() {
		return [...(this.legal || new Map()).keys()].filter((unit) => unit.trim());
	}

	/** What the server has for each unit: {order, state, note}. */
	saved() {
		const found = new Map();
		for (const { order, note } of this.seat.orders || []) {
			found.set(this.unitKey(takeApart(order), found), { order, state: note === "MBV" || !note ? "saved" : "refused", note });
		}
		return found;
	}

	/** What stands for each unit, what is on its way included: {order, state, why}. */
	given() {
		const found = this.saved();
		for (const [unit, { text }] of this.outbox.entries) {
			if (text) found.set(unit, { order: text, state: "sent" });
			else found.delete(unit);
		}
		for (const [unit, { order, why }] of this.refused) if (!found.has(unit)) found.set(unit, { order, state: "refused", why });
		return found;
	}

	unitKey(each, found) {
		if (each.kind === "build") return `? ${each.at}`;
		if (each.kind !== "waive") return each.unit;
		let nth = 1;
		while (found && found.has(`waive ${nth}`)) nth += 1;
		return `waive ${nth}`;
	}

	wanted() {
		return this.seat.due ? this.seat.due.count : this.units().length;
	}

	/** Those that the server has. */
	counted() {
		return (this.seat.orders || []).length;
	}

	savedSentence() {
		return `${this.counted()} of ${this.wanted()} orders are with the server`;
	}

	// Choosing ----------

	orders() {
		const { pick } = this;
		if (!pick) return [];
		const all = pick.power ? pick.orders : this.legal.get(pick.unit) || [];
		return pick.isBySea ? all.filter(({ kind, route }) => kind !== "move" || route) : all;
	}

	start(unit, kind) {
		if (!this.legal.has(unit)) return;
		const kinds = new Set(this.legal.get(unit).map((each) => each.kind));
		const armed = kind && kinds.has(kind) ? kind : ["move", "retreat", "build"].find((each) => kinds.has(each));
		this.pick = { unit, power: null, answers: {}, asked: [] };
		this.cursor = -1;
		this.offer = null;
		if (armed) this.answer("kind", armed, true);
		else this.advance();
		if (this.pick && this.act.isPhone()) this.act.look([unit.split(" ")[1], ...this.targetPlaces()]);
	}

	/** A foreign unit: the same questions, and the answer becomes a request in press. */
	async ask(unit, power) {
		try {
			this.foreignLegal = this.foreignLegal || (await this.server.get(`${this.gamePath}/legal`)).legal;
		} catch (problem) {
			this.act.say(problem.message);
			return;
		}
		const orders = ((this.foreignLegal[power] || {})[unit] || []).map(takeApart);
		if (!orders.length) return;
		this.pick = { unit, power, answers: {}, asked: [], orders };
		this.cursor = -1;
		this.answer("kind", orders.some(({ kind }) => kind === "move") ? "move" : orders[0].kind, true);
	}

	answer(question, option, isArmed) {
		if (!this.pick) return;
		if (question === "kind") Object.assign(this.pick, { answers: {}, asked: [], isBySea: false });
		this.pick.answers[question] = option;
		if (!isArmed) this.pick.asked.push(question);
		this.cursor = -1;
		this.advance();
	}

	/** Skip questions with one answer; send when nothing is open. */
	advance() {
		const { pick } = this;
		const orders = this.orders();
		const one = decided(orders, pick.answers);
		if (one && (pick.asked.length || !["move", "retreat"].includes(one.kind))) {
			this.complete(one);
			return;
		}
		const question = nextQuestion(orders, pick.answers);
		if (question && question.question === "route" && question.options.includes("")) {
			pick.answers.route = ""; // the way by sea has a button of its own
			this.advance();
			return;
		}
		if (!question && one) {
			this.question = { question: "goal", options: [one.goal] };
		} else this.question = question;
		this.changed();
	}

	complete(one) {
		const { power } = this.pick;
		const said = one.coast && !this.pick.asked.includes("coast") && one.kind !== "build" ? ` (${placeName(`${one.goal}/${one.coast}`, this.names)})` : "";
		this.drop();
		if (power) {
			this.composer.request(power, one.text);
			return;
		}
		if (said) this.act.say(`${sentenceOf(one.text, this.names)}${said}`);
		this.submit(one.text);
	}

	/** One step back: the last answer given, then the unit. */
	back1() {
		const { pick } = this;
		const last = pick.asked.pop();
		if (last === undefined || last === "kind") {
			this.drop();
			return;
		}
		delete pick.answers[last];
		this.advance();
	}

	drop() {
		this.pick = null;
		this.question = null;
		this.trial = null;
		this.changed();
	}

	tap({ target, unit, province }) {
		if (!this.isNow) return false;
		if (this.composer.isPicking()) return false;
		if (this.pick && target) {
			this.choosePlace(target);
			return true;
		}
		const at = unit || province;
		if (!at) return Boolean(this.pick);
		const own = this.unitAt(at);
		if (own) {
			if (this.pick && this.pick.unit === own) this.drop();
			else this.start(own);
			return true;
		}
		if (this.pick) return true;
		const foreign = unit ? this.foreignAt(unit) : null;
		if (foreign && this.view.seat.press && this.seat.press.level >= 20 && this.seat.phase === "movement") {
			this.ask(foreign.unit, foreign.power);
			return true;
		}
		return false;
	}

	long(place) {
		const own = this.isNow && this.unitAt(place);
		const hold = own && (this.legal.get(own) || []).find(({ kind }) => kind === "hold");
		if (!hold) return false;
		this.drop();
		this.submit(hold.text);
		return true;
	}

	unitAt(place) {
		const province = place.split("/")[0];
		return this.units().find((unit) => standsAt(unit) === province) || null;
	}

	foreignAt(place) {
		const { units } = this.view.game.before(this.view.index);
		for (const [power, all] of Object.entries(units)) {
			if (power === this.seat.power) continue;
			const unit = all.find((each) => each.split(" ")[1] === place);
			if (unit) return { unit, power };
		}
		return null;
	}

	choosePlace(place) {
		const { question, options } = this.question || {};
		const [province, coast] = place.split("/");
		if (question === "coast") this.answer("coast", coast || "");
		else if (question === "helped") this.answer("helped", options.find((unit) => unit.includes(" ") && standsAt(unit) === province));
		else if (question === "goal") this.answer("goal", this.pick.answers.kind === "support" && province === this.itself() ? "" : province);
		else if (question === "route") {
			const via = options.filter((route) => route.split(" ").includes(province));
			if (via.length === 1) this.answer("route", via[0]);
		}
	}

	itself() {
		return this.pick.answers.helped ? standsAt(this.pick.answers.helped) : null;
	}

	/** The options of the open question: {value, face, place}. */
	choices() {
		if (!this.pick || !this.question) return [];
		const { question, options } = this.question;
		const { names } = this;
		const goal = this.pick.answers.goal;
		switch (question) {
			case "goal": return this.nearFirst(options).map((value) => (value === ""
				? { value, face: "itself (to hold)", place: this.itself() } : { value, face: names[value] || value, place: value }));
			case "helped": return options.map((value) => (value.includes(" ")
				? { value, face: `${value.split(" ")[0]} ${names[standsAt(value)]}`, place: value.split(" ")[1] } : { value, face: value === "A" ? "Army" : "Fleet", key: value }));
			case "coast": return options.map((value) => ({ value, face: COASTS[value] || "no coast", place: `${goal || standsAt(this.pick.unit)}/${value}`, key: value.charAt(0) }));
			case "route": return this.routes(options).map((value) => ({ value, face: value ? `via ${value.split(" ").map((sea) => names[sea] || sea).join(", ")}` : "overland" }));
			default: return [];
		}
	}

	/** Goals that need no fleet first. */
	nearFirst(options) {
		const near = new Set(matching(this.orders(), this.pick.answers).filter(({ route }) => !route).map(({ goal }) => goal));
		return [...options.filter((goal) => near.has(goal)), ...options.filter((goal) => !near.has(goal))];
	}

	/** Shortest first, own fleets before foreign ones. */
	routes(options) {
		const own = new Set((this.view.game.before(this.view.index).units[this.seat.power] || []).map(standsAt));
		const foreign = (route) => (route ? route.split(" ").filter((sea) => !own.has(sea)).length : 0);
		const length = (route) => (route ? route.split(" ").length : 0);
		return [...options].sort((a, b) => length(a) - length(b) || foreign(a) - foreign(b)).slice(0, ROUTES_SHOWN);
	}

	targetPlaces() {
		return this.choices().map(({ place }) => place).filter(Boolean);
	}

	// Sending ----------

	/** Give an order; it counts at once here, and is saved when the server says so. */
	submit(text, { isSure = false, isStep = true } = {}) {
		const given = this.given();
		const unit = this.unitKey(takeApart(text), given);
		if (isStep) {
			this.past.push({ unit, before: (given.get(unit) || {}).order || null, after: text });
			this.future = [];
		}
		return this.dispatch(unit, { text, isSure, done: isStep ? "Saved" : "Back to" });
	}

	dispatch(unit, entry) {
		this.offer = null;
		this.refused.delete(unit);
		this.held.delete(unit);
		const sent = this.outbox.put(unit, { ...entry, turn: this.seat.turn });
		this.changed();
		return sent;
	}

	/** Take orders to the server; returns whether it answered. */
	async carry(batch) {
		const { round } = this;
		const [{ turn }] = batch.values();
		const post = async (action, orders) => {
			const told = await this.server.post(`${this.path}/${action}`, { turn, orders });
			if (action === "check" && round !== this.round) throw new Refusal(409, "The turn is over.");
			return told;
		};
		try {
			const going = await this.meant(batch, post);
			await this.makeRoom(going, post);
			await this.hand(going, post);
			return true;
		} catch (problem) {
			return this.failed(problem, batch, round);
		} finally {
			this.changed();
		}
	}

	/** Hold back what breaks our own word; returns the others. What is left may break it alone, so it is asked again. */
	async meant(batch, post) {
		const going = new Map(batch);
		for (;;) {
			const asked = [...going].filter(([, { text, isSure }]) => text && !isSure);
			if (!asked.length) return going;
			const { breaks } = await post("check", asked.map(([, { text }]) => text));
			const bad = asked.filter(([, { text }]) => breaks.some(({ order }) => order === text));
			if (!bad.length) return going;
			for (const [unit, { text, turn }] of bad) {
				const mine = breaks.filter(({ order }) => order === text);
				going.delete(unit);
				this.unstep(unit, text);
				if (!this.outbox.waiting.has(unit)) this.held.set(unit, { text, turn, breaks: mine });
				this.act.say(`${sentenceOf(text, this.names)} This ${mine.map(({ en }) => en).join(" and ")}.`);
			}
		}
	}

	/** Take back what is no longer wanted, and what a new order would add to instead of replacing it. */
	async makeRoom(going, post) {
		const saved = this.saved();
		const gone = [];
		for (const [unit, { text }] of [...going]) {
			const { order } = saved.get(unit) || {};
			if (text && !ADDING.includes(takeApart(text).kind)) continue;
			if (text === order) going.delete(unit); // an answer that was lost on its way
			else if (order) gone.push(order);
		}
		if (gone.length) this.take((await post("withdraw", gone)).seat);
		for (const [unit, { text, was }] of [...going]) {
			if (text) continue;
			going.delete(unit);
			this.act.say(`Taken back: ${sentenceOf(was, this.names)}`);
		}
	}

	async hand(going, post) {
		if (!going.size) return;
		const told = await post("orders", [...going.values()].map(({ text }) => text));
		this.take(told.seat);
		const said = [];
		for (const [unit, { text, done }] of going) {
			const { note, why } = told.orders.find(({ order }) => order === text) || {};
			if (note && note !== "MBV") {
				this.refuse(unit, text, why || note);
				said.push(`Refused: ${why || note}.`);
			} else said.push(`${done || "Saved"}: ${sentenceOf(text, this.names)}`);
		}
		this.act.say(said.join(" "));
		const [unit, { text }] = [...going].pop();
		// Who is already at the next order is not asked about the last one.
		if (!this.outbox.waiting.size && !this.refused.has(unit)) this.offer = this.companion(takeApart(text));
	}

	refuse(unit, text, why) {
		if (!this.outbox.waiting.has(unit)) this.refused.set(unit, { order: text, why });
		this.unstep(unit, text);
	}

	/** An order that did not come to be is nothing to undo. */
	unstep(unit, text) {
		this.past = this.past.filter((step) => step.unit !== unit || step.after !== text);
	}

	/** Without an answer orders wait for the connection; a refusal is said. Returns whether it was an answer. */
	failed(problem, batch, round) {
		if (!(problem instanceof Refusal)) throw problem;
		if (round !== this.round) {
			this.tellLate([...batch.values()]);
			return true;
		}
		if (problem.status === 0 || problem.status === 429 || problem.status >= 500) {
			for (const unit of batch.keys()) this.held.delete(unit); // they are asked about again
			this.act.say("Not sent yet: the server does not answer. It is sent again when it does.");
			this.backLater();
			return false;
		}
		for (const [unit, { text }] of batch) if (text && !this.held.has(unit)) this.refuse(unit, text, problem.message);
		this.act.say(problem.message);
		if (problem.status === 409) this.refresh();
		return true;
	}

	/** The connection is back: what was not answered goes out again, if the turn is still the same. */
	async back() {
		this.number = -1; // a server that was started anew counts anew
		if (await this.load()) await this.outbox.run();
		else if (this.outbox.waiting.size) this.backLater();
	}

	backLater() {
		clearTimeout(this.later);
		this.later = setTimeout(() => this.back(), 1500);
	}

	async post(action, body) {
		try {
			const told = await this.server.post(`${this.path}/${action}`, body);
			this.take(told.seat || told);
			return true;
		} catch (problem) {
			if (!(problem instanceof Refusal)) throw problem;
			this.act.say(problem.message, true);
			return false;
		}
	}

	undo() {
		const step = this.past.pop();
		if (!step) return null;
		this.future.push(step);
		if (step.before) return this.submit(step.before, { isSure: true, isStep: false });
		return this.dispatch(step.unit, { text: null, was: step.after });
	}

	redo() {
		const step = this.future.pop();
		if (!step) return null;
		this.past.push(step);
		return this.submit(step.after, { isSure: true, isStep: false });
	}

	/** Turn round what the button shows, or what was asked for before it could show it; one after the other. */
	async toggle(name, act) {
		const wanted = !(this.wishes[name] ?? this.shown[name]);
		this.wishes[name] = wanted;
		this.acting = (this.acting || Promise.resolve()).then(() => act(wanted));
		const last = this.acting;
		await last;
		if (last === this.acting) this.wishes = {};
	}

	/** An order that is still on its way would take it back. */
	ready() {
		const { turn } = this.shown;
		return this.toggle("ready", async (ready) => {
			await this.outbox.run();
			if (this.outbox.waiting.size) this.act.say("Not ready: an order could not be sent yet.", true);
			else if (turnKey(turn) === turnKey(this.seat.turn)) await this.post("ready", { turn, ready });
		});
	}

	vote() {
		return this.toggle("draw", (draw) => this.post("draw", { draw }));
	}

	/** A button that was drawn for a turn does nothing in the next one. */
	ofThisTurn(act) {
		const { round } = this;
		return () => {
			if (round === this.round) act();
			else this.act.say(`It is ${turnName(this.seat.turn)} now.`, true);
		};
	}

	/** Orders that would go with this one: offered, never given silently. */
	companion(each) {
		const { kind, helped, goal, route, text } = each;
		const given = this.given();
		const offers = [];
		const propose = (unit, order) => {
			if (!this.legal.has(unit) || !this.legal.get(unit).some((legal) => legal.text === order)) return;
			const has = given.get(unit);
			if (!has) offers.push({ order });
			else if (has.order !== order) offers.push({ clash: `${unit} is ordered otherwise: ${has.order}` });
		};
		if (kind === "support" && goal) {
			const move = (this.legal.get(helped) || []).filter((legal) => legal.kind === "move" && legal.goal === goal);
			const best = move.find((legal) => !legal.route) || move[0];
			const has = given.get(helped);
			if (best && !(has && takeApart(has.order).goal === goal)) propose(helped, best.text);
		}
		if (kind === "convoy") {
			const moves = (this.legal.get(helped) || []).filter((legal) => legal.goal === goal && legal.route.split(" ").includes(each.at));
			const best = this.routes(moves.map((legal) => legal.route))[0];
			const has = given.get(helped);
			if (best && !(has && takeApart(has.order).route)) propose(helped, moves.find((legal) => legal.route === best).text);
		}
		if (kind === "move" && route) {
			const { units } = this.view.game.before(this.view.index);
			for (const sea of route.split(" ")) {
				const order = `F ${sea} C ${each.unit} - ${goal}`;
				const owner = Object.keys(units).find((power) => units[power].includes(`F ${sea}`));
				if (owner === this.seat.power) propose(`F ${sea}`, order);
				else if (owner) offers.push({ ask: owner, order });
			}
		}
		return offers.length ? { for: text, offers } : null;
	}

	// Text ----------

	allLegal() {
		return [...this.legal.values()].flat();
	}

	typing() {
		this.typedFor = this.typed.value ? this.typedFor || this.round : null;
		const { fit, exact } = readTyped(this.typed.value, this.allLegal(), this.names);
		this.trial = exact ? exact.text : fit.length === 1 ? fit[0].text : null;
		this.fits.textContent = !this.typed.value.trim() ? "" : exact ? sentenceOf(exact.text, this.names)
			: fit.length ? fit.slice(0, 4).map(({ text }) => text).join("   ") + (fit.length > 4 ? `   and ${fit.length - 4} more` : "") : "nothing legal fits";
		this.changed();
	}

	typedKey(event) {
		const { value } = this.typed;
		const { fit, exact } = readTyped(value, this.allLegal(), this.names);
		if (event.key === "Enter") {
			event.preventDefault();
			if (this.typedFor && (this.typedFor !== this.round || !this.isNow)) {
				this.typedFor = this.round;
				this.act.go(Infinity);
				this.act.say(`It is ${turnName(this.seat.turn)} now. Press Enter again to order this.`, true);
				return;
			}
			const chosen = exact || (fit.length === 1 ? fit[0] : null);
			if (chosen) {
				this.clearTyped();
				this.submit(chosen.text);
			} else {
				this.act.say(fit.length ? `This may mean ${fit.slice(0, 6).map(({ text }) => text).join(" or ")}.` : `Nothing legal fits ${value}.`);
				this.fits.textContent = fit.length ? `which? ${fit.slice(0, 6).map(({ text }) => text).join("   ")}` : "nothing legal fits";
			}
		} else if (event.key === "ArrowRight" && fit.length && this.typed.selectionStart === value.length) {
			event.preventDefault();
			this.typed.value = (exact || fit[0]).text;
			this.typing();
		} else if (event.key === "Escape") {
			this.clearTyped();
			this.root.classList.remove("typing");
			this.typed.blur();
		}
	}

	startTyping() {
		if (this.pick) this.drop();
		this.root.classList.add("typing");
		this.update(); // a hidden field takes no focus
		this.typed.focus();
	}

	clearTyped() {
		this.typed.value = "";
		this.fits.textContent = "";
		this.trial = null;
		this.typedFor = null;
	}

	pasted(event) {
		const lines = event.clipboardData.getData("text").split(/[\n;]/).map((line) => line.trim()).filter(Boolean);
		if (lines.length < 2) return;
		event.preventDefault();
		const bad = [];
		for (const line of lines) {
			const { exact } = readTyped(line, this.allLegal(), this.names);
			if (exact) this.submit(exact.text);
			else bad.push(line);
		}
		this.fits.textContent = bad.length ? `not read: ${bad.join("; ")}` : "";
	}

	// Keys ----------

	key(event) {
		const { key } = event;
		const name = key.length === 1 ? key.toUpperCase() : key;
		if (this.seat.state !== "playing") return false;
		if (event.ctrlKey) return name === "Z" ? this.does(() => (event.shiftKey ? this.redo() : this.undo())) : false;
		if (key === "/") return this.does(() => this.startTyping());
		if (name === "J" || name === "K") return this.does(() => this.cycle(name === "J" ? 1 : -1, event.shiftKey));
		if (name === "U") return this.does(() => (event.shiftKey ? this.redo() : this.undo()));
		if (name === "G" && !this.pick) return this.does(() => this.ready());
		if (name === "W" && this.allLegal().some(({ kind }) => kind === "waive") && !this.pick) return this.does(() => this.submit("WVE"));
		if (key === "Enter" && !event.target.closest("button") && this.offer && this.offer === this.shown.offer && !this.pick) return this.does(() => this.acceptOffer());
		return this.pick ? this.pickKey(event, name) : false;
	}

	pickKey(event, name) {
		const { question } = this.question || {};
		const choices = this.choices();
		const onButton = event.target.closest("button");
		if (name === "Escape" || name === "Backspace") return this.does(() => this.back1());
		if (/^[1-9]$/.test(name) && choices[Number(name) - 1]) return this.does(() => this.answer(question, choices[Number(name) - 1].value));
		const move = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[name];
		if (move && choices.length) return this.does(() => this.moveCursor(move, choices));
		if (name === "Enter" && this.cursor >= 0 && !onButton) return this.does(() => this.answer(question, choices[this.cursor].value));
		if (question === "coast" && COAST_KEYS[name]) {
			const coast = choices.find(({ value }) => value === COAST_KEYS[name]);
			if (coast) return this.does(() => this.answer("coast", coast.value));
		}
		if (question === "helped" && (name === "A" || name === "F") && choices.some(({ value }) => value === name)) return this.does(() => this.answer("helped", name));
		if (name === "X" && this.orders().some(({ kind }) => kind === "remove")) return this.does(() => this.answer("kind", "remove"));
		if (name === "V") return this.does(() => this.bySea());
		const kind = KIND_KEYS[name];
		if (kind && this.orders().some((each) => each.kind === kind)) return this.does(() => this.answer("kind", kind, kind === "move"));
		return false;
	}

	does(what) {
		what();
		return true;
	}

	moveCursor(by, choices) {
		this.cursor = (this.cursor + by + choices.length) % choices.length;
		if (this.cursor < 0) this.cursor = choices.length - 1;
		const chosen = choices[this.cursor];
		this.act.say(chosen.face);
		this.preview(chosen);
	}

	/** Only the ways by sea. */
	bySea() {
		if (!this.orders().some(({ kind, route }) => kind === "move" && route)) return;
		Object.assign(this.pick, { answers: { kind: "move" }, asked: [], isBySea: true });
		this.advance();
	}

	cycle(by, isForeign) {
		if (!this.isNow) {
			this.act.go(Infinity);
		}
		if (isForeign) {
			this.cycleForeign(by);
			return;
		}
		const units = this.units();
		if (!units.length) return;
		const given = this.given();
		const at = this.pick && !this.pick.power ? units.indexOf(this.pick.unit) : -1;
		let next = (at + by + units.length) % units.length;
		if (at < 0) next = by > 0 ? Math.max(0, units.findIndex((unit) => !given.has(unit))) : units.length - 1;
		this.drop();
		this.start(units[next]);
	}

	cycleForeign(by) {
		const { units } = this.view.game.before(this.view.index);
		const all = Object.entries(units).filter(([power]) => power !== this.seat.power).flatMap(([power, own]) => own.map((unit) => ({ power, unit })));
		if (!all.length || !(this.seat.press && this.seat.press.level >= 20)) return;
		const at = this.pick && this.pick.power ? all.findIndex(({ unit, power }) => unit === this.pick.unit && power === this.pick.power) : by > 0 ? -1 : 0;
		const { unit, power } = all[(at + by + all.length) % all.length];
		this.ask(unit, power);
	}

	// Showing ----------

	preview(choice) {
		const before = this.trial;
		if (!choice) this.trial = null;
		else {
			const fits = matching(this.orders(), { ...this.pick.answers, [this.question.question]: choice.value });
			this.trial = fits.length && (fits.length === 1 || this.question.question === "route") ? fits[0].text : null;
		}
		if (this.trial !== before || !choice || this.cursor >= 0) this.changed();
	}

	marks(index) {
		if (!this.view.game.isNow(index)) return {};
		const { power } = this.seat;
		const drafts = [...this.given().values()].filter(({ state }) => state !== "refused").map(({ order, state }) => ({ power, order, state }));
		if (this.trial) drafts.push({ power: (this.pick && this.pick.power) || power, order: this.trial, state: "draft" });
		for (const { text } of this.held.values()) drafts.push({ power, order: text, state: "draft" });
		const marks = { drafts };
		if (this.composer && this.composer.isPicking()) return { ...marks, ...this.composer.marks() };
		if (this.pick) {
			marks.selected = this.pick.unit.split(" ")[1];
			marks.targets = this.choices().map(({ place }, i) => (place ? { place, label: String(i + 1) } : null)).filter(Boolean);
		} else if (this.isNow && this.seat.due && this.seat.due.kind === "build" && this.counted() < this.wanted()) {
			marks.targets = this.units().filter((unit) => !this.given().has(unit)).map((unit) => ({ place: standsAt(unit), label: "+" }));
		}
		return marks;
	}

	update() {
		const { view } = this;
		const key = JSON.stringify([this.stamp, view.index, view.game.last, view.game.version]);
		if (key === this.shownKey) return;
		this.shownKey = key;
		const isPlaying = this.isNow;
		this.root.classList.toggle("hidden", ["over", "out"].includes(this.seat.state) && !this.pick);
		this.told.textContent = this.pick ? this.asking() : this.idle();
		this.stopButton.classList.toggle("hidden", !this.pick);
		refresh(this.kinds, this.pick ? this.kindButtons() : null);
		const choices = this.choices();
		refresh(this.options, this.pick ? choices.map((choice, i) => this.choiceButton(choice, i)) : this.waiveButton());
		this.options.classList.toggle("hidden", !this.options.childElementCount);
		this.root.querySelector(".typing").classList.toggle("hidden", (!isPlaying && document.activeElement !== this.typed) || (Boolean(this.pick) && choices.length > 0));
		this.undoButton.disabled = !this.past.length;
		this.drawButton.classList.toggle("hidden", this.seat.draw_may === false || !isPlaying || Boolean(this.pick));
		this.drawButton.setAttribute("aria-pressed", Boolean(this.seat.draw));
		this.readyButton.disabled = !isPlaying;
		this.shown = { turn: this.seat.turn, ready: Boolean(this.seat.ready), draw: Boolean(this.seat.draw), offer: this.offer };
		this.readyButton.setAttribute("aria-pressed", this.shown.ready);
		this.readyButton.classList.toggle("strong", !this.seat.ready);
		const count = `${this.counted()}/${this.wanted()}`;
		refresh(this.readyButton, this.seat.ready ? `Ready ✓ ${count}` : `Ready ${count}`);
		refresh(this.notes, [...this.held.keys()].map((unit) => this.warningNote(unit)), this.late.length ? h("p.warning", { role: "alert" }, this.lateSentence()) : null, this.offer && !this.pick ? this.offerNote() : null, this.refusals());
	}

	idle() {
		const { seat } = this;
		const { game } = this.view;
		if (seat.state === "waiting") return "The game begins when all seats are taken.";
		if (seat.state === "away") return "Your seat is being connected again ...";
		if (seat.state !== "playing") return "Your game is over.";
		if (!game.isNow(this.view.index)) return `You look at ${turnName(game.turn(this.view.index))}; go to now to give orders.`;
		if (this.composer.isPicking()) return "Tap the provinces of the zone";
		if (!this.units().length) return `${game.name(seat.power)}: nothing to order in ${turnName(seat.turn)}.`;
		if (seat.due) return `${game.name(seat.power)}: ${seat.due.kind} ${this.counted()} of ${seat.due.count}`;
		return this.counted() >= this.wanted() ? `${game.name(seat.power)}: all orders are given` : `${game.name(seat.power)}: click a unit to order it`;
	}

	asking() {
		const { pick } = this;
		const ahead = pick.power ? `Ask ${this.view.game.name(pick.power)}: ` : "";
		const text = sentence(pick.unit, pick.answers, this.names);
		return ahead + (ahead ? text.charAt(0).toLowerCase() + text.slice(1) : text);
	}

	kindButtons() {
		const kinds = [...new Set(this.orders().map(({ kind }) => kind))];
		const bySea = this.orders().some(({ kind, route }) => kind === "move" && route);
		return [
			Object.keys(KIND_FACES).filter((kind) => kinds.includes(kind) && kind !== "build").map((kind) => button(
				[h("kbd", kind === "remove" ? "X" : kind.charAt(0).toUpperCase()), ` ${KIND_FACES[kind]}`], this.whileAsked(() => this.answer("kind", kind, kind === "move")), { "aria-pressed": String(this.pick.answers.kind === kind && !this.pick.isBySea) })),
			bySea ? button([h("kbd", "V"), " By sea"], this.whileAsked(() => this.bySea()), { "aria-pressed": String(Boolean(this.pick.isBySea)) }) : null,
		];
	}

	/** Run what a button means if the question that it was made for is still open. */
	whileAsked(act) {
		const { pick, question } = this;
		return () => { if (pick === this.pick && question === this.question) act(); };
	}

	choiceButton(choice, i) {
		return button([i < 9 ? h("kbd", choice.key || i + 1) : null, choice.face], this.whileAsked(() => this.answer(this.question.question, choice.value)), {
			class: "plain", "data-key": `${this.question.question} ${choice.value}`, "data-value": choice.value, "aria-current": i === this.cursor ? "true" : null,
			onmouseenter: () => this.question && this.preview(choice), onmouseleave: () => this.pick && this.trial && this.preview(null),
		});
	}

	waiveButton() {
		if (!this.isNow || !this.seat.due || this.seat.due.kind !== "build" || this.counted() >= this.wanted()) return null;
		return [this.units().filter((unit) => !this.given().has(unit)).map((unit) => button(`Build in ${this.names[standsAt(unit)]}`, () => this.start(unit), { class: "plain" })),
			button([h("kbd", "W"), " Waive"], this.ofThisTurn(() => this.submit("WVE")), { class: "plain" })];
	}

	warningNote(unit) {
		const held = this.held.get(unit);
		const { text, breaks } = held;
		const ifHeld = (act) => () => { if (this.held.get(unit) === held) act(); };
		return h("div.warning", { role: "alert", "data-key": `${unit} ${text}` }, icon("broken"), `${text} ${breaks.map(({ en }) => en).join(" and ")}.`,
			button("Send anyway", ifHeld(() => this.submit(text, { isSure: true })), { class: "plain" }),
			button("Call it off first", ifHeld(() => this.callOff(text, breaks)), { class: "plain" }),
			button("Leave it", ifHeld(() => { this.held.delete(unit); this.outbox.keep(); this.changed(); }), { class: "strong" }));
	}

	async callOff(text, breaks) {
		const goOn = this.ofThisTurn(() => this.submit(text));
		for (const { promise } of breaks) if (!await this.composer.callOff(promise)) return;
		goOn();
	}

	offerNote() {
		const { offer } = this;
		const ifOpen = (act) => () => { if (this.offer === offer) act(); };
		return h("div.offer", offer.offers.map(({ order, ask, clash }) => {
			if (clash) return h("span", icon("void"), clash);
			if (ask) return button(`Ask ${this.view.game.name(ask)}: ${order}`, ifOpen(() => this.composer.request(ask, order)), { class: "plain" });
			return [h("span", "also:"), button([order, " ", h("kbd", "Enter")], ifOpen(() => this.submit(order)), { class: "plain" })];
		}), button(icon("close"), () => { this.offer = null; this.changed(); }, { class: "quiet", "aria-label": "No" }));
	}

	acceptOffer() {
		const own = this.offer.offers.find(({ order, ask }) => order && !ask);
		if (own) this.submit(own.order);
	}

	refusals() {
		return [...this.refused.values()].map(({ order, why }) => h("p.warning", `${order}: ${why}`));
	}

	/** Own orders as a list with the same actions as the map. */
	list() {
		const given = this.given();
		const { game } = this.view;
		const faces = { saved: ["saved", "saved ✓"], sent: ["sent", "sent ..."], refused: ["bad", "refused"] };
		const line = (unit, face) => {
			const has = given.get(unit);
			return h("li", { "data-key": unit, tabindex: 0, onclick: () => this.start(unit), onkeydown: (event) => event.key === "Enter" && this.start(unit) },
				h("span.order-text", has ? has.order : face), has ? h("span", { class: `result ${faces[has.state][0]}` }, faces[has.state][1]) : h("span.result", "no order yet"),
				h("span.why", has ? has.why || sentenceOf(has.order, this.names) : ""));
		};
		const waived = [...given].filter(([unit]) => unit.startsWith("waive"));
		return [h("h3", `${game.name(this.seat.power)}, ${turnName(game.turn(this.view.index))}`, h("span.muted", `${this.counted()} of ${this.wanted()}`)),
			h("ul", this.units().map((unit) => line(unit, unit.startsWith("?") ? `${standsAt(unit)} free` : unit)), waived.map(([unit]) => line(unit, "")))];
	}
}
