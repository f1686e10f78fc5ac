// The map on the screen: nodes of what draw.js draws, panning, zooming, taps and hovering.

import { draw, landShapes, tracks, unitFor, anchor, LAYERS } from "./draw.js";
import { s, visible } from "./dom.js";

const DRAG = 8; // pixels; less is a tap
const REACH = 28; // pixels from the finger to the nearest thing that may be chosen
const LONG = 550; // milliseconds of a long press

/** Shapes as nodes. */
export function nodes(shapes) {
	return shapes.map((shape) => {
		const node = s(shape.tag, shape.class ? { class: shape.class } : null);
		for (const [name, value] of Object.entries(shape.attrs || {})) node.setAttribute(name, value);
		for (const [name, value] of Object.entries(shape.data || {})) node.dataset[name] = value;
		if (shape.text) node.textContent = visible(shape.text);
		if (shape.children) node.append(...nodes(shape.children));
		return node;
	});
}

/** A small board of land tints only, for the lobby; `tints` tells whose land is whose. */
export function thumbnail(map, tints) {
	const svg = s("svg", { viewBox: map.view.join(" "), class: "board", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" });
	svg.append(...nodes(landShapes(map, tints)));
	return svg;
}

export class Board {
	/** `on` has tap({place, unit, order, x, y}), hover(order index or null), long({unit}) and idle(). */
	constructor(stage, map, on) {
		this.stage = stage;
		this.map = map;
		this.on = on;
		this.svg = s("svg.board", { role: "img", "aria-label": "The board" });
		this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: name })]));
		this.svg.append(...LAYERS.map((name) => this.layers[name]));
		stage.prepend(this.svg);
		this.picture = null;
		this.landKey = "";
		this.pointers = new Map();
		this.listen();
		this.observer = new ResizeObserver(() => this.resize());
		this.observer.observe(stage);
		this.resize();
	}

	close() {
		this.observer.disconnect();
		cancelAnimationFrame(this.frame);
		this.svg.remove();
	}

	// Where we look: the middle in map units, and pixels a map unit ----------

	resize() {
		const { width, height } = this.stage.getBoundingClientRect();
		if (!width || !height) return;
		const first = !this.size;
		const isFit = first || this.isFit;
		this.size = { width, height };
		if (isFit) this.fit();
		else this.settle();
	}

	/** The whole board, or on a narrow screen its busiest part. */
	fit() {
		const [x, y, w, h] = this.map.view;
		const { width, height } = this.size;
		const whole = Math.min(width / w, height / h);
		const cover = Math.max(width / w, height / h);
		this.least = whole * 0.9;
		// A phone would show a narrow strip, or signs on top of each other: fill it, let the sides be panned
		// to, and do not shrink when a sheet comes up.
		const isSmall = width < 700;
		const floor = Math.min(26 / this.map.spacing, whole * 2);
		this.scale = isSmall ? Math.max(Math.min(cover, whole * 2), floor) : whole;
		this.middle = [x + w * (isSmall ? 0.47 : 0.5), y + h * (isSmall ? 0.55 : 0.5)];
		this.isFit = true;
		this.settle();
		this.isFit = true;
	}

	settle() {
		const { width, height } = this.size;
		const [x, y, w, h] = this.map.view;
		this.scale = Math.min(Math.max(this.scale, this.least || 0), 14);
		const half = [width / 2 / this.scale, height / 2 / this.scale];
		this.middle = [keep(this.middle[0], x, w, half[0]), keep(this.middle[1], y, h, half[1])];
		const box = [this.middle[0] - half[0], this.middle[1] - half[1], half[0] * 2, half[1] * 2];
		this.box = box;
		this.svg.style.transform = "";
		this.svg.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
		this.svg.dataset.zoom = zoomRank(this.scale, this.map);
		if (this.picture) this.show(this.picture);
	}

	zoom(factor, at) {
		const { width, height } = this.size;
		const [px, py] = at || [width / 2, height / 2];
		const point = this.toMap(px, py);
		this.scale = Math.min(Math.max(this.scale * factor, this.least), 14);
		this.middle = [point[0] - (px - width / 2) / this.scale, point[1] - (py - height / 2) / this.scale];
		this.isFit = false;
		this.glide();
	}

	pan(dx, dy) {
		this.middle = [this.middle[0] - dx / this.scale, this.middle[1] - dy / this.scale];
		this.isFit = false;
		this.glide();
	}

	/** While fingers or wheel move: a CSS transform; the real view box once they rest. */
	glide() {
		const { width, height } = this.size;
		const old = width / this.box[2];
		const k = this.scale / old;
		const x = (this.box[0] - this.middle[0]) * this.scale + width / 2;
		const y = (this.box[1] - this.middle[1]) * this.scale + height / 2;
		this.svg.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
		clearTimeout(this.resting);
		if (!this.pointers.size) this.resting = setTimeout(() => this.settle(), 140);
	}

	/** Look at these places, with room around them. */
	look(places, most = 5) {
		const points = places.map((place) => anchor(this.map, place));
		if (!points.length) return;
		const xs = points.map(([x]) => x);
		const ys = points.map(([, y]) => y);
		const { width, height } = this.size;
		const w = Math.max(...xs) - Math.min(...xs) + 90;
		const h = Math.max(...ys) - Math.min(...ys) + 90;
		this.scale = Math.min(width / w, height / h, most);
		this.middle = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2];
		this.isFit = false;
		this.settle();
	}

	toMap(px, py) {
		const { width, height } = this.size;
		return [this.middle[0] + (px - width / 2) / this.scale, this.middle[1] + (py - height / 2) / this.scale];
	}

	toScreen([x, y]) {
		const { width, height } = this.size;
		return [(x - this.middle[0]) * this.scale + width / 2, (y - this.middle[1]) * this.scale + height / 2];
	}

	// What is shown ----------

	/** Show a picture (see draw.js) at the present zoom, with a sentence for those who cannot see it. */
	show(picture, label) {
		cancelAnimationFrame(this.frame);
		this.picture = picture;
		if (label) this.svg.setAttribute("aria-label", label);
		if (!this.size) return;
		const shapes = draw({ ...picture, map: this.map, unit: unitFor(this.map, this.scale) });
		const landKey = JSON.stringify([picture.holders, picture.patterns, picture.marks && picture.marks.zones]);
		for (const name of LAYERS) {
			if (name === "land" && landKey === this.landKey) continue;
			this.layers[name].replaceChildren(...nodes(shapes[name]));
		}
		this.landKey = landKey;
		this.lift(this.raised);
	}

	/** Make one order stand out; null: none. */
	lift(index) {
		this.raised = index;
		this.svg.classList.toggle("has-lift", index !== null && index !== undefined);
		for (const node of this.svg.querySelectorAll(".lifted")) node.classList.remove("lifted");
		if (index === null || index === undefined) return;
		for (const node of this.svg.querySelectorAll(`[data-order="${CSS.escape(String(index))}"]`)) node.classList.add("lifted");
	}

	/** Move the signs along the lines to where they stand afterwards; calls back when done. */
	play(milliseconds, done) {
		const moving = this.picture ? tracks({ ...this.picture, map: this.map }) : [];
		const signs = new Map([...this.layers.signs.children].map((node) => [`${node.dataset.power} ${node.dataset.unit}`, node]));
		const found = moving.map((track) => ({ ...track, node: signs.get(`${track.power} ${track.unit}`) })).filter((track) => track.node);
		if (!milliseconds || !found.length || matchMedia("(prefers-reduced-motion: reduce)").matches) {
			done();
			return;
		}
		const start = performance.now();
		const step = (now) => {
			const part = Math.min(1, (now - start) / milliseconds);
			const eased = part < 0.5 ? 2 * part * part : 1 - ((2 - 2 * part) ** 2) / 2;
			for (const { node, points, what } of found) moveSign(node, points, what, eased);
			if (part < 1) this.frame = requestAnimationFrame(step);
			else done();
		};
		this.frame = requestAnimationFrame(step);
	}

	// Fingers, mouse, wheel ----------

	listen() {
		const { stage } = this;
		stage.addEventListener("pointerdown", (event) => this.down(event));
		stage.addEventListener("pointermove", (event) => this.move(event));
		stage.addEventListener("pointerup", (event) => this.up(event));
		stage.addEventListener("pointercancel", (event) => this.release(event));
		stage.addEventListener("pointerleave", () => this.on.hover(null));
		stage.addEventListener("wheel", (event) => {
			if (event.target.closest("button, .legend")) return;
			event.preventDefault();
			this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0018)), this.at(event));
		}, { passive: false });
	}

	at(event) {
		const { left, top } = this.stage.getBoundingClientRect();
		return [event.clientX - left, event.clientY - top];
	}

	down(event) {
		if (event.button || event.target.closest("button, .legend, .behind")) return;
		this.stage.setPointerCapture(event.pointerId);
		this.pointers.set(event.pointerId, this.at(event));
		this.start = this.at(event);
		this.isDrag = this.pointers.size > 1;
		clearTimeout(this.pressing);
		const unit = this.nearest(this.signPlaces(), this.start, REACH);
		this.pressing = setTimeout(() => {
			if (!this.isDrag && this.pointers.size === 1 && unit && this.on.long({ place: unit })) this.isDrag = true;
		}, LONG);
	}

	move(event) {
		const at = this.at(event);
		const before = this.pointers.get(event.pointerId);
		if (!before) {
			if (event.pointerType === "mouse") this.on.hover(this.orderAt(event));
			return;
		}
		if (this.pointers.size === 2) {
			const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
			const ratio = distance(at, other) / Math.max(1, distance(before, other));
			this.pointers.set(event.pointerId, at);
			this.isDrag = true;
			this.zoom(ratio, [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2]);
			return;
		}
		if (!this.isDrag && distance(at, this.start) < DRAG) return;
		this.isDrag = true;
		clearTimeout(this.pressing);
		this.pointers.set(event.pointerId, at);
		this.pan(at[0] - before[0], at[1] - before[1]);
	}

	up(event) {
		if (!this.pointers.has(event.pointerId)) return;
		const isTap = !this.isDrag;
		this.release(event);
		if (isTap) this.tap(event);
	}

	release(event) {
		clearTimeout(this.pressing);
		if (!this.pointers.delete(event.pointerId)) return;
		if (this.isDrag && !this.pointers.size) this.settle();
	}

	/** A tap goes to the nearest thing that may be chosen, not to the shape under the finger. */
	tap(event) {
		const at = this.at(event);
		const targets = (this.picture && this.picture.marks && this.picture.marks.targets) || [];
		const places = targets.map((target) => (typeof target === "string" ? target : target.place));
		const target = this.nearest(places, at, REACH) || this.within(places, event);
		this.on.tap({
			target,
			unit: this.nearest(this.signPlaces(), at, REACH - 4),
			order: this.orderAt(event),
			province: this.provinceAt(event),
		});
	}

	signPlaces() {
		const before = (this.picture && this.picture.before) || { units: {} };
		const out = (before.dislodged || []).map(({ unit }) => unit.split(" ")[1]);
		return Object.values(before.units).flat().map((unit) => unit.split(" ")[1]).concat(out);
	}

	nearest(places, at, reach) {
		let best = null;
		let least = reach;
		for (const place of places) {
			const far = distance(this.toScreen(anchor(this.map, place)), at);
			if (far < least) [best, least] = [place, far];
		}
		return best;
	}

	within(places, event) {
		const province = this.provinceAt(event);
		const found = places.filter((place) => place.split("/")[0] === province);
		return found.length === 1 ? found[0] : null;
	}

	/** The order under the pointer: its line, or the unit that was given it. */
	orderAt(event) {
		const hit = under(event, "[data-order], .signs [data-unit]");
		if (!hit) return null;
		if (hit.dataset.order !== undefined) return hit.dataset.order;
		const { power, unit } = hit.dataset;
		const found = (this.picture.orders || []).findIndex(([who, order]) => who === power && order.startsWith(`${unit} `));
		return found < 0 ? null : String(found);
	}

	provinceAt(event) {
		const hit = under(event, "[data-province]");
		return hit ? hit.dataset.province : null;
	}
}

/** The topmost thing of its kind near the pointer: lines are thin, so look a little around too. */
function under(event, selector) {
	for (const [dx, dy] of [[0, 0], [5, 0], [-5, 0], [0, 5], [0, -5]]) {
		for (const node of document.elementsFromPoint(event.clientX + dx, event.clientY + dy)) {
			const hit = node.closest(selector);
			if (hit) return hit;
		}
	}
	return null;
}

function moveSign(node, points, what, part) {
	if (what === "gone") node.setAttribute("opacity", 1 - part);
	else if (what === "new") node.setAttribute("opacity", part);
	else {
		const [x, y] = along(points, part);
		node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
	}
}

function along(points, part) {
	const lengths = points.slice(1).map((point, i) => distance(point, points[i]));
	let left = part * lengths.reduce((sum, length) => sum + length, 0);
	for (let i = 0; i < lengths.length; i += 1) {
		if (left <= lengths[i] || i === lengths.length - 1) {
			const share = lengths[i] ? Math.min(1, left / lengths[i]) : 0;
			return [0, 1].map((axis) => points[i][axis] + (points[i + 1][axis] - points[i][axis]) * share);
		}
		left -= lengths[i];
	}
	return points[0];
}

const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

/** Keep the middle so that the board fills the screen, or stands in its middle where it cannot. */
function keep(middle, from, length, half) {
	if (half * 2 >= length) return from + length / 2;
	return Math.min(Math.max(middle, from + half), from + length - half);
}

/** How many ranks of names there is room for (map.css hides the rest). */
function zoomRank(scale, map) {
	const room = map.spacing * scale;
	return room < 16 ? 1 : room < 28 ? 2 : 3;
}
