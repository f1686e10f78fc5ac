// Draws a board: a map, a position, orders with their results and marks become a list of shapes.
//
// Pure: no document, no window, no clock, so the page and `daide export` run the same file. The page
// makes nodes of the shapes, stills.js makes text of them. Colours are CSS classes (map.css); sizes are
// attributes, because they follow the zoom. No style attributes: the page's security policy forbids them.
// What goes in and comes out is described in docs/page-drawing.md.

export const LAYERS = ["land", "lines", "names", "signs", "marks"];
export const COLOURS = 24; // as many as map.css has; further powers begin anew
const RESULTS = ["SUC", "BNC", "CUT", "DSR", "NSO", "FLD", "RET"];
const SIGN = 11; // radius of a unit's sign

/** Draw everything: the layers of a picture. @param {Picture} picture @returns {Layers} */
export function draw(picture) {
	const scene = newScene(picture);
	const layers = {
		land: landShapes(scene.map, scene.holders, picture),
		names: nameShapes(scene, picture.names !== false),
		lines: [],
		signs: [],
		marks: [],
	};
	layers.land.push(...zoneShapes(scene));
	for (const order of scene.orders) drawOrder(scene, order, layers);
	drawUnordered(scene, layers);
	drawDrafts(scene, layers);
	drawPromised(scene, layers);
	layers.signs.push(...signShapes(scene));
	drawContested(scene, layers);
	drawRelations(scene, layers);
	drawChoice(scene, layers);
	return layers;
}

/** The shapes of all layers, in the order of painting. */
export function flat(layers) {
	return LAYERS.flatMap((name) => layers[name].length ? [{ tag: "g", class: name, children: layers[name] }] : []);
}

/** A map as it is drawn: its file may have outlines in tenths of a unit, which are shorter to write. */
export function unpacked(map) {
	if (!map.tenths) return map;
	const units = (outline) => outline.replace(/-?\d+/g, (tenths) => tenths / 10);
	const provinces = Object.fromEntries(Object.entries(map.provinces).map(([name, place]) => [name, { ...place, path: units(place.path) }]));
	return { ...map, provinces, waste: map.waste.map(units), tenths: false };
}

/**
 * Map units of one drawing pixel, for a map shown with so many screen pixels a map unit. Signs keep
 * their size at any zoom, but shrink where they would cover each other.
 */
export function unitFor(map, pixelsPerUnit) {
	const room = (map.spacing * pixelsPerUnit) / 26;
	return Math.max(0.5, Math.min(1, room)) / pixelsPerUnit;
}

/**
 * Who holds each land after a position, given who held it before: the owner of a center, else the last
 * unit that stood there, at the start the power at home. Fold it over the positions of a game.
 */
export function holdersAfter(map, held, position) {
	const holders = { ...(held || {}) };
	if (!held) {
		for (const [name, place] of Object.entries(map.provinces)) {
			if (place.land) holders[name] = place.land;
			if (place.home && place.home.length === 1) holders[name] = place.home[0];
		}
	}
	for (const [name, place] of Object.entries(map.provinces)) if (place.center) delete holders[name];
	for (const [power, units] of Object.entries(position.units)) {
		for (const unit of units) {
			const name = provinceOf(unit.split(" ")[1]);
			const place = map.provinces[name];
			if (place && place.kind !== "sea" && !place.center) holders[name] = power;
		}
	}
	for (const [power, centers] of Object.entries(position.centers)) {
		for (const center of centers) if (power in map.powers) holders[center] = power;
	}
	return holders;
}

/**
 * How the units get from the position before to that after, for playing: what moves, and along which
 * points. @returns {{power: string, unit: string, what: "move"|"retreat"|"gone"|"new", points: Point[]}[]}
 */
export function tracks(picture) {
	const scene = newScene(picture);
	const found = [];
	for (const order of scene.orders) {
		const { power, unit } = order;
		if (order.note || (order.result !== "SUC" && (order.result !== null || isMove(order)))) {
			if (order.verb === "retreat") found.push({ power, unit, what: "gone", points: [outPoint(scene, order.at)] });
			continue;
		}
		if (order.verb === "move" || order.verb === "by-sea") {
			found.push({ power, unit, what: "move", points: fullLine(scene, order) });
		} else if (order.verb === "retreat") {
			found.push({ power, unit, what: "retreat", points: [outPoint(scene, order.at), anchor(scene.map, order.goal)] });
		} else if (order.verb === "disband" || order.verb === "remove") {
			found.push({ power, unit, what: "gone", points: [anchor(scene.map, order.at)] });
		} else if (order.verb === "build") {
			found.push({ power, unit, what: "new", points: [anchor(scene.map, order.at)] });
		}
	}
	return found;
}

/** Read an order's text. @returns {{verb, kind, at, unit, goal?, via?, helped?, helpedKind?}} */
export function readOrder(text) {
	const words = text.trim().split(/\s+/);
	if (words[0] === "WVE") return { verb: "waive", kind: "", at: "", unit: "" };
	const [kind, at, verb, ...rest] = words;
	const order = { kind, at, unit: `${kind} ${at}` };
	if (verb === "-") {
		const via = rest[1] === "VIA" ? rest.slice(2) : null;
		return via ? { ...order, verb: "by-sea", goal: rest[0], via } : { ...order, verb: "move", goal: rest[0] };
	}
	if (verb === "S") {
		const helped = { helpedKind: rest[0], helped: rest[1] };
		return rest[2] === "-" ? { ...order, ...helped, verb: "support-move", goal: rest[3] } : { ...order, ...helped, verb: "support-hold" };
	}
	if (verb === "C") return { ...order, verb: "convoy", helpedKind: rest[0], helped: rest[1], goal: rest[3] };
	if (verb === "RTO") return { ...order, verb: "retreat", goal: rest[0] };
	const plain = { H: "hold", DSB: "disband", BLD: "build", REM: "remove" }[verb];
	return { ...order, verb: plain || "unknown" };
}

// --- The scene ----------

function newScene(picture) {
	const { map, before, after, marks = {} } = picture;
	const [, , width] = map.view;
	const orders = (picture.orders || []).map((order, index) => judged(order, index)).filter((order) => order.verb !== "unknown");
	const scene = {
		map, before, after, marks, orders,
		u: picture.unit || unitFor(map, 1200 / width),
		holders: picture.holders || holdersAfter(map, {}, before),
		occupied: new Set(unitsOf(before).map(({ unit }) => provinceOf(unit.split(" ")[1]))),
		out: new Map((before.dislodged || []).map((each) => [provinceOf(each.unit.split(" ")[1]), each])),
		slots: new Map(),
		ghosts: new Set(),
	};
	scene.moves = new Map(orders.filter(isMove).map((order) => [`${provinceOf(order.at)}-${provinceOf(order.goal)}`, order]));
	return scene;
}

function judged(order, index) {
	const told = Array.isArray(order)
		? { power: order[0], order: order[1], result: order[2], strength: order[3], ...flags(order[5]) }
		: order;
	let result = told.note || (told.result === undefined ? null : told.result);
	const note = result !== null && result !== "MBV" && !RESULTS.includes(result) ? result : null;
	if (result === "MBV") result = null;
	return { ...readOrder(told.order), power: told.power, index, result: note ? null : result, note,
		strength: told.strength || 0, dislodged: Boolean(told.dislodged), absent: Boolean(told.absent) };
}

function flags(text) {
	return { dislodged: String(text || "").includes("d"), absent: String(text || "").includes("a") };
}

function isMove(order) {
	return (order.verb === "move" || order.verb === "by-sea") && !order.note;
}

function unitsOf(position) {
	return Object.entries(position.units).flatMap(([power, units]) => units.map((unit) => ({ power, unit })));
}

function provinceOf(place) {
	return place.split("/")[0];
}

/** Where a unit stands at a place such as "MUN" or "STP/SCS". @returns {Point} */
export function anchor(map, place) {
	const [name, coast] = place.split("/");
	const found = map.provinces[name];
	if (!found) return [map.view[0] + map.view[2] / 2, map.view[1] + map.view[3] / 2];
	return (coast && found.coasts && found.coasts[coast]) || found.unit;
}

function outPoint(scene, place) {
	const [x, y] = anchor(scene.map, place);
	return [x + 13 * scene.u, y + 11 * scene.u];
}

function classOf(scene, power, ...names) {
	const dim = scene.marks.only && scene.marks.only !== power ? " dim" : "";
	return names.join(" ") + dim;
}

function colour(scene, power) {
	const known = scene.map.powers[power];
	return known ? known.number % COLOURS : "none";
}

// --- Geometry ----------

const round = (number) => Math.round(number * 100) / 100;
const add = ([x, y], [dx, dy], by = 1) => [x + dx * by, y + dy * by];
const minus = ([x, y], [a, b]) => [x - a, y - b];
const length = ([x, y]) => Math.hypot(x, y);
const unitVector = (vector) => { const size = length(vector) || 1; return [vector[0] / size, vector[1] / size]; };
const left = ([x, y]) => [y, -x];

function pathOf(points) {
	return "M" + points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L");
}

function lengthOf(points) {
	let sum = 0;
	for (let i = 1; i < points.length; i += 1) sum += length(minus(points[i], points[i - 1]));
	return sum;
}

/** The point at a distance along a line, with its direction. */
function along(points, distance) {
	let rest = Math.max(0, distance);
	for (let i = 1; i < points.length; i += 1) {
		const step = minus(points[i], points[i - 1]);
		const size = length(step);
		if (rest <= size || i === points.length - 1) {
			const direction = unitVector(step);
			return { point: add(points[i - 1], direction, Math.min(rest, size)), direction };
		}
		rest -= size;
	}
	return { point: points[0], direction: [1, 0] };
}

const atShare = (points, share) => along(points, lengthOf(points) * share);

/** The part of a line without so much at its start and end. */
function cut(points, start, end) {
	const total = lengthOf(points);
	const from = Math.min(start, total * 0.4);
	const to = Math.max(total - end, from + total * 0.2);
	const kept = [along(points, from).point];
	let done = 0;
	for (let i = 1; i < points.length; i += 1) {
		done += length(minus(points[i], points[i - 1]));
		if (done > from && done < to) kept.push(points[i]);
	}
	kept.push(along(points, to).point);
	return kept;
}

/** A smooth line through points (Catmull-Rom). */
function smooth(points, steps = 10) {
	if (points.length < 3) return points;
	const line = [points[0]];
	for (let i = 0; i < points.length - 1; i += 1) {
		const [a, b, c, d] = [points[Math.max(0, i - 1)], points[i], points[i + 1], points[Math.min(points.length - 1, i + 2)]];
		for (let step = 1; step <= steps; step += 1) {
			const t = step / steps;
			const mix = (k) => 0.5 * (2 * b[k] + (c[k] - a[k]) * t + (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t + (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t ** 3);
			line.push([mix(0), mix(1)]);
		}
	}
	return line;
}

function bowed(from, to, share) {
	const step = minus(to, from);
	const middle = add(add(from, step, 0.5), left(step), share * 2);
	const line = [];
	for (let i = 0; i <= 12; i += 1) {
		const t = i / 12;
		line.push([0, 1].map((k) => (1 - t) ** 2 * from[k] + 2 * t * (1 - t) * middle[k] + t * t * to[k]));
	}
	return line;
}

// --- Small shapes ----------

/** Path data with every number multiplied. */
function scaled(d, u) {
	return d.replace(/-?\d+(\.\d+)?/g, (n) => String(round(Number(n) * u)));
}

/** A path; `more` is the width of its stroke, or attributes. */
function path(d, name, more) {
	return { tag: "path", class: name, attrs: { d, ...extra(more) } };
}

function extra(more) {
	return typeof more === "number" ? { "stroke-width": round(more) } : more;
}

function circle([x, y], r, name, more) {
	return { tag: "circle", class: name, attrs: { cx: round(x), cy: round(y), r: round(r), ...extra(more) } };
}

function cross([x, y], r, name, width) {
	return path(`M${round(x - r)} ${round(y - r)}l${round(2 * r)} ${round(2 * r)}m0 ${round(-2 * r)}l${round(-2 * r)} ${round(2 * r)}`, name, width);
}

function words(text, [x, y], size, name, more) {
	return { tag: "text", class: name, attrs: { x: round(x), y: round(y), "font-size": round(size), ...extra(more) }, text };
}

function disc(point, r, u, ...children) {
	return [circle(point, r * u, "disc", 1.2 * u), ...children];
}

function failure(point, u) {
	return disc(point, 7, u, cross(point, 3.2 * u, "alarm", 2 * u));
}

/** A filled head: its tip, the direction it points to. */
function head(tip, direction, long, wide, name, attrs) {
	const back = add(tip, direction, -long);
	const side = left(direction);
	const notch = add(tip, direction, -long * 0.78);
	return path(`${pathOf([tip, add(back, side, wide / 2), notch, add(back, side, -wide / 2)])}Z`, name, attrs);
}

function chevron(tip, direction, long, wide, name, attrs) {
	const back = add(tip, direction, -long);
	const side = left(direction);
	return path(pathOf([add(back, side, wide / 2), tip, add(back, side, -wide / 2)]), name, attrs);
}

function barsAcross([x, y], u) {
	return path(`M${round(x - 4 * u)} ${round(y + 4 * u)}l${round(4 * u)} ${round(-8 * u)}m${round(4 * u)} 0l${round(-4 * u)} ${round(8 * u)}`, "alarm", 1.8 * u);
}

// --- Land and names ----------

/** The sea, the provinces with their tints, what nobody can enter. */
export function landShapes(map, holders, { patterns = false } = {}) {
	const [x, y, width, height] = map.view;
	const places = Object.entries(map.provinces).filter(([, place]) => place.path);
	const seas = places.filter(([, place]) => place.kind === "sea");
	const lands = places.filter(([, place]) => place.kind !== "sea");
	const shapes = [
		{ tag: "defs", children: [hatch("waste-hatch", "waste-line", 45, 6), ...(patterns ? powerHatches() : [])] },
		{ tag: "rect", class: "sea", attrs: { x, y, width, height } },
		...seas.map(([name, place]) => ({ tag: "path", class: "water", attrs: { d: place.path }, data: { province: name } })),
	];
	for (const link of map.links || []) shapes.push(path(link.path, `link ${link.kind}`));
	const shore = [...lands.map(([, place]) => place.path), ...(map.waste || [])].join("");
	if (shore) shapes.push(path(shore, "shore"));
	for (const outline of map.waste || []) shapes.push(path(outline, "waste"), path(outline, "waste-over", { fill: "url(#waste-hatch)" }));
	for (const [name, place] of lands) {
		const tint = tintOf(map, holders, name);
		shapes.push({ tag: "path", class: `soil fill-${tint}`, attrs: { d: place.path }, data: { province: name } });
		if (patterns && tint !== "none") shapes.push(path(place.path, "pattern", { fill: `url(#power-hatch-${tint % 7})` }));
	}
	return shapes;
}

function hatch(id, name, turn, gap, thick = 1.2) {
	return {
		tag: "pattern",
		attrs: { id, width: gap, height: gap, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` },
		children: [{ tag: "path", class: name, attrs: { d: `M0 0V${gap}`, "stroke-width": thick } }],
	};
}

function powerHatches() {
	const kinds = [[0, 9], [90, 9], [45, 9], [135, 9], [20, 5], [110, 5], [65, 14]];
	return kinds.map(([turn, gap], number) => hatch(`power-hatch-${number}`, "pattern-line", turn, gap, 1));
}

function tintOf(map, holders, name) {
	const holder = map.powers[holders[name]];
	return holder ? holder.number % COLOURS : "none";
}

function nameShapes(scene, named) {
	const { map, before: position, holders, u } = scene;
	const shapes = [];
	const owned = new Map(Object.entries(position.centers).flatMap(([power, centers]) => centers.map((center) => [center, power])));
	for (const [name, place] of Object.entries(map.provinces)) {
		if (!place.center) continue;
		const owner = map.powers[owned.get(name)];
		const dot = place.dot || place.unit;
		const home = place.home && place.home.length;
		if (home) shapes.push(circle(dot, 5 * u, "home", 0.9 * u));
		shapes.push({ ...circle(dot, 2.5 * u, `center ${owner ? "owned" : "free"}`, 1.1 * u), data: { province: name } });
	}
	if (!named) return shapes;
	const halo = 2.4 * u;
	for (const place of Object.values(map.provinces)) {
		for (const [coast, at] of Object.entries(place.coasts || {})) {
			shapes.push(words(coast.slice(0, 2).toLowerCase(), [at[0], at[1] + 3 * u], 8 * u, "name coast-name", halo));
		}
	}
	const size = 12 * u;
	// A name steps aside for signs, and gives way to them and to names of more weight; closer in, all have room.
	const around = ([x, y], wide, high) => [x - wide, y - high, x + wide, y + high];
	const beaten = (position.dislodged || []).map(({ unit }) => outPoint(scene, unit.split(" ")[1]));
	const signs = unitsOf(position).map(({ unit }) => anchor(map, unit.split(" ")[1])).concat(beaten);
	const hidden = signs.map((at) => around(at, 12 * u, 11 * u));
	const placed = signs.map((at) => around(at, 7 * u, 7 * u));
	const entries = Object.entries(map.provinces).sort((a, b) => Number(b[1].center || false) - Number(a[1].center || false));
	for (const [name, place] of entries) {
		const spots = ASIDE.map(([dx, dy]) => [place.label[0] + dx * u, place.label[1] + dy * u]);
		const boxes = spots.map((at) => around(at, name.length * size * 0.36, size * 0.6));
		const cost = (box) => [...hidden, ...placed].reduce((sum, other) => sum + overlap(box, other), 0);
		const costs = boxes.map(cost);
		const best = costs.indexOf(Math.min(...costs));
		const [[x, y], box] = [spots[best], boxes[best]];
		if (placed.some((other) => overlap(box, other))) continue;
		placed.push(box);
		shapes.push({ ...words(name, [x, y + size * 0.36], size, place.kind === "sea" ? "name sea-name" : `name on-${tintOf(map, holders, name)}`, halo), data: { province: name } });
	}
	return shapes;
}

/** Where a name may stand instead, in pixels from its place. */
const ASIDE = [[0, 0], [0, 4], [0, -4], [0, 7], [6, 2], [-6, 2], [0, -8]];

/** How much of one box lies in another. */
function overlap(a, b) {
	return Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
}

function zoneShapes(scene) {
	const shapes = [];
	for (const zone of scene.marks.zones || []) {
		const numbers = zone.powers.slice(0, 2).map((power) => colour(scene, power));
		const id = `zone-${numbers.join("-")}`;
		const gap = 14 * scene.u;
		const stripes = numbers.map((number, index) => ({ tag: "path", class: `line-${number}`, attrs: { d: `M${round(gap * (0.25 + index / 2))} 0V${round(gap)}`, "stroke-width": round(gap / 4) } }));
		shapes.push({ tag: "defs", children: [{ tag: "pattern", attrs: { id, width: round(gap), height: round(gap), patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, children: stripes }] });
		for (const name of zone.provinces) {
			const place = scene.map.provinces[name];
			if (place && place.path) shapes.push({ tag: "path", class: "zone", attrs: { d: place.path, fill: `url(#${id})`, "stroke-width": round(1.6 * scene.u) }, data: { province: name } });
		}
	}
	return shapes;
}

// --- Signs ----------

/** A unit's sign round the origin, for legends and panels too. */
export function signParts(kind, number, u) {
	const s = (d) => scaled(d, u);
	const edge = 1.6 * u;
	const body = `sign-body fill-${number}`;
	if (kind === "F") {
		const hull = s("M-13 2.4L13 2.4L9 9.4L-9 9.4Z");
		const sail = s("M-1.4 -12.4L-1.4 0L-10 0ZM1.4 -9.4L1.4 0L9 0Z");
		return [
			path(hull + sail, "sign-halo", 5 * u),
			path(hull + sail, body, edge),
			path(s("M0 -12.6L0 2.4"), "sign-ink", edge),
		];
	}
	return [
		circle([0, 0], SIGN * u, "sign-halo", 5 * u),
		circle([0, 0], SIGN * u, body, edge),
		path(s("M-6.2 -0.6L6.2 -6.6L8.2 -2.6L-4.2 3.4Z"), "sign-gun"),
		path(s("M-1 2.5L-8 6"), "sign-ink", 1.8 * u),
		circle([0.4 * u, 3.4 * u], 4 * u, body, edge),
		circle([0.4 * u, 3.4 * u], 1.2 * u, "sign-gun"),
	];
}

function sign(scene, power, unit, at, { classes = [], turned = "", flag = false, size = 1, data = {} } = {}) {
	const kind = unit[0];
	const u = scene.u * size;
	const children = signParts(kind, colour(scene, power), u);
	if (flag) children.push(path(`M${round(7 * u)} ${round(-5 * u)}V${round(-18 * u)}L${round(16 * u)} ${round(-14.5 * u)}L${round(7 * u)} ${round(-11 * u)}`, "flag", 1.3 * u));
	return {
		tag: "g",
		class: classOf(scene, power, "sign", kind === "F" ? "fleet" : "army", ...classes),
		attrs: { transform: `translate(${round(at[0])} ${round(at[1])})${turned}` },
		data: { power, unit, ...data },
		children,
	};
}

function signShapes(scene) {
	const shapes = [];
	const byUnit = new Map(scene.orders.map((order) => [`${order.power} ${order.unit}`, order]));
	for (const { power, unit } of unitsOf(scene.before)) {
		const order = byUnit.get(`${power} ${unit}`);
		const gone = order && order.verb === "remove";
		const beaten = order && order.dislodged;
		shapes.push(sign(scene, power, unit, anchor(scene.map, unit.split(" ")[1]), {
			classes: gone ? ["leaving"] : beaten ? ["beaten"] : [],
			turned: beaten ? " rotate(12)" : "",
			flag: beaten,
		}));
	}
	for (const { power, unit } of scene.before.dislodged || []) {
		const order = scene.orders.find((each) => each.power === power && each.unit === unit && ["retreat", "disband"].includes(each.verb));
		const gone = order && (order.verb === "disband" || (order.result && order.result !== "SUC"));
		shapes.push(sign(scene, power, unit, outPoint(scene, unit.split(" ")[1]), {
			classes: ["dislodged", ...(gone ? ["leaving"] : [])], turned: " rotate(12)", flag: true, size: 0.85, data: { dislodged: "yes" },
		}));
	}
	for (const order of scene.orders) {
		if (order.verb === "build" && !order.note) shapes.push(builtSign(scene, order, []));
	}
	return shapes;
}

function builtSign(scene, order, classes) {
	const built = sign(scene, order.power, order.unit, anchor(scene.map, order.at), { classes: ["built", ...classes], data: { order: order.index } });
	built.children.unshift(circle([0, 0], 16 * scene.u, "ring", 1.5 * scene.u));
	return built;
}

// --- Orders ----------

function group(scene, order, classes, children) {
	return {
		tag: "g",
		class: classOf(scene, order.power, "order", order.verb, result(order), ...classes),
		data: { order: order.index, power: order.power, unit: order.unit },
		children,
	};
}

function result(order) {
	if (order.state) return order.state;
	if (order.note) return "note";
	return (order.result || "open").toLowerCase();
}

function drawOrder(scene, order, layers) {
	const parts = { lines: [], marks: [] };
	if (order.note) {
		if (order.at) parts.marks.push(...exclamation(scene, order));
	} else {
		const draws = {
			move: drawMove, "by-sea": drawMove, hold: drawHold, "support-hold": drawSupportHold,
			"support-move": drawSupportMove, convoy: drawConvoy, retreat: drawRetreat, disband: drawRemoval,
			remove: drawRemoval, build: drawBuild,
		};
		(draws[order.verb] || (() => {}))(scene, order, parts);
	}
	drawDagger(scene, order, parts);
	drawSeal(scene, order, parts);
	if (parts.lines.length) layers.lines.push(group(scene, order, [], parts.lines));
	if (parts.marks.length) layers.marks.push(group(scene, order, ["mark"], parts.marks));
}

function hasFailed(order) {
	return order.result !== null && order.result !== "SUC";
}

/** The whole line of a move, from anchor to anchor. */
function fullLine(scene, order) {
	const from = anchor(scene.map, order.at);
	const to = anchor(scene.map, order.goal);
	if (order.verb === "by-sea") return smooth([from, ...order.via.map((sea) => anchor(scene.map, sea)), to]);
	const opposite = scene.moves.get(`${provinceOf(order.goal)}-${provinceOf(order.at)}`);
	const apart = Math.max(0.1, (9 * scene.u) / (length(minus(to, from)) || 1));
	return opposite && opposite.verb === "move" ? bowed(from, to, apart) : [from, to];
}

/** The line of a move as it is drawn: it stops before what stands at its goal. */
function moveLine(scene, order) {
	const { u } = scene;
	let line = fullLine(scene, order);
	if (order.verb === "by-sea" && order.result === "DSR") {
		const lost = lostFleet(scene, order);
		line = smooth([anchor(scene.map, order.at), ...order.via.slice(0, lost + 1).map((sea) => anchor(scene.map, sea))]);
		return cut(line, 13 * u, 0);
	}
	return cut(line, 13 * u, scene.occupied.has(provinceOf(order.goal)) ? 16 * u : 5 * u);
}

function lostFleet(scene, order) {
	const lost = order.via.findIndex((sea) => scene.orders.some((other) => other.dislodged && provinceOf(other.at) === sea));
	return lost < 0 ? order.via.length - 1 : lost;
}

function drawMove(scene, order, parts) {
	const { u } = scene;
	const line = moveLine(scene, order);
	const number = colour(scene, order.power);
	const disrupted = order.result === "DSR";
	const hollow = hasFailed(order);
	const byBoat = order.verb === "by-sea";
	const end = along(line, lengthOf(line));
	const tip = end.point;
	const shaft = disrupted ? line : cut(line, 0, 9 * u);
	const d = pathOf(shaft);
	const weak = hollow ? " weak" : "";
	parts.lines.push(path(pathOf(line), "hit", 16 * u));
	if (byBoat) {
		const dots = (width) => ({ "stroke-width": round(width * u), "stroke-dasharray": `0 ${round(7 * u)}` });
		parts.lines.push(path(d, `edge round${weak}`, dots(7)));
		parts.lines.push(path(d, `core round${weak} ${order.result === "NSO" ? "hollow" : `line-${number}`}`, dots(4.6)));
	} else {
		parts.lines.push(path(d, `edge${weak}`, 6.8 * u));
		parts.lines.push(path(d, `core${weak} line-${number}`, 4 * u));
	}
	if (!disrupted) {
		const name = hollow ? "head hollow-head" : `head fill-${number}`;
		parts.lines.push(head(tip, end.direction, 13 * u, 12 * u, name, 1.4 * u));
	} else {
		parts.marks.push(...failure(tip, u));
	}
	if (["BNC", "FLD"].includes(order.result)) {
		// Dots of supports sit in the middle: the cross makes room for them.
		const { point } = atShare(line, scene.orders.some((other) => helps(other, order)) ? 0.27 : 0.55);
		parts.marks.push(...failure(point, u));
	}
	const strength = order.strength || 1 + scene.orders.filter((other) => helps(other, order) && other.result === "SUC").length;
	if (strength >= 2) {
		const at = along(line, Math.max(0, lengthOf(line) - 19 * u));
		const point = add(at.point, left(at.direction), 10 * u);
		parts.marks.push(...disc(point, 6, u, words(String(strength), [point[0], point[1] + 3 * u], 8.5 * u, "numeral")));
	}
}

function helps(support, move) {
	return support.verb === "support-move" && !support.note
		&& provinceOf(support.helped) === provinceOf(move.at) && provinceOf(support.goal) === provinceOf(move.goal);
}

function drawHold(scene, order, parts) {
	parts.lines.push(octagon(scene, order.at, order.absent ? "octagon none" : "octagon"));
}

function octagon(scene, place, name) {
	const centre = anchor(scene.map, place);
	const { u } = scene;
	const corners = Array.from({ length: 8 }, (_, i) => add(centre, [Math.cos((i + 0.5) * Math.PI / 4), Math.sin((i + 0.5) * Math.PI / 4)], 16.5 * u));
	const attrs = { "stroke-width": round(1.5 * u) };
	if (name.includes("none")) attrs["stroke-dasharray"] = `${round(1.5 * u)} ${round(3 * u)}`;
	return path(`${pathOf(corners)}Z`, name, attrs);
}

function drawUnordered(scene, layers) {
	if (!scene.orders.length || !isMovement(scene)) return;
	const ordered = new Set(scene.orders.map((order) => order.unit));
	for (const { power, unit } of unitsOf(scene.before)) {
		if (ordered.has(unit)) continue;
		layers.lines.push({ tag: "g", class: classOf(scene, power, "order", "none"), data: { power, unit }, children: [octagon(scene, unit.split(" ")[1], "octagon none")] });
	}
}

function isMovement(scene) {
	if (scene.before.turn) return ["SPR", "FAL"].includes(scene.before.turn[0]);
	return scene.orders.some((order) => ["move", "by-sea", "hold", "support-hold", "support-move", "convoy"].includes(order.verb));
}

function dashes(scene, line, order, parts) {
	const { u } = scene;
	const weak = order.result === "CUT" || order.result === "NSO" ? " weak" : "";
	const dash = { "stroke-dasharray": `${round(7 * u)} ${round(5 * u)}` };
	const d = pathOf(line);
	parts.lines.push(path(d, "hit", 14 * u));
	parts.lines.push(path(d, `halo${weak}`, 4.4 * u));
	parts.lines.push(path(d, `helper${weak}`, { "stroke-width": round(2 * u), ...dash }));
	if (order.result === "CUT") {
		const { point } = atShare(line, 0.5);
		parts.marks.push(...disc(point, 7, u, barsAcross(point, u)));
	}
}

function drawSupportHold(scene, order, parts) {
	const { u } = scene;
	const from = anchor(scene.map, order.at);
	const to = anchor(scene.map, order.helped);
	const direction = unitVector(minus(to, from));
	const mutual = scene.orders.some((other) => other.verb === "support-hold" && provinceOf(other.helped) === provinceOf(order.at) && provinceOf(other.at) === provinceOf(order.helped));
	const shift = mutual ? 2.5 * u : 0;
	const aside = left(direction);
	const line = cut([add(from, aside, shift), add(to, aside, shift)], 13 * u, 18 * u);
	dashes(scene, line, order, parts);
	const angle = Math.atan2(-direction[1], -direction[0]);
	const r = 18 * u;
	const ends = [-50, 50].map((degrees) => add(to, [Math.cos(angle + degrees * Math.PI / 180), Math.sin(angle + degrees * Math.PI / 180)], r));
	const arc = `M${round(ends[0][0])} ${round(ends[0][1])}A${round(r)} ${round(r)} 0 0 1 ${round(ends[1][0])} ${round(ends[1][1])}`;
	const weak = hasFailed(order) ? " weak" : "";
	parts.lines.push(path(arc, `halo${weak}`, 4.4 * u), path(arc, `helper${weak}`, 2.2 * u));
}

function drawSupportMove(scene, order, parts) {
	const { u } = scene;
	const move = scene.orders.find((other) => isMove(other) && helps(order, other));
	const wished = move || { ...order, verb: "move", at: order.helped, index: `${order.index}w` };
	const line = move ? moveLine(scene, move) : ghostLine(scene, wished);
	if (!move) parts.lines.push(...ghost(scene, wished, line));
	const key = `${provinceOf(order.helped)}-${provinceOf(order.goal)}`;
	const slot = scene.slots.get(key) || 0;
	scene.slots.set(key, slot + 1);
	const { point } = atShare(line, Math.max(0.12, 0.62 - slot * Math.max(0.1, Math.min(0.16, (10 * u) / (lengthOf(line) || 1)))));
	const from = anchor(scene.map, order.at);
	dashes(scene, cut([from, point], 13 * u, 4 * u), order, parts);
	const weak = hasFailed(order);
	const filled = weak ? "hollow-head" : `fill-${colour(scene, order.power)}`;
	parts.marks.push(circle(point, 4 * u, `dot ${filled}`, 1.4 * u));
}

function ghostLine(scene, order) {
	return cut([anchor(scene.map, order.at), anchor(scene.map, order.goal)], 13 * scene.u, 8 * scene.u);
}

/** The arrow of an order that was wished for and not given, once. */
function ghost(scene, order, line) {
	const key = `${provinceOf(order.at)}-${provinceOf(order.goal)}`;
	if (scene.ghosts.has(key)) return [];
	scene.ghosts.add(key);
	const { u } = scene;
	const end = along(line, lengthOf(line));
	const thin = 1.6 * u;
	return [path(pathOf(cut(line, 0, 8 * u)), "ghost", thin), head(end.point, end.direction, 10 * u, 9 * u, "ghost", thin)];
}

function drawConvoy(scene, order, parts) {
	const { u } = scene;
	const army = scene.orders.find((other) => other.verb === "by-sea" && !other.note && provinceOf(other.at) === provinceOf(order.helped)
		&& provinceOf(other.goal) === provinceOf(order.goal) && other.via.includes(provinceOf(order.at)));
	const [x, y] = anchor(scene.map, order.at);
	if (army) {
		const wave = `M${round(x - 16 * u)} ${round(y + 13 * u)}${`q${round(4 * u)} ${round(-5 * u)} ${round(8 * u)} 0t${round(8 * u)} 0`.repeat(2)}`;
		parts.lines.push(path(wave, "halo", 4 * u), path(wave, "wave", 1.8 * u));
		if (order.result === "CUT" || order.result === "DSR" || order.dislodged) parts.marks.push(...disc([x - 12 * u, y + 12 * u], 6, u, cross([x - 12 * u, y + 12 * u], 2.8 * u, "alarm", 1.8 * u)));
		return;
	}
	const wished = { ...order, verb: "move", at: order.helped };
	const line = ghostLine(scene, wished);
	parts.lines.push(...ghost(scene, wished, line));
	const { point } = atShare(line, 0.5);
	const link = cut([[x, y], point], 14 * u, 3 * u);
	parts.lines.push(path(pathOf(link), "hit", 14 * u));
	parts.lines.push(path(pathOf(link), "helper weak round", { "stroke-width": round(2.4 * u), "stroke-dasharray": `0 ${round(5 * u)}` }));
}

function drawRetreat(scene, order, parts) {
	const { u } = scene;
	const line = cut([outPoint(scene, order.at), anchor(scene.map, order.goal)], 10 * u, 6 * u);
	const weak = hasFailed(order) ? " weak" : "";
	const d = pathOf(line);
	const end = along(line, lengthOf(line));
	const dash = { "stroke-dasharray": [9, 3, 2, 3].map((n) => round(n * u)).join(" ") };
	const number = colour(scene, order.power);
	parts.lines.push(path(d, "hit", 14 * u));
	parts.lines.push(path(d, `edge${weak}`, { "stroke-width": round(5.6 * u), ...dash }));
	parts.lines.push(path(d, `core${weak} line-${number}`, { "stroke-width": round(3 * u), ...dash }));
	parts.lines.push(chevron(end.point, end.direction, 10 * u, 13 * u, `chevron-edge${weak}`, 5.6 * u));
	parts.lines.push(chevron(end.point, end.direction, 10 * u, 13 * u, `core${weak} line-${number}`, 3 * u));
	if (weak) {
		const { point } = atShare(line, 0.55);
		parts.marks.push(...failure(point, u));
	}
}

function drawRemoval(scene, order, parts) {
	const out = order.verb === "disband" && scene.out.has(provinceOf(order.at));
	const at = out ? outPoint(scene, order.at) : anchor(scene.map, order.at);
	parts.marks.push(cross(at, 10 * scene.u, "alarm-halo", 5 * scene.u), cross(at, 10 * scene.u, "alarm", 2.4 * scene.u));
}

function drawBuild(scene, order, parts) {
	const { u } = scene;
	const at = add(anchor(scene.map, order.at), [12 * u, -12 * u]);
	parts.marks.push(...disc(at, 6, u, path(`M${round(at[0] - 3.4 * u)} ${round(at[1])}h${round(6.8 * u)}m${round(-3.4 * u)} ${round(-3.4 * u)}v${round(6.8 * u)}`, "plus", 1.8 * u)));
}

function exclamation(scene, order) {
	const { u } = scene;
	const at = add(anchor(scene.map, order.at), [12 * u, -11 * u]);
	return disc(at, 6.5, u, words("!", [at[0], at[1] + 3.6 * u], 10.5 * u, "numeral alarm-text"));
}

// --- Marks ----------

function lineOf(scene, order) {
	if (order.verb === "move" || order.verb === "by-sea") return moveLine(scene, order);
	const from = anchor(scene.map, order.at);
	const to = order.goal || order.helped;
	return to ? [from, anchor(scene.map, to)] : [from, add(from, [20 * scene.u, -20 * scene.u])];
}

function same(mark, order) {
	return mark.order === order.text || sameOrder(readOrder(mark.order), order);
}

function sameOrder(a, b) {
	return a.verb === b.verb && a.at === b.at && a.goal === b.goal && a.helped === b.helped;
}

function drawDagger(scene, order, parts) {
	if (!(scene.marks.stabs || []).some((stab) => stab.by === order.power && same(stab, order))) return;
	const { point, direction } = atShare(lineOf(scene, order), 0.36);
	parts.marks.push(...dagger(add(point, left(direction), 13 * scene.u), scene.u));
}

/** A dagger in a disc of 18. */
export function dagger([x, y], u) {
	const s = (d) => scaled(d, u);
	return [{
		tag: "g", class: "dagger", attrs: { transform: `translate(${round(x)} ${round(y)})` },
		children: [
			circle([0, 0], 9 * u, "dagger-disc", 1.4 * u),
			path(s("M-1.6 -1.6L0 6.6L1.6 -1.6Z"), "dagger-blade"),
			path(s("M-3.8 -1.9H3.8M0 -1.9V-6"), "dagger-hilt", 1.7 * u),
		],
	}];
}

/** A seal: "open", "kept", "broken" or "void". */
export function seal([x, y], state, u) {
	const s = (d) => scaled(d, u);
	const edge = 1.3 * u;
	const inside = {
		open: [],
		kept: [path(s("M-3.2 0.4L-0.9 2.8L3.4 -2.6"), "seal-tick", 1.8 * u)],
		broken: [path(s("M1.4 -7.6L-1.6 -2.4L1.8 0.6L-1.2 7.6"), "seal-tear", 2.2 * u)],
		void: [path(s("M-3.4 0H3.4"), "seal-dash", 1.8 * u)],
	}[state];
	return [{ tag: "g", class: `seal seal-${state}`, attrs: { transform: `translate(${round(x)} ${round(y)})` }, children: [circle([0, 0], 6.6 * u, "seal-wax", edge), ...(inside || [])] }];
}

function drawSeal(scene, order, parts) {
	const promise = (scene.marks.promised || []).find((each) => each.power === order.power && same(each, order));
	if (!promise) return;
	const { point, direction } = atShare(lineOf(scene, order), 0.45);
	parts.marks.push(...seal(add(point, left(direction), -9 * scene.u), promise.state, scene.u));
}

function drawPromised(scene, layers) {
	for (const promise of scene.marks.promised || []) {
		if (scene.orders.some((order) => order.power === promise.power && same(promise, order))) continue;
		const order = { ...readOrder(promise.order), power: promise.power, index: "p", result: null, state: "promised" };
		if (!order.at) continue;
		if (!(order.goal || order.helped)) {
			// It was to stay where it is: there is no line that a seal could sit on.
			layers.marks.push(group(scene, order, ["mark"], seal(add(anchor(scene.map, order.at), [-14 * scene.u, -14 * scene.u]), promise.state, scene.u)));
			continue;
		}
		const line = cut([anchor(scene.map, order.at), anchor(scene.map, order.goal || order.helped)], 13 * scene.u, 8 * scene.u);
		layers.lines.push(group(scene, order, [], ghost(scene, { at: order.at, goal: order.goal || order.helped }, line)));
		layers.marks.push(group(scene, order, ["mark"], seal(atShare(line, 0.5).point, promise.state, scene.u)));
	}
}

function drawContested(scene, layers) {
	const { u } = scene;
	for (const name of contested(scene)) {
		const place = scene.map.provinces[name];
		if (!place) continue;
		const at = place.unit;
		layers.marks.push({ tag: "g", class: "contested", data: { province: name }, children: [
			circle(at, 8 * u, "contested-ring", 2 * u), cross(at, 4 * u, "alarm", 2 * u),
		] });
	}
}

function contested(scene) {
	if (scene.after && scene.after.contested) return scene.after.contested;
	if (!scene.after || !isMovement(scene)) return [];
	const standing = new Set(unitsOf(scene.after).map(({ unit }) => provinceOf(unit.split(" ")[1])));
	const tried = scene.orders.filter((order) => isMove(order) && order.result === "BNC").map((order) => provinceOf(order.goal));
	return [...new Set(tried)].filter((name) => !standing.has(name));
}

function drawDrafts(scene, layers) {
	(scene.marks.drafts || []).forEach((draft, number) => {
		const order = { ...readOrder(draft.order), power: draft.power, index: `d${number}`, result: null, note: null, strength: 1, dislodged: false, state: draft.state };
		if (order.verb === "unknown") return;
		const parts = { lines: [], marks: [] };
		if (order.verb === "build") layers.signs.push(builtSign(scene, order, [draft.state]));
		drawOrder({ ...scene, orders: [...scene.orders, order], marks: {} }, order, { lines: parts.lines, marks: parts.marks });
		layers.lines.push(...parts.lines);
		layers.marks.push(...parts.marks);
	});
}

function drawRelations(scene, layers) {
	const { u, map } = scene;
	for (const { powers, state } of scene.marks.relations || []) {
		const ends = powers.map((power) => homeOf(map, power));
		if (ends.some((end) => !end)) continue;
		const line = cut(bowed(ends[0], ends[1], 0.08), 10 * u, 10 * u);
		const d = pathOf(line);
		const wide = state === "alliance" ? 7 : 3.4;
		const dash = state === "offered" ? { "stroke-dasharray": `${round(6 * u)} ${round(6 * u)}` } : {};
		const children = [path(d, "relation-halo", (wide + 2.4) * u), path(d, "relation", { "stroke-width": round(wide * u), ...dash })];
		if (state === "alliance") children.push(path(d, "relation-core", 3 * u));
		layers.marks.unshift({ tag: "g", class: `relations ${state}`, data: { power: powers[0], other: powers[1] }, children });
	}
}

function homeOf(map, power) {
	const homes = Object.values(map.provinces).filter((place) => place.home && place.home.includes(power));
	if (!homes.length) return null;
	const sum = homes.reduce((total, place) => add(total, place.unit), [0, 0]);
	return [sum[0] / homes.length, sum[1] / homes.length];
}

function drawChoice(scene, layers) {
	const { u, marks } = scene;
	if (marks.selected) {
		const at = anchor(scene.map, marks.selected);
		layers.marks.unshift({ tag: "g", class: "selected", children: [circle(at, 18 * u, "selected-halo", 5 * u), circle(at, 18 * u, "selected-ring", 2.6 * u)] });
	}
	for (const target of marks.targets || []) {
		const { place, label } = typeof target === "string" ? { place: target, label: "" } : target;
		const here = anchor(scene.map, place);
		// A unit that stands there stays in sight: it is ringed, and its number stands beside it.
		const isTaken = scene.occupied.has(provinceOf(place)) && Boolean(label);
		const at = isTaken ? add(here, [13 * u, -13 * u]) : here;
		layers.marks.push({ tag: "g", class: "target", data: { place }, children: [
			...(isTaken ? [circle(here, 16 * u, "target-ring", 2.4 * u)] : []),
			circle(at, (label ? (isTaken ? 8.5 : 10) : 8) * u, "target-disc", 2 * u),
			...(label ? [words(label, [at[0], at[1] + (isTaken ? 3.6 : 4) * u], (isTaken ? 10 : 11.5) * u, "numeral")] : []),
		] });
	}
}
