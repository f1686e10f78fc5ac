// What the page knows: documents and events of the server, and what follows from them at any turn.
// The documents are described in docs/page-data.md. No DOM.

import { holdersAfter } from "./draw.js";

const SEASONS = ["SPR", "SUM", "FAL", "AUT", "WIN"];
const SEASON_NAMES = { SPR: "Spring", SUM: "Summer", FAL: "Fall", AUT: "Autumn", WIN: "Winter" };
const CODES = { SPR: ["S", "M"], SUM: ["S", "R"], FAL: ["F", "M"], AUT: ["F", "R"], WIN: ["W", "A"] };
export const PHASES = { SPR: "movement", SUM: "retreats", FAL: "movement", AUT: "retreats", WIN: "adjustments" };

// Turns ----------

export const turnKey = ([season, year]) => year * 5 + SEASONS.indexOf(season);
export const turnCode = ([season, year]) => `${CODES[season][0]}${year}${CODES[season][1]}`;
export const turnName = ([season, year]) => `${SEASON_NAMES[season]} ${year}`;

// Talking to the server ----------

/** An answer that is a refusal: `status`, and a sentence for people. */
export class Refusal extends Error {
	constructor(status, sentence) {
		super(sentence);
		this.status = status;
	}
}

/** The answer to what early.js has asked already, once. */
function askedEarly(path) {
	const { early } = globalThis;
	const key = decodeURI(path);
	const answer = early && early[key];
	if (answer) delete early[key];
	return answer;
}

export class Server {
	constructor(secret) {
		this.secret = secret;
	}

	get(path) {
		return this.call("GET", path);
	}

	post(path, body) {
		return this.call("POST", path, body);
	}

	async call(method, path, body) {
		const headers = {};
		if (this.secret) headers.Authorization = `Bearer ${this.secret}`;
		if (body !== undefined) headers["Content-Type"] = "application/json";
		let answer;
		try {
			answer = (method === "GET" && await askedEarly(path)) || await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
		} catch {
			throw new Refusal(0, "The server does not answer.");
		}
		const told = await answer.json().catch(() => ({}));
		if (!answer.ok) throw new Refusal(answer.status, told.error || `The server answered ${answer.status}.`);
		return told;
	}
}

export const gamePath = (game) => `/api/games/${encodeURIComponent(game)}`;

/** One socket a tab: it says what it wants to follow, and comes back by itself with the last numbers seen. */
export class Live {
	constructor({ wants, message, state }) {
		Object.assign(this, { wants, message, state });
		this.tries = 0;
		this.open();
		addEventListener("online", () => this.again());
		document.addEventListener("visibilitychange", () => document.hidden || this.again());
	}

	open() {
		if (this.isClosed) return;
		const scheme = location.protocol === "https:" ? "wss" : "ws";
		this.socket = new WebSocket(`${scheme}://${location.host}/api/live`);
		this.socket.onopen = () => {
			this.tries = 0;
			this.ask();
			this.since = null;
			this.state(true);
		};
		this.socket.onmessage = ({ data }) => {
			const told = JSON.parse(data);
			if ("ping" in told) this.socket.send(JSON.stringify({ pong: told.ping }));
			else this.message(told);
		};
		this.socket.onclose = () => {
			this.since = this.since || Date.now();
			if (this.isClosed) return;
			this.state(false);
			this.tries += 1;
			const wait = Math.min(15000, 400 * 1.7 ** this.tries) * (0.7 + Math.random() * 0.6);
			this.timer = setTimeout(() => this.open(), wait);
		};
	}

	ask() {
		if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(this.wants()));
	}

	again() {
		if (this.isClosed || this.socket.readyState !== WebSocket.CLOSED) return;
		clearTimeout(this.timer);
		this.open();
	}

	close() {
		this.isClosed = true;
		clearTimeout(this.timer);
		this.socket.close();
	}
}

// A game ----------

/**
 * A game document that events keep up to date. Frames are what the timeline steps through: one for
 * each played turn (the position before it, with its orders), and a last one for the position now.
 */
export class Game {
	constructor(document, map) {
		this.map = map;
		this.load(document);
	}

	load(document) {
		this.doc = document;
		this.doc.turns = document.turns || [];
		this.doc.promises = document.promises || [];
		this.doc.stabs = document.stabs || [];
		this.setNow(document.now);
		this.holders = [];
		this.forget();
	}

	forget() {
		this.version = (this.version || 0) + 1;
		this.cache = new Map();
	}

	cached(key, make) {
		if (!this.cache.has(key)) this.cache.set(key, make());
		return this.cache.get(key);
	}

	setNow(now) {
		this.doc.now = now;
		this.deadline = now && now.left !== undefined && now.left !== null ? performance.now() + now.left * 1000 : null;
	}

	/** Apply one event; returns false if the document must be fetched again. */
	apply(event) {
		if (event.reload || (event.n !== undefined && event.n > this.doc.n + 1)) return false;
		if (event.n !== undefined && event.n <= this.doc.n) return true;
		const { doc } = this;
		if (event.n !== undefined) doc.n = event.n;
		doc.run = event.run || doc.run;
		switch (event.event) {
			case "lobby":
				for (const name of ["stage", "players", "press_level", "last_year", "limits", "seats"]) {
					if (name in event) doc[name] = event[name];
				}
				break;
			case "start":
				Object.assign(doc, { start: event.start, names: event.names || doc.names, stage: "running" });
				break;
			case "phase": this.setNow({ press: [], ...event.now }); break;
			case "press": this.hear(event); break;
			case "turn": this.played(event.played); break;
			case "promises":
				doc.promises = merged(doc.promises, event.promises, ({ id }) => id);
				doc.stabs = merged(doc.stabs, event.stabs, stabKey);
				break;
			case "waiting": if (doc.now) doc.now.waiting = event.waiting; break;
			case "result":
				Object.assign(doc, { result: event.result, stage: "ended", unplayed: doc.now });
				this.setNow(undefined);
				break;
			case "names": doc.names = event.names; break;
			default: break;
		}
		this.forget();
		return true;
	}

	hear({ turn, press }) {
		const { now, turns } = this.doc;
		const place = now && turnKey(now.turn) === turnKey(turn) ? now : turns.find((each) => turnKey(each.turn) === turnKey(turn));
		if (!place) return;
		place.press = [...(place.press || []), press];
	}

	played(turn) {
		const { now, turns } = this.doc;
		const heard = now && turnKey(now.turn) === turnKey(turn.turn) ? now.press : null;
		turns.push({ ...turn, press: turn.press || heard || [] });
	}

	// What is where ----------

	get powers() {
		return this.cached("powers", () => Object.keys(this.map.powers));
	}

	get last() {
		return this.doc.turns.length;
	}

	get hasStarted() {
		return Boolean(this.doc.start) && this.doc.stage !== "forming";
	}

	/** Position before the orders of a frame. */
	before(i) {
		const position = i === 0 ? this.doc.start : this.doc.turns[i - 1].after;
		return position || { units: {}, centers: {}, dislodged: [], contested: [] };
	}

	/** The turn of a frame; the last frame of a finished game has the turn of its end. */
	turn(i) {
		if (i < this.last) return this.doc.turns[i].turn;
		if (this.doc.now) return this.doc.now.turn;
		if (this.last) return this.doc.turns[this.last - 1].turn;
		return ["SPR", 1901];
	}

	isNow(i) {
		return i >= this.last;
	}

	/** Whether frame i shows what was left at the end. */
	isEnd(i) {
		return this.isNow(i) && !this.doc.now && Boolean(this.doc.result);
	}

	orders(i) {
		return i < this.last ? this.doc.turns[i].orders : [];
	}

	press(i) {
		if (i < this.last) return this.doc.turns[i].press || [];
		return (this.doc.now || this.doc.unplayed || {}).press || [];
	}

	code(i) {
		return i < this.last || this.doc.now ? turnCode(this.turn(i)) : "end";
	}

	/** The frame of a turn's code, or -1. */
	frameOf(code) {
		for (let i = 0; i <= this.last; i += 1) if (this.code(i) === code) return i;
		return -1;
	}

	frameAt(turn) {
		const key = turnKey(turn);
		for (let i = 0; i <= this.last; i += 1) if (turnKey(this.turn(i)) >= key) return i;
		return this.last;
	}

	/** Whose land is whose before frame i. */
	held(i) {
		for (let each = this.holders.length; each <= i; each += 1) {
			this.holders.push(holdersAfter(this.map, this.holders[each - 1] || null, this.before(each)));
		}
		return this.holders[i];
	}

	counts(i) {
		const centers = this.before(i).centers || {};
		return Object.fromEntries(this.powers.map((power) => [power, (centers[power] || []).length]));
	}

	unitCount(i) {
		return Object.values(this.before(i).units || {}).reduce((sum, units) => sum + units.length, 0);
	}

	/** Frames after which centers changed hands: [{year, frame, counts}], the start first. */
	get years() {
		return this.cached("years", () => {
			if (!this.doc.start) return [];
			const found = [{ year: this.turn(0)[1] - 1, frame: 0, counts: this.counts(0) }];
			for (let i = 1; i <= this.last; i += 1) {
				const year = this.turn(i - 1)[1];
				const next = i < this.last ? this.turn(i)[1] : this.doc.now ? this.doc.now.turn[1] : year + 1;
				if (next > year) found.push({ year, frame: i, counts: this.counts(i) });
			}
			return found;
		});
	}

	/** Moments to mark on the timeline: {frame, kind: "stab"|"out"|"end", text}. */
	get moments() {
		return this.cached("moments", () => {
			const found = this.doc.stabs.map((stab) => ({
				frame: this.frameAt(stab.turn), kind: "stab", stab, text: `${this.name(stab.by)} stabs ${this.name(stab.victim)}`,
			}));
			for (let i = 1; i <= this.last; i += 1) {
				for (const power of this.powers) {
					if (this.isOut(power, i) && !this.isOut(power, i - 1)) {
						found.push({ frame: i - 1, kind: "out", text: `${this.name(power)} is eliminated` });
					}
				}
			}
			if (this.doc.result) found.push({ frame: this.last, kind: "end", text: this.ending() });
			return found;
		});
	}

	isOut(power, i) {
		const { units, centers, dislodged } = this.before(i);
		return !((units || {})[power] || []).length && !((centers || {})[power] || []).length
			&& !(dislodged || []).some((each) => each.power === power);
	}

	name(power) {
		const known = this.map.powers[power];
		return known ? known.title : power;
	}

	number(power) {
		const known = this.map.powers[power];
		return known ? known.number : 0;
	}

	player(power) {
		const told = this.doc.names && this.doc.names[power];
		return told ? told.name.replace(`${power}:`, "") : null; // some servers let a name choose its power
	}

	ending() {
		const { result } = this.doc;
		if (!result) return "";
		if (result.outcome === "solo") return `${this.name(result.winner)} wins alone`;
		if (result.outcome === "draw") return `A draw of ${listed((result.draw || []).map((power) => this.name(power)))}`;
		if (result.outcome === "aborted") return "The game was aborted";
		const counts = Object.values(this.counts(this.last));
		const most = Math.max(...counts);
		const first = this.powers.filter((power, i) => counts[i] === most).map((power) => this.name(power));
		return `The last year is over: ${listed(first)} ${first.length > 1 ? "lead" : "leads"} with ${most}`;
	}

	// Words given ----------

	/** Promises known at frame i with the state they had then: {..., state}. */
	promisesAt(i) {
		return this.cached(`promises ${i}`, () => {
			const key = turnKey(this.turn(i));
			return this.doc.promises
				.filter((promise) => turnKey(promise.made) <= key)
				.map((promise) => {
					const over = promise.ended && turnKey(promise.ended) <= key;
					return { ...promise, state: over ? promise.verdict : "open" };
				});
		});
	}

	stabsAt(i) {
		if (i >= this.last) return [];
		const key = turnKey(this.turn(i));
		return this.doc.stabs.filter((stab) => turnKey(stab.turn) === key);
	}

	/** The words that a stab broke. */
	brokenBy({ by, victim, turn }) {
		return this.doc.promises.filter(({ verdict, maker, to, ended }) => verdict === "broken" && maker === by && to.includes(victim) && turnKey(ended) === turnKey(turn));
	}

	/** What the map marks at frame i: stabs, promised orders, zones, relations. */
	marksAt(i) {
		return this.cached(`marks ${i}`, () => {
			const key = turnKey(this.turn(i));
			const known = this.promisesAt(i);
			const promised = known.filter((promise) => promise.kind === "order" && turnKey(promise.ended || promise.made) === key)
				.map((promise) => ({ power: promise.maker, order: orderOf(promise), state: promise.state })).filter(({ order }) => order);
			const zones = known.filter((promise) => promise.kind === "dmz" && promise.state === "open").map(zoneOf).filter(Boolean);
			return { stabs: this.stabsAt(i), promised: i < this.last ? promised : [], zones: unique(zones), relations: this.bonds(i) };
		});
	}

	/** What draw.js draws of frame i. */
	picture(i) {
		return {
			before: this.before(i), after: i < this.last ? this.before(i + 1) : undefined, orders: this.orders(i),
			holders: this.doc.start ? this.held(i) : {}, marks: this.marksAt(i),
		};
	}

	/** Pairs of powers with what stands between them at frame i. */
	bonds(i) {
		const found = [];
		this.powers.forEach((a, n) => this.powers.slice(n + 1).forEach((b) => {
			const states = [this.relation(a, b, i), this.relation(b, a, i)];
			const state = ["alliance", "peace", "offered"].find((each) => states.includes(each));
			if (state) found.push({ powers: [a, b], state });
		}));
		return found;
	}

	/** What `maker` has promised `other` at frame i: none, offered, peace, alliance, broken. */
	relation(maker, other, i) {
		return this.relationsAt(i).get(`${maker} ${other}`)?.state || "none";
	}

	record(maker, other, i) {
		return this.relationsAt(i).get(`${maker} ${other}`) || { state: "none", kept: 0, broken: 0 };
	}

	relationsAt(i) {
		return this.cached(`relations ${i}`, () => {
			const found = new Map();
			const cell = (maker, other) => {
				const key = `${maker} ${other}`;
				if (!found.has(key)) found.set(key, { state: "none", kept: 0, broken: 0, wound: 0 });
				return found.get(key);
			};
			for (const promise of this.promisesAt(i)) {
				for (const other of promise.to) {
					if (other === promise.maker) continue;
					const each = cell(promise.maker, other);
					if (promise.state === "kept") each.kept += 1;
					if (promise.state === "broken") each.broken += 1;
					const isBond = promise.kind === "peace" || promise.kind === "alliance";
					if (!isBond) continue;
					if (promise.state === "open" && each.state !== "alliance") each.state = promise.kind;
					if (promise.state === "broken") each.wound = Math.max(each.wound, turnKey(promise.ended));
				}
			}
			for (const said of this.press(i)) {
				if (said.kind !== "PRP" || !/\b(PCE|ALY)\b/.test(said.text)) continue;
				for (const other of said.to) if (cell(said.from, other).state === "none") cell(said.from, other).state = "offered";
			}
			const key = turnKey(this.turn(i));
			for (const each of found.values()) if (each.wound > key - 5 && each.state !== "alliance" && each.state !== "peace") each.state = "broken";
			return found;
		});
	}

	/** The state of a pair at the end of each year: what the strip of a matrix cell shows. */
	history(maker, other) {
		return this.cached(`history ${maker} ${other}`, () => this.years.slice(1).map(({ frame }) => this.relation(maker, other, Math.max(0, frame - 1))));
	}

	// Press ----------

	/** The talk of frame i: proposals with their answers folded in, repeats counted. */
	talks(i) {
		return this.cached(`talks ${i}`, () => {
			const heard = this.press(i);
			const byId = new Map();
			const lines = [];
			for (const said of heard) {
				const asked = said.re !== undefined ? byId.get(said.re) : undefined;
				if (asked && ["YES", "REJ", "BWX", "CCL", "HUH"].includes(said.kind)) {
					asked.answers.push(said);
					byId.set(said.id, asked);
					continue;
				}
				if (said.kind === "TRY" || said.kind === "HUH") continue;
				const same = lines.find((line) => line.said.from === said.from && line.said.text === said.text
					&& line.said.to.join() === said.to.join());
				const line = same || { said, answers: [], times: 0 };
				line.times += 1;
				line.said = said;
				if (same) line.answers = line.answers.filter((answer) => answer.kind === "YES");
				else lines.push(line);
				byId.set(said.id, line);
			}
			for (const line of lines) line.promises = this.sealedBy(line);
			return lines;
		});
	}

	sealedBy(line) {
		const ids = new Set([line.said.id, ...line.answers.map(({ id }) => id)]);
		return this.doc.promises.filter((promise) => ids.has(promise.sealed));
	}
}

function merged(old, fresh, key) {
	if (!fresh || !fresh.length) return old;
	const found = new Map(old.map((each) => [key(each), each]));
	for (const each of fresh) found.set(key(each), each);
	return [...found.values()];
}

const stabKey = ({ turn, by, victim }) => `${turnKey(turn)} ${by} ${victim}`;

function unique(values) {
	return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** A sentence with its capital and its stop. */
export function sentence(text, stop = ".") {
	const said = String(text);
	return said.charAt(0).toUpperCase() + said.slice(1) + (/[.!?]$/.test(said) ? "" : stop);
}

/** Names as people list them: "A, B and C". */
export function listed(names) {
	if (names.length < 2) return names.join("");
	return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** The order that a promise of an order names; the server may give it, else it is read from the text. */
function orderOf(promise) {
	return promise.order || orderInPress(promise.text);
}

/** `XDO ( ( ENG FLT NTH ) SUP ( ENG AMY YOR ) MTO NWY )` -> `F NTH S A YOR - NWY`; null if it is not one. */
export function orderInPress(text) {
	const from = (text || "").indexOf("XDO ( ");
	if (from < 0) return null;
	const words = text.slice(from + 6).replace(/\( ([A-Z]{3}) ([NSEW][NSEWC][CS]) \)/g, "$1/$2").split(" ");
	const kinds = { AMY: "A", FLT: "F" };
	const unit = (at) => (words[at] === "(" && kinds[words[at + 2]] ? `${kinds[words[at + 2]]} ${words[at + 3]}` : null);
	const who = unit(0);
	if (!who) return null;
	const helped = unit(6);
	switch (words[5]) {
		case "HLD": return `${who} H`;
		case "MTO": return `${who} - ${words[6]}`;
		case "CTO": return `${who} - ${words[6]} VIA ${words.slice(9, words.indexOf(")", 9)).join(" ")}`;
		case "SUP": return helped && `${who} S ${helped}${words[11] === "MTO" ? ` - ${words[12]}` : ""}`;
		case "CVY": return helped && `${who} C ${helped} - ${words[12]}`;
		default: return null;
	}
}

/** `F NTH S A YOR - NWY` of England, as press writes it; `owner` tells whose unit stands where. */
export function orderAsPress(text, owner) {
	const kinds = { A: "AMY", F: "FLT" };
	const place = (word) => (word.includes("/") ? `( ${word.replace("/", " ")} )` : word);
	const unit = (kind, at) => `( ${owner(at)} ${kinds[kind]} ${place(at)} )`;
	const words = text.split(" ");
	const who = unit(words[0], words[1]);
	switch (words[2]) {
		case "-": return words[4] === "VIA"
			? `${who} CTO ${place(words[3])} VIA ( ${words.slice(5).join(" ")} )` : `${who} MTO ${place(words[3])}`;
		case "S": return `${who} SUP ${unit(words[3], words[4])}${words[6] ? ` MTO ${words[6].split("/")[0]}` : ""}`;
		case "C": return `${who} CVY ${unit(words[3], words[4])} CTO ${words[6]}`;
		default: return `${who} HLD`;
	}
}

function zoneOf(promise) {
	const match = /DMZ \( ([A-Z ]+) \) \( ([A-Z ]+) \)/.exec(promise.text || "");
	return match ? { powers: match[1].split(" "), provinces: match[2].split(" ") } : null;
}
