/** Pointer and keyboard input of a board. All of it ends in a touch on a square. */

import { squareAt } from "./scene.js";

/** @import { Board } from "./board.js" */

/** How far a finger may slip before a tap becomes a drag, in pixels. */
const SLIP_PX = 5;
/** How far beside a square a finger still counts as on it, in squares. */
const REACH = 0.5;
/** A click within this time after a press belongs to it. */
const CLICK_MS = 700;

/** @param {Board} board */
export function listen(board) {
  const { root, grid } = board.drawing;
  new Pointer(board, root);
  grid.addEventListener("keydown", (event) => onKey(board, event));
  grid.addEventListener("focusin", (event) => {
    const square = squareOf(event.target);
    if (square) board.drawing.moveCursor(square, false);
  });
}

/** @param {EventTarget | null} target */
function squareOf(target) {
  const cell = target instanceof Element ? target.closest("[data-square]") : null;
  return cell instanceof HTMLElement ? Number(cell.dataset.square) : 0;
}

/** Pointer input: press, drag, release. */
class Pointer {
  /**
   * The piece that is carried.
   * @type {{id: number, x: number, y: number, element: HTMLElement | undefined, wasHeld: boolean, moved: boolean} | null}
   */
  #carry = null;
  #pressedAt = 0;

  /**
   * @param {Board} board
   * @param {HTMLElement} root
   */
  constructor(board, root) {
    this.board = board;
    this.root = root;
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#release(event));
    root.addEventListener("pointercancel", () => this.#stop());
    // Screen readers click without a pointer.
    root.addEventListener("click", (event) => {
      if (event.timeStamp - this.#pressedAt > CLICK_MS) board.touch(squareOf(event.target) || null);
    });
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0 || this.#carry) return;
    this.#pressedAt = event.timeStamp;
    const { board } = this;
    const square = this.#hit(event);
    const wasHeld = square !== null && square === board.hand.at(-1) && !board.isTarget(square);
    // Done first, before any change that would force a layout.
    if (square !== null) board.drawing.moveCursor(square, false);
    if (!wasHeld) board.touch(square);
    if (square !== null && square === board.hand.at(-1)) {
      this.#carry = { id: event.pointerId, x: event.clientX, y: event.clientY, element: this.#element(), wasHeld, moved: false };
      this.root.setPointerCapture(event.pointerId);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const carry = this.#carry;
    if (carry?.id !== event.pointerId) return;
    const { element } = carry;
    // The view has changed meanwhile, and the piece is no longer in hand.
    if (element !== this.#element()) return this.#stop();
    const { x, y } = this.#carried(event);
    carry.moved ||= Math.hypot(event.clientX - carry.x, event.clientY - carry.y) > SLIP_PX;
    if (!carry.moved) return;
    element?.classList.add("carried");
    element?.style.setProperty("--carry-x", `${100 * x}%`);
    element?.style.setProperty("--carry-y", `${100 * y}%`);
    this.#hover(this.#hit(event));
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const carry = this.#carry;
    if (carry?.id !== event.pointerId) return;
    const square = this.#hit(event);
    const way = this.#carried(event);
    this.#stop();
    if (carry.moved) {
      if (square !== null && this.board.isTarget(square)) this.board.touch(square, way);
      else if (square !== this.board.hand[0]) this.board.putDown();
    } else if (carry.wasHeld) {
      this.board.putDown();
    }
  }

  #stop() {
    const element = this.#carry?.element;
    element?.classList.remove("carried");
    element?.style.removeProperty("--carry-x");
    element?.style.removeProperty("--carry-y");
    this.#hover(null);
    this.#carry = null;
  }

  #element() {
    return this.board.drawing.pieces.get(this.board.hand.at(-1) ?? 0);
  }

  /** How far the piece is from its square, in squares. @param {PointerEvent} event */
  #carried(event) {
    const size = this.board.drawing.grid.clientWidth / 8;
    return { x: (event.clientX - (this.#carry?.x ?? 0)) / size, y: (event.clientY - (this.#carry?.y ?? 0)) / size };
  }

  /** @param {number | null} square */
  #hover(square) {
    this.root.querySelector(".over")?.classList.remove("over");
    if (square !== null && this.board.isTarget(square)) this.board.drawing.cell(square)?.classList.add("over");
  }

  /**
   * The square under the pointer. A finger between squares counts as on the nearest one that responds to a touch.
   * @param {PointerEvent} event
   */
  #hit(event) {
    const box = this.board.drawing.grid.getBoundingClientRect();
    const x = (8 * (event.clientX - box.x)) / box.width;
    const y = (8 * (event.clientY - box.y)) / box.height;
    const at = (/** @type {number} */ column, /** @type {number} */ row) =>
      squareAt(Math.floor(row), Math.floor(column), this.board.bottom);
    const square = at(x, y);
    if (square !== null || event.pointerType !== "touch") return square;
    const [right, down] = [x % 1, y % 1];
    const around = [
      { far: right, near: at(x - 1, y) },
      { far: 1 - right, near: at(x + 1, y) },
      { far: down, near: at(x, y - 1) },
      { far: 1 - down, near: at(x, y + 1) },
    ];
    const live = around.filter(({ far, near }) => far < REACH && near !== null && this.board.isLive(near));
    return live.toSorted((a, b) => a.far - b.far)[0]?.near ?? null;
  }
}

/** The arrow keys as steps in rows and within a row. @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * @param {Board} board
 * @param {KeyboardEvent} event
 */
function onKey(board, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { cursor } = board.drawing;
  const arrow = ARROWS[event.key];
  if (arrow) board.drawing.moveCursor(neighbour(board, cursor, arrow), true);
  else if (event.key === "Enter" || event.key === " ") board.touch(cursor);
  else if (event.key === "Escape" && board.hand.length > 0) board.putDown();
  else if (/^[0-9]$/.test(event.key) && board.owner.onType) board.owner.onType(event.key);
  else return;
  event.preventDefault();
}

/**
 * The square that an arrow leads to: up and down along the diagonals, left and right along the row.
 * @param {Board} board
 * @param {number} square
 * @param {[number, number]} arrow
 */
function neighbour(board, square, [down, right]) {
  const order = board.bottom === "white" ? square - 1 : 32 - square;
  const row = Math.min(7, Math.max(0, Math.floor(order / 4) + down));
  const place = Math.min(3, Math.max(0, (order % 4) + right));
  const next = 4 * row + place;
  return board.bottom === "white" ? next + 1 : 32 - next;
}
