/**
 * The interactive board: keeps the piece in hand, animates from each view to the next, and reports the moves that are
 * made. The view says whose move it is and what is legal.
 */

import { Drawing } from "./draw.js";
import { listen } from "./input.js";
import { change, Motion } from "./motion.js";
import { isAlike, scene, selection, standing, touch } from "./scene.js";

/** @import { Move, Side } from "../types.js" */
/** @import { BoardView, Hand, Scene } from "./scene.js" */

/**
 * The owner of the board.
 * @typedef {object} Owner
 * @property {string} name for screen readers
 * @property {(move: Move) => void} [onMove]
 * @property {(square: number) => void} [onTouch] instead of picking up and putting down
 * @property {(sentence: string) => void} [onSay]
 * @property {(text: string) => void} [onType] a move is being typed
 * @property {(what: "step" | "jump" | "crown") => void} [onSound]
 * @property {(side: Side) => DOMRect | null} [tray] the place of a side's captured discs
 *
 * @typedef {{numbers?: boolean, flipped?: boolean, animate?: boolean}} Show
 */

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** One board. */
export class Board {
  /** @type {Hand} */
  hand = [];
  /** @type {BoardView | null} */
  #view = null;
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Show} */
  #show = {};
  /** @type {Motion | null} */
  #motion = null;
  /** How far the pointer carried the piece that it dropped. @type {{x: number, y: number} | null} */
  #dropped = null;

  /**
   * @param {HTMLElement} root
   * @param {Owner} owner
   */
  constructor(root, owner) {
    this.owner = owner;
    this.drawing = new Drawing(root, owner.name);
    listen(this);
  }

  /** The side at the bottom. */
  get bottom() {
    return this.#scene?.bottom ?? "white";
  }

  /**
   * Shows a view. If `move` led to it, animates that move. The piece in hand stays there if its moves are still legal.
   * @param {BoardView} view
   * @param {Show} show
   * @param {Move | null} move
   * @returns {Promise<unknown>} resolves when all animations have finished
   */
  show(view, show = {}, move = null) {
    const walked = move && this.hand.every((square, i) => move.path[i] === square) ? Math.max(0, this.hand.length - 1) : 0;
    const isSame = this.#view !== null && standing(this.#view.pieces) === standing(view.pieces);
    const stays = isSame && selection(view, this.hand) !== null;
    this.#view = view;
    this.#show = show;
    if (!stays) this.hand = [];
    return this.#draw(move, walked);
  }

  /** Does a touch on this square do anything now? @param {number} square */
  isLive(square) {
    return this.isTarget(square) || (this.#view?.pieces.some((piece) => piece.square === square) ?? false);
  }

  /** @param {number} square */
  isTarget(square) {
    const state = this.#view && selection(this.#view, this.hand);
    return state?.targets.some((target) => target.square === square) ?? false;
  }

  /**
   * Handles a click, a tap or a key on a square, or a piece dropped there.
   * @param {number | null} square
   * @param {{x: number, y: number} | null} dropped
   */
  touch(square, dropped = null) {
    if (!this.#view) return;
    if (this.owner.onTouch) {
      if (square !== null) this.owner.onTouch(square);
      return;
    }
    const { hand, move, say } = touch(this.#view, this.hand, square);
    this.#dropped = dropped;
    if (say) this.owner.onSay?.(say);
    if (move) {
      this.owner.onMove?.(move);
    } else if (hand !== this.hand) {
      const from = this.hand;
      this.hand = hand;
      this.#draw(null, 0, hand.length > from.length && from.length > 0 ? hand.slice(from.length - 1) : null);
    }
    this.#dropped = null;
  }

  /** Puts the piece down, unless it has already jumped. */
  putDown() {
    if (this.hand.length === 1) this.touch(null);
  }

  /** Ends all animations at once. */
  settle() {
    this.#motion?.finish();
  }

  /**
   * @param {Move | null} move
   * @param {number} walked
   * @param {number[] | null} carried the part of a jump that was made by hand just now
   */
  #draw(move, walked, carried = null) {
    if (!this.#view) return Promise.resolve();
    const before = this.#scene;
    const next = scene(this.#view, this.hand, this.#show);
    const isTurned = before?.bottom !== next.bottom;
    this.#scene = next;
    this.drawing.ground(next);
    // Running animations continue, for instance when the server confirms the player's own move.
    if (!move && before && this.#motion && isAlike(before, next)) return this.#motion.finished;
    this.#motion?.finish();
    const how = carried
      ? { walks: [{ path: carried, jumps: true, crowns: false }], leave: [], come: [] }
      : change(before?.pieces ?? [], next.pieces, before ? move : null, walked);
    this.#motion = new Motion(this.drawing, next, how, {
      still: still.matches || isTurned || this.#show.animate === false,
      tray: this.owner.tray ?? (() => null),
      heard: (what) => this.owner.onSound?.(what),
      dropped: this.#dropped,
    });
    return this.#motion.finished;
  }
}
