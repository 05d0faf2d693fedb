/** Draws a scene as DOM elements: squares, pieces and marks. It makes no decisions. */

import { crown, disc, el, svg } from "../dom.js";
import { place } from "./scene.js";

/** @import { Side } from "../types.js" */
/** @import { PieceScene, Scene, SquareScene } from "./scene.js" */

/** The elements of a board. */
export class Drawing {
  /** @type {Map<number, HTMLElement>} */
  #cells = new Map();
  /** The discs by the square that they stand on. @type {Map<number, HTMLElement>} */
  pieces = new Map();
  /** @type {Side | null} */
  #bottom = null;
  /** The square that has the tab stop. */
  #cursor = 0;

  /**
   * @param {HTMLElement} root
   * @param {string} name for screen readers
   */
  constructor(root, name) {
    this.root = root;
    this.grid = el("div", { class: "squares", role: "grid", "aria-label": name });
    this.line = svg("svg", { class: "line", viewBox: "0 0 80 80", "aria-hidden": "true" });
    this.layer = el("div", { class: "pieces", "aria-hidden": "true" });
    this.arrow = svg("svg", { class: "arrow", viewBox: "0 0 80 80", "aria-hidden": "true" });
    root.replaceChildren(el("div", { class: "field" }, this.grid, this.line, this.layer, this.arrow));
  }

  /**
   * Draws everything except the pieces.
   * @param {Scene} scene
   */
  ground(scene) {
    if (scene.bottom !== this.#bottom) this.#lay(scene);
    this.root.classList.toggle("on-light", scene.paint === "light");
    this.root.classList.toggle("numbered", scene.numbers);
    for (const square of scene.squares) this.#mark(square);
    this.line.replaceChildren(...path(scene.line, scene.bottom, "last-line"));
    this.arrow.replaceChildren(...arrow(scene.arrow, scene.bottom));
  }

  /**
   * Places a disc and updates its looks. Creates its element if there is none yet.
   * @param {PieceScene} piece
   * @param {Scene} scene
   * @param {HTMLElement} [element]
   */
  put(piece, scene, element = el("div", { class: "piece" })) {
    const colour = scene.colours[piece.side];
    const kind = `${piece.side} ${colour}`;
    if (element.dataset.kind !== kind) element.replaceChildren(disc(piece.side, colour));
    element.dataset.kind = kind;
    this.#crown(element, piece);
    element.classList.toggle("ghost", piece.ghost);
    element.classList.toggle("held", piece.held);
    const { row, column } = place(piece.square, scene.bottom);
    element.style.setProperty("--row", String(row));
    element.style.setProperty("--column", String(column));
    if (!element.isConnected) this.layer.append(element);
    this.pieces.set(piece.square, element);
    return element;
  }

  /**
   * Most discs never become kings, so the second disc is created on crowning.
   * @param {HTMLElement} element
   * @param {PieceScene} piece
   */
  #crown(element, { side, king }) {
    element.firstElementChild?.classList.toggle("king", king);
    if (king && !element.querySelector(".second")) element.querySelector(".body")?.append(crown(side));
  }

  /** @param {number} square */
  cell(square) {
    return this.#cells.get(square);
  }

  get cursor() {
    return this.#cursor;
  }

  /**
   * Gives a square the one tab stop, and the focus if wanted.
   * @param {number} square
   * @param {boolean} focus
   */
  moveCursor(square, focus) {
    const [from, to] = [this.cell(this.#cursor), this.cell(square)];
    this.#cursor = square;
    // Moving the tab stop forces a layout of the whole page, so it is left alone if it is already right.
    if (from !== to) from?.setAttribute("tabindex", "-1");
    if (to?.tabIndex !== 0) to?.setAttribute("tabindex", "0");
    if (focus) to?.focus();
  }

  /** @param {Scene} scene */
  #lay(scene) {
    const hadFocus = this.grid.contains(document.activeElement);
    this.#bottom = scene.bottom;
    this.#cells.clear();
    const rows = Array.from({ length: 8 }, (_, row) => {
      const cells = scene.squares.filter((square) => square.row === row).map((square) => this.#newCell(square));
      return el("div", { role: "row" }, ...cells);
    });
    this.grid.replaceChildren(...rows);
    this.moveCursor(this.#cursor || (scene.squares[24]?.square ?? 1), hadFocus);
  }

  /** @param {SquareScene} square */
  #newCell({ square, row, column }) {
    const cell = el(
      "div",
      { role: "gridcell", class: "square", "data-square": square, tabindex: "-1" },
      el("span", { class: "number", "aria-hidden": "true" }, String(square)),
      el("span", { class: "mark" }),
    );
    cell.style.gridArea = `${row + 1} / ${column + 1}`;
    this.#cells.set(square, cell);
    return cell;
  }

  /** @param {SquareScene} square */
  #mark({ square, label, can, must, held, target, last }) {
    const cell = /** @type {HTMLElement} */ (this.cell(square));
    if (cell.ariaLabel !== label) cell.ariaLabel = label;
    const marks = { can: can && !must, must, held, last, step: target === "step", jump: target === "jump" };
    for (const [name, on] of Object.entries(marks)) cell.classList.toggle(name, on);
    cell.ariaSelected = held ? "true" : null;
  }
}

/** @param {number} square @param {Side} bottom */
function centre(square, bottom) {
  const { row, column } = place(square, bottom);
  return { x: 10 * column + 5, y: 10 * row + 5 };
}

/**
 * @param {number[]} squares
 * @param {Side} bottom
 * @param {string} name
 */
function path(squares, bottom, name) {
  if (squares.length < 2) return [];
  const points = squares.map((square) => centre(square, bottom)).map(({ x, y }) => `${x},${y}`);
  return [svg("polyline", { class: name, points: points.join(" ") })];
}

/**
 * @param {number[]} squares
 * @param {Side} bottom
 */
function arrow(squares, bottom) {
  const [shaft] = path(squares, bottom, "shaft");
  if (!shaft) return [];
  const [from, to] = squares.slice(-2).map((square) => centre(square, bottom));
  if (!from || !to) return [];
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const head = svg("path", { class: "head", d: "M1 0-3.4-2.6-3.4 2.6z", transform: `translate(${to.x} ${to.y}) rotate(${angle})` });
  return [shaft, head];
}
