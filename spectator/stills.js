// Shapes of draw.js as an SVG file: for `daide export` only, so it does not travel to browsers. It is run in
// one scope with draw.js and store.js.

/** Shapes as SVG text, without the element around them. */
function svgText(shapes) {
  return shapes.map(shapeText).join("");
}

/**
 * A whole SVG file of layers, for stills and films. `css` goes into a style element, never in the page;
 * with a `position` a band below names the turn (`title`) and the powers with their centers.
 */
function svgFile(map, layers, { width = 1200, css = "", title = "", position = null } = {}) {
  const [x, y, w, h] = map.view;
  const u = w / width;
  const band = position ? bandHeight(width) * u : 0;
  const high = Math.round((h + band) / u);
  const style = css ? `<style>${css.replace(/[<&]/g, "")}</style>` : "";
  const shapes = [...flat(layers), ...(position ? bandShapes(map, position, title, u) : [])];
  return `<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="${x} ${y} ${w} ${round(high * u)}" width="${width}" height="${high}"><title>${escaped(title)}</title>${style}${svgText(shapes)}</svg>\n`;
}

function bandHeight(width) {
  return Math.max(22, Math.round(width / 32));
}

function bandShapes(map, position, title, u) {
  const [x, y, w, h] = map.view;
  const high = bandHeight(w / u) * u;
  const size = high * 0.42;
  const base = y + h + high * 0.65;
  const powers = Object.entries(map.powers);
  const start = x + Math.max(w * 0.14, title.length * size * 0.64) + high * 0.7;
  const step = (x + w - start) / powers.length;
  const shapes = [
    { tag: "rect", class: "band", attrs: { x, y: y + h, width: w, height: round(high) } },
    words(title, [x + high * 0.4, base], size, "band-text band-title"),
  ];
  const widest = Math.max(...powers.map(([, power]) => power.title.length));
  const named = step > (widest + 3) * size * 0.62 + high * 0.6;
  powers.forEach(([name, power], index) => {
    const left = start + step * index;
    const count = (position.centers[name] || []).length;
    const label = named ? power.title : name;
    shapes.push({ tag: "rect", class: `band-swatch fill-${power.number % COLOURS}`, attrs: { x: round(left), y: round(y + h + high * 0.26), width: round(high * 0.48), height: round(high * 0.48), "stroke-width": round(u) } });
    shapes.push(words(`${label} ${count}`, [left + high * 0.62, base], size, "band-text"));
  });
  return shapes;
}

function shapeText(shape) {
  const attributes = { ...(shape.class ? { class: shape.class } : {}), ...(shape.attrs || {}) };
  for (const [key, value] of Object.entries(shape.data || {})) attributes[`data-${key}`] = value;
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`).join("");
  const inside = (shape.text === undefined ? "" : escaped(shape.text)) + svgText(shape.children || []);
  return inside ? `<${shape.tag}${written}>${inside}</${shape.tag}>` : `<${shape.tag}${written}/>`;
}

function escaped(text) {
  const safe = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (sign) => safe[sign]).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
}

// --- What stills.py calls: strings and numbers only, so whatever is large travels as JSON, answers too:
// the engine's binding cannot hand over a string that is still in the pieces it was put together from. ---

let drawing, css, wide, game;

function setUp(map, style, width) { drawing = unpacked(JSON.parse(map)); css = style; wide = width; }

/** Take the document of a game, as the page gets it. */
function open(told) { game = new Game(JSON.parse(told), drawing); }

/** One frame of the game as the page shows it, all but the arcs between the powers. */
function still(frame, title) {
  const picture = game.picture(frame);
  const layers = draw({
    map: drawing, unit: unitFor(drawing, wide / drawing.view[2]), ...picture, marks: { ...picture.marks, relations: [] },
  });
  return JSON.stringify(svgFile(drawing, layers, { width: wide, css, title, position: picture.before }));
}
