/** The graph of winning chances over a game, with the position shown and the worst moves. */

import { svg } from "../dom.js";

/** @import { ReviewedPosition, Side } from "../types.js" */

/** The size of the drawing in its own units: the curve, and a margin for the first and the last dot. */
const [WIDTH, HEIGHT, MARGIN] = [300, 72, 6];

/**
 * How far down a point is drawn.
 * @param {number} chances the winning chances of Black: 1 is at the top, 0 at the bottom
 */
export function height(chances) {
  return HEIGHT / 2 - (2 * chances - 1) * (HEIGHT / 2 - 4);
}

/**
 * @param {object} game
 * @param {(ReviewedPosition | undefined)[]} game.positions from the first on, as far as they are known
 * @param {number} game.plies
 * @param {number} game.shown the position on the board
 * @param {number[]} game.worst the plies that cost most
 * @param {Record<Side, string>} game.names
 * @param {(ply: number) => void} onPick
 */
export function graph({ positions, plies, shown, worst, names }, onPick) {
  const x = (/** @type {number} */ ply) => (WIDTH * ply) / Math.max(1, plies);
  const y = (/** @type {number} */ ply) => height(positions[ply]?.black_chances ?? 0.5);
  const known = [...positions.keys()].filter((ply) => positions[ply]);
  const points = known.map((ply) => `${x(ply).toFixed(1)},${y(ply).toFixed(1)}`);
  const [first = 0, last = 0] = [known[0], known.at(-1)];
  const middle = HEIGHT / 2;
  const drawing = svg(
    "svg",
    {
      viewBox: `${-MARGIN} 0 ${WIDTH + 2 * MARGIN} ${HEIGHT}`,
      role: "img",
      "aria-label": `Who stood better: up is ${names.black}, down is ${names.white}`,
    },
    svg("polygon", { class: "area", points: [`${x(first)},${middle}`, ...points, `${x(last)},${middle}`].join(" ") }),
    svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: middle, y2: middle }),
    svg("polyline", { class: "curve", points: points.join(" ") }),
    svg("line", { class: "now", x1: x(shown), x2: x(shown), y1: 0, y2: HEIGHT }),
    ...worst.map((ply) => svg("circle", { class: "blunder", cx: x(ply), cy: y(ply), r: 4 })),
    svg("text", { x: 0, y: 12 }, names.black),
    svg("text", { x: 0, y: HEIGHT - 5 }, names.white),
  );
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const at = ((WIDTH + 2 * MARGIN) * (/** @type {MouseEvent} */ (event).clientX - box.x)) / box.width - MARGIN;
    onPick(Math.round((at / WIDTH) * plies));
  });
  return drawing;
}
