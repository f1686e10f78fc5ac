"use strict";
// Nothing here is needed to read the page: it sorts tables, moves the slider and saves plots.
const root = document.documentElement;
window.addEventListener("error", (event) => { root.dataset.error = event.message; });

const theme = document.getElementById("theme");
const isDark = () => root.dataset.theme
  ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const nameTheme = () => { theme.textContent = isDark() ? "light" : "dark"; };
theme.hidden = false;
theme.onclick = () => { root.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); };
const asked = new URLSearchParams(location.search).get("theme");
if (asked === "dark" || asked === "light") root.dataset.theme = asked;
nameTheme();

for (const heading of document.querySelectorAll("thead th")) {
  heading.tabIndex = 0;
  heading.title = "sort";
  const sort = () => {
    const place = heading.cellIndex, body = heading.closest("table").tBodies[0];
    const up = heading.getAttribute("aria-sort") === "descending"
      || (!heading.hasAttribute("aria-sort") && !heading.classList.contains("number"));
    for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = (row) => {
      const cell = row.cells[place];
      if (cell.dataset.sort !== undefined) return Number(cell.dataset.sort);
      return heading.classList.contains("number") ? NaN : cell.textContent;
    };
    const compare = (one, other) => {
      const a = value(one), b = value(other);
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
      return (a < b ? -1 : a > b ? 1 : 0) * (up ? 1 : -1);
    };
    body.append(...[...body.rows].sort(compare));
  };
  heading.onclick = sort;
  heading.onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); } };
}

for (const slider of document.querySelectorAll(".slider")) {
  const years = [...slider.closest("figure").querySelectorAll(".year")];
  const [input, output, play] = ["input", "output", ".play"].map((each) => slider.querySelector(each));
  const show = () => {
    years.forEach((year, index) => year.classList.toggle("shown", index === Number(input.value)));
    output.textContent = years[input.value].dataset.name;
  };
  let timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "play"; };
  input.max = years.length - 1;
  input.oninput = () => { stop(); show(); };
  play.onclick = () => {
    if (timer) { stop(); return; }
    play.textContent = "stop";
    if (Number(input.value) === years.length - 1) input.value = 0;
    timer = setInterval(() => {
      input.value = Number(input.value) + 1;
      show();
      if (Number(input.value) === years.length - 1) stop();
    }, 900);
  };
  slider.hidden = false;
  show();
}

const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity",
  "font-family", "font-size", "font-weight", "stroke-linecap", "display"];
for (const button of document.querySelectorAll("button.save")) {
  button.hidden = false;
  button.onclick = () => {
    const plot = button.closest("figure").querySelector("svg"), copy = plot.cloneNode(true);
    const sources = plot.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((each, index) => {
      const style = getComputedStyle(sources[index]);
      for (const name of kept) each.setAttribute(name, style.getPropertyValue(name));
    });
    const text = new XMLSerializer().serializeToString(copy);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = `${button.dataset.name}.svg`;
    link.click();
  };
}
root.dataset.ready = "yes";
