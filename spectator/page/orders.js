// Order text taken apart, and the questions that lead to one order out of a list of legal ones.
// Nothing here knows a rule of the game: what is possible is what the server listed. No DOM.

export const COASTS = {
	NCS: "north coast", SCS: "south coast", ECS: "east coast", WCS: "west coast",
	NEC: "north-east coast", NWC: "north-west coast", SEC: "south-east coast", SWC: "south-west coast",
};
export const KINDS = ["move", "support", "convoy", "hold", "retreat", "disband", "build", "remove", "waive"];
const QUESTIONS = ["kind", "helped", "goal", "coast", "route"];
/** Names that other programs and books use for DAIDE's ECH, GOB and GOL. */
const ALIASES = { ENG: "ECH", BOT: "GOB", LYO: "GOL", NAT: "NAO", MID: "MAO", TYN: "TYS" };

const place = (text) => {
	const [province, coast] = text.split("/");
	return { province, coast: coast || "" };
};

/** `A LON - NWY VIA NTH` as {text, unit, at, kind, helped, goal, coast, route}; missing parts are "". */
export function takeApart(text) {
	if (text === "WVE") return order(text, "", "", "waive");
	const words = text.split(" ");
	const unit = `${words[0]} ${words[1]}`;
	const { province: at, coast } = place(words[1]);
	const rest = words.slice(2);
	switch (rest[0]) {
		case "H": return order(text, unit, at, "hold");
		case "-": return { ...order(text, unit, at, "move"), ...goal(rest[1]), route: rest.slice(3).join(" ") };
		case "S":
		case "C": return {
			...order(text, unit, at, rest[0] === "S" ? "support" : "convoy"),
			helped: `${rest[1]} ${rest[2]}`, goal: rest[4] ? place(rest[4]).province : "",
		};
		case "RTO": return { ...order(text, unit, at, "retreat"), ...goal(rest[1]) };
		case "DSB": return order(text, unit, at, "disband");
		case "BLD": return { ...order(text, unit, at, "build"), helped: words[0], coast };
		case "REM": return order(text, unit, at, "remove");
		default: return order(text, unit, at, "hold");
	}
}

function order(text, unit, at, kind) {
	return { text, unit, at, kind, helped: "", goal: "", coast: "", route: "" };
}

function goal(word) {
	const { province, coast } = place(word);
	return { goal: province, coast };
}

/** Where a unit stands, without its kind and coast: `F STP/SCS` -> STP. */
export const standsAt = (unit) => place(unit.split(" ")[1]).province;

/** The orders that agree with every answer given so far. */
export function matching(orders, answers) {
	return orders.filter((each) => QUESTIONS.every(
		(question) => answers[question] === undefined || each[question] === answers[question]));
}

/** What to ask next: {question, options}, or null when one order (or none) is left. */
export function nextQuestion(orders, answers) {
	const possible = matching(orders, answers);
	for (const question of QUESTIONS) {
		const options = [...new Set(possible.map((each) => each[question]))];
		if (options.length > 1) return { question, options: sorted(question, options) };
	}
	return null;
}

function sorted(question, options) {
	if (question === "kind") return KINDS.filter((kind) => options.includes(kind));
	if (question === "route") {
		return options.sort((a, b) => a.split(" ").length - b.split(" ").length || (a < b ? -1 : 1));
	}
	return options.sort();
}

/** The one order that the answers lead to, or null while some question is open. */
export function decided(orders, answers) {
	const possible = matching(orders, answers);
	return possible.length === 1 ? possible[0] : null;
}

// Sentences ----------

/** `names` maps a province to its English name. */
export function placeName(word, names) {
	const { province, coast } = place(word);
	const name = names[province] || province;
	return coast ? `${name}, ${COASTS[coast] || coast}` : name;
}

export function unitName(unit, names) {
	const [kind, where] = unit.split(" ");
	return `${kind === "A" ? "army" : "fleet"} ${placeName(where, names)}`;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The order, or as much of it as is decided, as a sentence; open ends are three dots. */
export function sentence(unit, answers, names) {
	const who = unit ? capital(unitName(unit, names)) : "";
	const { kind } = answers;
	const to = answers.goal === undefined ? "..." : target(answers, names);
	const helped = answers.helped && answers.helped.includes(" ") ? unitName(answers.helped, names) : "...";
	switch (kind) {
		case undefined: return `${who} ...`;
		case "move": return `${who} moves to ${to}${byRoute(answers, names)}`;
		case "support": return answers.goal === ""
			? `${who} supports ${helped} to hold` : `${who} supports ${helped}${answers.helped ? ` to ${to}` : ""}`;
		case "convoy": return `${who} convoys ${helped}${answers.helped ? ` to ${to}` : ""}`;
		case "retreat": return `${who} retreats to ${to}`;
		case "hold": return `${who} holds`;
		case "disband": return `${who} disbands`;
		case "remove": return `${who} is removed`;
		case "waive": return "One build is waived";
		case "build": return buildSentence(unit, answers, names);
		default: return `${who} ...`;
	}
}

function buildSentence(unit, answers, names) {
	const where = names[standsAt(unit)] || standsAt(unit);
	const what = { A: "an army", F: "a fleet" }[answers.helped] || "...";
	return `Build ${what} in ${where}${answers.coast ? `, ${COASTS[answers.coast]}` : ""}`;
}

function target(answers, names) {
	return placeName(answers.coast ? `${answers.goal}/${answers.coast}` : answers.goal, names);
}

function byRoute(answers, names) {
	if (!answers.route) return "";
	const seas = answers.route.split(" ").map((sea) => names[sea] || sea);
	return `, by sea through ${seas.join(", ")}`;
}

export const sentenceOf = (text, names) => {
	const parts = takeApart(text);
	return `${sentence(parts.unit, parts, names)}.`;
};

// Orders typed as text ----------

const WORDS = {
	S: "S", SUP: "S", SUPPORT: "S", SUPPORTS: "S", C: "C", CVY: "C", CONVOY: "C", CONVOYS: "C",
	H: "H", HLD: "H", HOLD: "H", HOLDS: "H", VIA: "VIA", CTO: "", MTO: "", TO: "", RTO: "", R: "",
	MOVE: "", MOVES: "", RETREAT: "", RETREATS: "", ARMY: "", FLEET: "", AMY: "A", FLT: "F",
	D: "DSB", DSB: "DSB", DISBAND: "DSB", DISBANDS: "DSB", B: "BLD", BLD: "BLD", BUILD: "BLD",
	REM: "REM", REMOVE: "REM", X: "REM", WVE: "WVE", WAIVE: "WVE", ITSELF: "", BY: "VIA", SEA: "",
	NC: "NCS", SC: "SCS", EC: "ECS", WC: "WCS", NORTH: "", SOUTH: "",
};

/** The words of a typed order in their plainest form. */
export function plainWords(text, names = {}) {
	let plain = ` ${text.toUpperCase()} `;
	for (const [province, name] of longestFirst(names)) plain = plain.replaceAll(` ${name.toUpperCase()} `, ` ${province} `);
	return plain
		.replace(/[(){}.,;:]/g, " ").replace(/[-–—→>=/]+/g, " ").split(/\s+/).filter(Boolean)
		.map((word) => (word in WORDS ? WORDS[word] : ALIASES[word] || word)).filter(Boolean);
}

function longestFirst(names) {
	return Object.entries(names).filter(([, name]) => name.includes(" "))
		.concat(Object.entries(names).filter(([, name]) => !name.includes(" ")))
		.sort((a, b) => b[1].length - a[1].length);
}

/** [word, must it be typed] of one legal order. */
function shape(each) {
	const optional = (words) => words.filter(Boolean).map((word) => [word, false]);
	const needed = (...words) => words.filter(Boolean).map((word) => [word, true]);
	switch (each.kind) {
		case "waive": return needed("WVE");
		case "hold": return needed(each.at, "H");
		case "support": return needed(each.at, "S", standsAt(each.helped), each.goal);
		case "convoy": return needed(each.at, "C", standsAt(each.helped), each.goal);
		case "disband": return needed(each.at, "DSB");
		case "remove": return [...needed(each.at), ["REM", false]];
		case "build": return [["BLD", false], ...needed(each.helped, each.at), ...optional([each.coast])];
		default: return [
			...needed(each.at), ...needed(each.goal), ...optional([each.coast]),
			...(each.route ? optional(["VIA", ...each.route.split(" ")]) : []),
		];
	}
}

/** How well typed words fit an order: 0 no, 1 as a beginning, 2 in all that must be said, 3 word for word. */
function fits(words, each, isOpen) {
	const wanted = shape(each);
	let at = 0;
	for (let i = 0; i < words.length; i += 1) {
		const isLast = i === words.length - 1 && isOpen;
		while (at < wanted.length && !wanted[at][1] && !same(words[i], wanted[at][0], isLast)) at += 1;
		if (at === wanted.length || !same(words[i], wanted[at][0], isLast)) return 0;
		if (words[i] !== wanted[at][0]) return 1;
		at += 1;
	}
	const rest = wanted.slice(at);
	if (rest.some(([, isNeeded]) => isNeeded)) return 1;
	return rest.length ? 2 : 3;
}

const same = (typed, word, isOpen) => typed === word || (isOpen && word.startsWith(typed));

/** Unit letters are free, except where they tell what to build. */
function forKind(words, each) {
	const origin = each.unit && each.kind !== "build" ? words.filter((word, i) => !isLetter(word, words, i)) : words;
	if (each.kind !== "build") return dropOriginCoast(origin, each);
	const letter = words.filter((word) => word === "A" || word === "F");
	const rest = words.filter((word) => !["A", "F", "BLD"].includes(word));
	return [...letter, ...rest];
}

const isLetter = (word, words, i) => (word === "A" || word === "F") && i < words.length - 1;

/** `stp/scs - gob`: the coast that a fleet stands on may be said and adds nothing. */
function dropOriginCoast(words, each) {
	const { coast } = each.unit ? place(each.unit.split(" ")[1]) : { coast: "" };
	return coast && words[1] === coast ? [words[0], ...words.slice(2)] : words;
}

/**
 * The legal orders that typed text may mean, best first: {fit, exact}.
 * `exact` is the one order it surely means, or null when it is open, ambiguous or not legal.
 */
export function readTyped(text, legal, names) {
	const words = plainWords(text, names);
	if (!words.length) return { fit: [], exact: null };
	const isOpen = !/\s$/.test(text);
	const scored = legal
		.map((each) => ({ each, score: fits(forKind(words, each), each, isOpen) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score || a.each.text.length - b.each.text.length);
	const whole = scored.filter(({ score }) => score === 3);
	const said = scored.filter(({ score }) => score === 2);
	const exact = whole.length === 1 ? whole[0].each : whole.length === 0 && said.length === 1 ? said[0].each : null;
	return { fit: scored.map(({ each }) => each), exact };
}
