/**
 * Animation of the change from one scene to the next. Elements are put in their final places at once and then animated
 * on the way there, so that an animation can be cut short at any moment.
 */

import { place } from "./scene.js";

/** @import { Move, Side } from "../types.js" */
/** @import { Drawing } from "./draw.js" */
/** @import { PieceScene, Scene } from "./scene.js" */

const STEP_MS = 180;
const JUMP_MS = 220;
const LEAVE_MS = 200;
const CROWN_MS = 260;
/** A piece that was dropped by hand only settles. */
const DROP_MS = 60;
const GHOST_MS = 100;

/**
 * A disc that moves along squares.
 * @typedef {{path: number[], jumps: boolean, crowns: boolean}} Walk
 *
 * `leave` has the discs to remove, each with the leg of the path after which it is a ghost.
 * @typedef {{walks: Walk[], leave: {square: number, leg: number}[], come: number[]}} Change
 */

/**
 * The change from one set of pieces to another. With a move, the disc follows its path from where the player has
 * already walked it; without, discs take the shortest ways.
 * @param {readonly PieceScene[]} before
 * @param {readonly PieceScene[]} after
 * @param {Move | null} move
 * @param {number} walked
 * @returns {Change}
 */
export function change(before, after, move, walked = 0) {
  if (move) {
    const path = move.path.slice(walked);
    const leave = move.captured.map((square, i) => ({ square, leg: Math.max(0, i - walked) }));
    return { walks: [{ path, jumps: leave.length > 0, crowns: move.crowns }], leave, come: [] };
  }
  const isSame = (/** @type {PieceScene} */ a) => (/** @type {PieceScene} */ b) => a.square === b.square && a.side === b.side;
  const gone = before.filter((piece) => !after.some(isSame(piece)));
  const come = after.filter((piece) => !before.some(isSame(piece)));
  /** @type {Walk[]} */
  const walks = [];
  for (const piece of [...come]) {
    const from = nearest(gone.filter(({ side }) => side === piece.side), piece.square);
    if (!from) continue;
    walks.push({ path: [from.square, piece.square], jumps: false, crowns: false });
    gone.splice(gone.indexOf(from), 1);
    come.splice(come.indexOf(piece), 1);
  }
  return { walks, leave: gone.map(({ square }) => ({ square, leg: 0 })), come: come.map(({ square }) => square) };
}

/**
 * @param {PieceScene[]} pieces
 * @param {number} square
 */
function nearest(pieces, square) {
  const target = place(square, "white");
  const distance = (/** @type {PieceScene} */ piece) => {
    const { row, column } = place(piece.square, "white");
    return Math.hypot(row - target.row, column - target.column);
  };
  return pieces.toSorted((a, b) => distance(a) - distance(b))[0];
}

/**
 * The surroundings of an animation.
 * @typedef {object} Stage
 * @property {boolean} still does everything change at once?
 * @property {(side: Side) => DOMRect | null} tray the place of a side's captured discs
 * @property {(what: "step" | "jump" | "crown") => void} heard
 * @property {{x: number, y: number} | null} dropped how far from its old square the disc was dropped, in squares
 */

/** A running animation of a change. */
export class Motion {
  /** @type {Animation[]} */
  #animations = [];
  /** @type {HTMLElement[]} */
  #leaving = [];
  /** @type {number[]} */
  #timers = [];
  #isOver = false;

  /**
   * @param {Drawing} drawing
   * @param {Scene} scene the new one
   * @param {Change} change
   * @param {Stage} stage
   */
  constructor(drawing, scene, change, stage) {
    this.drawing = drawing;
    this.scene = scene;
    this.stage = stage;
    const old = new Map(drawing.pieces);
    drawing.pieces.clear();
    this.#leaving = change.leave.flatMap(({ square }) => old.get(square) ?? []);
    const origin = new Map(change.walks.map(({ path }) => [path.at(-1), path[0]]));
    for (const piece of scene.pieces) {
      const from = origin.get(piece.square) ?? (change.come.includes(piece.square) ? 0 : piece.square);
      drawing.put(piece, scene, old.get(from));
    }
    const kept = new Set([...drawing.pieces.values(), ...this.#leaving]);
    for (const element of old.values()) if (!kept.has(element)) element.remove();
    if (!stage.still) this.#begin(change);
    this.finished = Promise.allSettled(this.#animations.map(({ finished }) => finished)).then(() => this.finish());
    if (!stage.still) return;
    this.finish();
    for (const { jumps, crowns } of change.walks) stage.heard(crowns ? "crown" : jumps ? "jump" : "step");
  }

  /** Ends it at once. */
  finish() {
    // The next animation may already use the same discs.
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const animation of this.#animations) animation.cancel();
    for (const element of this.#leaving) element.remove();
    for (const element of this.drawing.pieces.values()) element.classList.remove("moving");
  }

  /** @param {Change} change */
  #begin({ walks, leave, come }) {
    const arrival = Math.max(0, ...walks.map((walk) => this.#walk(walk)));
    leave.forEach(({ leg }, i) => this.#leave(this.#leaving[i], leg, arrival, walks.length > 0));
    for (const square of come) {
      this.#animate(this.drawing.pieces.get(square), [{ opacity: 0 }, { opacity: 1 }], { duration: STEP_MS });
    }
  }

  /**
   * Animates a walk and returns its duration.
   * @param {Walk} walk
   */
  #walk({ path, jumps, crowns }) {
    const element = this.drawing.pieces.get(path.at(-1) ?? 0);
    const legs = path.length - 1;
    if (!element) return 0;
    const { dropped, heard } = this.stage;
    const legMs = jumps ? JUMP_MS : STEP_MS;
    const duration = legs === 0 ? 0 : dropped ? DROP_MS + (legs - 1) * legMs : legs * legMs;
    const endOf = (/** @type {number} */ leg) => (dropped ? DROP_MS + leg * legMs : (leg + 1) * legMs);
    const way = path.map((square, i) => ({
      translate: this.#at(square, i === 0 ? dropped : null),
      offset: i === 0 || duration === 0 ? 0 : endOf(i - 1) / duration,
      easing: "ease-out",
    }));
    element.classList.add("moving");
    if (duration > 0) this.#animate(element, way, { duration });
    for (let leg = 0; leg < legs; leg++) {
      this.#later(endOf(leg) - 20, () => heard(jumps ? "jump" : "step"));
      if (jumps && !(dropped && leg === 0)) this.#arc(element, endOf(leg) - legMs, legMs);
    }
    if (crowns) this.#crown(element, duration);
    return duration;
  }

  /**
   * @param {HTMLElement} element
   * @param {number} delay
   * @param {number} duration
   */
  #arc(element, delay, duration) {
    const up = { translate: "0 -16%", scale: 1.1, easing: "ease-in" };
    this.#animate(element.firstElementChild, [{ easing: "ease-out" }, up, {}], { delay, duration });
  }

  /**
   * The second disc comes from the tray if there is one, otherwise from above.
   * @param {HTMLElement} element
   * @param {number} delay
   */
  #crown(element, delay) {
    const second = element.querySelector(".second");
    const drop = [{ translate: "0 -46px", opacity: 0, easing: "ease-in" }, { translate: "0 -7px", opacity: 1, offset: 0.6 }];
    const bounce = [{ translate: "0 -12px", offset: 0.8 }, { translate: "0 -7px" }];
    this.#animate(second, [...drop, ...bounce], { delay, duration: CROWN_MS });
    const side = /** @type {Side} */ (element.dataset.kind?.split(" ")[0]);
    const from = this.stage.tray(side);
    if (from) this.#fly(element, from, delay);
    this.#later(delay + CROWN_MS * 0.6, () => this.stage.heard("crown"));
  }

  /**
   * Animates a disc from the tray to the king that it crowns.
   * @param {HTMLElement} king
   * @param {DOMRect} from
   * @param {number} delay
   */
  #fly(king, from, delay) {
    const flier = /** @type {HTMLElement} */ (king.cloneNode(true));
    flier.firstElementChild?.classList.remove("king");
    this.drawing.layer.append(flier);
    this.#leaving.push(flier);
    const way = [{ translate: this.#offBoard(from), scale: 0.3, opacity: 0.9 }, { opacity: 1 }];
    const hidden = [{ opacity: 0 }, { opacity: 0 }];
    this.#animate(flier, way, { delay, duration: CROWN_MS * 0.6, easing: "ease-in" });
    this.#animate(flier, hidden, { delay: delay + CROWN_MS * 0.6, duration: CROWN_MS, fill: "forwards" });
    if (delay > 0) this.#animate(flier, hidden, { duration: delay });
  }

  /**
   * A captured disc: a ghost as soon as it is jumped, off the board with the others when the jump is complete.
   * @param {HTMLElement | undefined} element
   * @param {number} leg
   * @param {number} arrival
   * @param {boolean} toTray
   */
  #leave(element, leg, arrival, toTray) {
    if (!element) return;
    element.classList.add("leaving");
    const side = /** @type {Side} */ (element.dataset.kind?.split(" ")[0]);
    const tray = toTray ? this.stage.tray(side) : null;
    const pale = { opacity: 0.35 };
    if (arrival > 0 && !element.classList.contains("ghost")) {
      this.#animate(element, [{ opacity: 1 }, pale], { delay: (leg + 0.5) * JUMP_MS, duration: GHOST_MS });
    }
    const end = tray ? { translate: this.#offBoard(tray), scale: 0.3, opacity: 0.6 } : { opacity: 0, scale: 0.8 };
    this.#animate(element, [toTray ? pale : {}, end], { delay: arrival, duration: LEAVE_MS, fill: "forwards", easing: "ease-in" });
  }

  /**
   * @param {number} square
   * @param {{x: number, y: number} | null} off
   */
  #at(square, off) {
    const { row, column } = place(square, this.scene.bottom);
    return `${100 * (column + (off?.x ?? 0))}% ${100 * (row + (off?.y ?? 0))}%`;
  }

  /** @param {DOMRect} rect */
  #offBoard(rect) {
    const layer = this.drawing.layer.getBoundingClientRect();
    const half = layer.width / 16;
    const x = rect.x + rect.width / 2 - layer.x - half;
    const y = rect.y + rect.height / 2 - layer.y - half;
    return `${x}px ${y}px`;
  }

  /**
   * @param {number} delay
   * @param {() => void} then
   */
  #later(delay, then) {
    this.#timers.push(window.setTimeout(then, Math.max(0, delay)));
  }

  /**
   * @param {Element | null | undefined} element
   * @param {Keyframe[]} keyframes
   * @param {KeyframeAnimationOptions} options
   */
  #animate(element, keyframes, options) {
    if (element) this.#animations.push(element.animate(keyframes, { fill: "backwards", ...options }));
  }
}
