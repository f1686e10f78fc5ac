// The page begins here: which view an address asks for, and what to say when there is none.

import { GamePage } from "./game.js";
import { button, h, replace } from "./dom.js";
import { Lobby } from "./lobby.js";
import { address, link } from "./shell.js";
import { Refusal, sentence } from "./store.js";

const root = document.getElementById("app");

let current = null;

async function route() {
	const where = address();
	if (current) current.close();
	current = where.game === null ? new Lobby(root, where) : new GamePage(root, where, route);
	history.replaceState(null, "", link(where));
	const opened = current;
	try {
		await opened.open();
	} catch (problem) {
		if (!(problem instanceof Refusal)) throw problem;
		if (opened === current) sorry(problem, where);
	}
}

function sorry(problem, where) {
	document.title = "daide";
	const isSecret = problem.status === 403;
	root.className = "";
	replace(root, h("main.sorry",
		h("img", { src: "/page/icon.svg", width: 48, height: 48, alt: "" }),
		h("h1", isSecret ? "This link does not open a seat or a view of this game." : sentence(problem.message)),
		h("p.muted", isSecret ? "Perhaps a part of it is missing, or the game is over and gone." : problem.status === 0 ? "Is it still running?" : "Perhaps it is over and gone, or the address was mistyped."),
		h("a", { href: link({}) }, "To the lobby"),
		isSecret ? h("a.plain", { href: link({ game: where.game }) }, "Only watch this game")
			: where.turn ? h("a.plain", { href: link({ ...where, turn: null }) }, "To the game itself") : null,
		problem.status === 0 ? button("Try again", () => route(), { class: "plain" }) : null));
}

addEventListener("popstate", route);
addEventListener("hashchange", route);
route();
