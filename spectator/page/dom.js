// Nodes from plain values. Text goes in as text nodes only, so no name or message can become markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element of "tag.class.class"; attributes may be left out. `on...` keys are listeners, `true` an
 * empty attribute, null and false nothing.
 */
export function h(what, ...rest) {
	const [tag, ...classes] = what.split(".");
	return fill(document.createElement(tag), classes, rest);
}

export function s(what, ...rest) {
	const [tag, ...classes] = what.split(".");
	return fill(document.createElementNS(SVG, tag), classes, rest);
}

function fill(node, classes, rest) {
	if (classes.length) node.setAttribute("class", classes.join(" "));
	const hasAttributes = rest.length && (rest[0] === null || Object.getPrototypeOf(Object(rest[0])) === Object.prototype);
	const [attributes, children] = hasAttributes ? [rest[0], rest.slice(1)] : [null, rest];
	for (const [name, value] of Object.entries(attributes || {})) {
		if (value === null || value === undefined || value === false) continue;
		if (name.startsWith("on")) listen(node, { ...node.listens, [name.slice(2)]: value });
		else if (name === "value") node.value = value;
		else node.setAttribute(name, value === true ? "" : visible(String(value)));
	}
	add(node, children);
	return node;
}

function add(node, children) {
	for (const child of children.flat(Infinity)) {
		if (child === null || child === undefined || child === false) continue;
		node.append(child instanceof Node ? child : visible(String(child)));
	}
	return node;
}

/** Show control characters as the symbols that stand for them; bidirectional overrides as dots. */
export function visible(text) {
	return text
		.replace(/[\u0000-\u0008\u000b-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
		.replace(/\u007f/g, "\u2421")
		.replace(/[\u0080-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "\u00b7");
}

export function replace(node, ...children) {
	node.replaceChildren();
	add(node, children);
	return node;
}

/** What a node listens to stands beside it, so that `refresh` can exchange it. */
function listen(node, listens) {
	node.listens = listens;
	for (const kind of Object.keys(listens)) node.addEventListener(kind, heard);
}

function heard(event) {
	const act = event.currentTarget.listens[event.type];
	if (act) act.call(event.currentTarget, event);
}

/**
 * Fill a node as `replace` does, but a child that is there already stays the node it is, with its focus,
 * its open menu and a click that has begun. The same are two nodes of one tag and one `data-key`; a button
 * without one is known by its face. Nobody may keep a reference to the children.
 */
export function refresh(node, ...children) {
	match(node, add(document.createDocumentFragment(), children));
	return node;
}

const identity = (node) => `${node.nodeName} ${node.dataset?.key ?? (node.nodeName === "BUTTON" ? node.textContent : "")}`;

function match(node, wanted) {
	const old = new Map();
	for (const child of node.childNodes) {
		const name = identity(child);
		if (!old.has(name)) old.set(name, []);
		old.get(name).push(child);
	}
	const kept = [...wanted.childNodes].map((child) => [child, (old.get(identity(child)) || []).shift()]);
	for (const child of [...old.values()].flat()) child.remove();
	let at = node.firstChild;
	for (const [fresh, stays] of kept) {
		if (stays) adopt(stays, fresh);
		if (stays && stays === at) at = at.nextSibling;
		else node.insertBefore(stays || fresh, at);
	}
}

function adopt(node, fresh) {
	if (!fresh.tagName) {
		if (node.data !== fresh.data) node.data = fresh.data;
		return;
	}
	for (const { name } of [...node.attributes]) if (!fresh.hasAttribute(name)) node.removeAttribute(name);
	for (const { name, value } of fresh.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
	listen(node, fresh.listens || {});
	match(node, fresh);
	if ("value" in node && node.value !== fresh.value) node.value = fresh.value;
}

/** A button that acts on release; `label` is read aloud when the face is only a sign. */
export function button(face, onclick, attributes) {
	return h("button", { type: "button", onclick, ...attributes }, face);
}

/** Small line drawings: one stroke, 24 by 24. */
const ICONS = {
	first: "M6 5v14M19 5 9 12l10 7z",
	back: "M16 5 6 12l10 7z",
	play: "M7 4.5 19 12 7 19.5z",
	pause: "M8 5v14M16 5v14",
	next: "M8 5l10 7-10 7z",
	last: "M18 5v14M5 5l10 7-10 7z",
	share: "M12 15V4M8 7.5 12 3.5l4 4M6 11H5v9h14v-9h-1",
	theme: "M12 3.5a8.5 8.5 0 1 0 8.5 8.5A6.5 6.5 0 0 1 12 3.5z",
	help: "M9.2 9.2a2.9 2.9 0 1 1 4.2 2.6c-1 .5-1.4 1-1.4 2.2M12 17.4v.2",
	close: "M6 6l12 12M18 6 6 18",
	plus: "M12 5v14M5 12h14",
	minus: "M5 12h14",
	fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
	layers: "M12 4 3.5 8.5 12 13l8.5-4.5zM3.5 13 12 17.5l8.5-4.5",
	undo: "M8 5 4 9l4 4M4.5 9H14a5 5 0 0 1 0 10h-3",
	// The four marks of a given word, and the dagger.
	open: "M12 19a7 7 0 1 0 0-14 7 7 0 0 0 0 14z",
	kept: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM8.3 12.2l2.6 2.6 4.9-5.4",
	broken: "M13.5 4.1a8 8 0 0 1 2 15l-2.6-3.3 1.6-2.6-2.6-2.8zM10 4.2a8 8 0 0 0 1.4 15.8l-1.2-3.6 1.6-2.8-3-2.9z",
	void: "M6 12h12",
	dagger: "M12 21 10.4 10h3.2zM7.5 10h9M12 10V4.5",
};

export function icon(name, label) {
	const drawing = s("svg", {
		class: `icon icon-${name}`, viewBox: "0 0 24 24",
		role: label ? "img" : null, "aria-label": label, "aria-hidden": label ? null : "true",
	}, s("path", { d: ICONS[name] }));
	if (label) drawing.append(s("title", label));
	return drawing;
}

/** Keep a value per browser; a full or forbidden store loses it quietly, the page goes on. */
export const remember = {
	get(key) {
		try {
			return JSON.parse(localStorage.getItem(`daide.${key}`));
		} catch {
			return null;
		}
	},
	set(key, value) {
		try {
			if (value === null) localStorage.removeItem(`daide.${key}`);
			else localStorage.setItem(`daide.${key}`, JSON.stringify(value));
		} catch { /* private window */ }
	},
};
