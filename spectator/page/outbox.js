// Orders on their way to the server. One question is out at a time, so none can overtake another; an
// order that is replaced before it has gone never goes. What has no answer yet outlives a reload. No DOM.

import { remember } from "./dom.js";

export class Outbox {
	/** `carry(batch)` takes orders, by unit, to the server and returns whether it answered; `held` are those that wait for a word of the player. */
	constructor(seat, held, carry) {
		Object.assign(this, { key: `unsent.${seat}`, held, carry, waiting: new Map(), flying: new Map() });
	}

	/** Everything without an answer, by unit: {text, turn, ...}; a text of null takes the unit's order back. */
	get entries() {
		return new Map([...this.flying, ...this.waiting]);
	}

	put(unit, entry) {
		this.waiting.set(unit, entry);
		this.keep();
		return this.run();
	}

	/** Settles when all is told, or when the server does not answer. */
	run() {
		this.running = this.running || this.empty().finally(() => { this.running = null; });
		return this.running;
	}

	async empty() {
		while (this.waiting.size) {
			[this.flying, this.waiting] = [this.waiting, new Map()];
			const isAnswered = await this.carry(this.flying);
			if (!isAnswered) this.waiting = this.entries;
			this.flying = new Map();
			this.keep();
			if (!isAnswered) return;
		}
	}

	/** Give up what has not gone; returns it. */
	drop() {
		const left = this.waiting;
		this.waiting = new Map();
		this.keep();
		return left;
	}

	/** Write down for the next page of this seat what this one is not done with. */
	keep() {
		const all = [...this.held, ...this.entries].map(([unit, { text, turn }]) => ({ unit, text, turn }));
		remember.set(this.key, all.length ? all : null);
	}

	kept() {
		return remember.get(this.key) || [];
	}
}
