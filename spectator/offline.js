// Goes before the page's modules in a file that holds a game: what they ask a server for is in the file, or
// in `drawings`, which all files share.

(() => {
	const held = document.getElementById("replay");
	const bytes = Uint8Array.from(atob(held.textContent), (each) => each.charCodeAt(0));
	const told = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
	const answer = (body, status) => new Response(JSON.stringify(body), { status });

	globalThis.offline = { home: held.dataset.home }; // addresses stand behind #
	if (!location.hash) history.replaceState(null, "", held.dataset.start);
	globalThis.fetch = async (path) => {
		const found = (await told)[path] || drawings[path];
		return found ? answer(found, 200) : answer({ error: "This is not in the file" }, 404);
	};
	// Nothing more will happen in this game.
	globalThis.WebSocket = class {
		static OPEN = 1;
		static CLOSED = 3;
		readyState = 0;
		close() {}
	};
})();
