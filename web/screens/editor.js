/** The position editor. It refuses positions that cannot be played, with the reason. */

import { Board } from "../board/board.js";
import { disc, el, pills } from "../dom.js";
import { bookOf, capital, startOf } from "../start.js";
import { openDialog } from "./dialog.js";
import { fenOf } from "./fen.js";
import { sentenceOf } from "../wasm.js";

/** @import { Core } from "../core.js" */
/** @import { Choices } from "../store.js" */
/** @import { Side } from "../types.js" */

const USUAL = "B:W21-32:B1-12";

/**
 * Lets the player set up a position.
 * @param {Core} core
 * @param {Choices} choices
 * @returns {Promise<string | null>} FEN, empty for the initial position, or null if the editor was cancelled
 */
export function editor(core, choices) {
  const book = bookOf(choices, core.catalog);
  const read = (/** @type {string} */ fen) => {
    try {
      return core.position(fen);
    } catch {
      return core.position(USUAL);
    }
  };
  const first = read(choices.position || USUAL);
  /** @type {Side} */
  let turn = first.fen.startsWith("W") ? "white" : "black";
  let pieces = first.pieces;
  let brush = "black man";

  return new Promise((resolve) => {
    const root = el("div", { class: "board" });
    const board = new Board(root, { name: "Position", onTouch: (square) => paint(square) });
    const trouble = el("p", { class: "trouble", role: "alert" });
    const use = el("button", { class: "filled", onclick: () => dialog.close("use") }, "Use this position");
    const fen = el("input", { "aria-label": "The position as text (FEN)", spellcheck: "false", autocomplete: "off", onchange: () => type() });
    const turns = el("div");

    /** @param {number} square */
    const paint = (square) => {
      const [side, rank] = brush.split(" ");
      const old = pieces.find((piece) => piece.square === square);
      pieces = pieces.filter((piece) => piece !== old);
      const isSame = old && old.side === side && old.king === (rank === "king");
      if (brush !== "none" && !isSame) {
        pieces = [...pieces, { square, side: /** @type {Side} */ (side), king: rank === "king", why_not: null }];
      }
      show();
    };
    const type = () => {
      try {
        ({ pieces } = core.position(fen.value));
        turn = /^\s*w/i.test(fen.value) ? "white" : "black";
        show();
      } catch (error) {
        trouble.textContent = sentenceOf(error);
        use.toggleAttribute("disabled", true);
      }
    };
    const set = (/** @type {typeof pieces} */ next) => () => {
      pieces = next;
      show();
    };
    const show = () => {
      fen.value = short(core, fenOf(turn, pieces));
      const view = { rulebook: book, bottom: /** @type {Side} */ ("black"), pieces, moves: [], must_jump: [], last_move: null, hint: null };
      void board.show(view, { numbers: true, animate: false });
      turns.replaceChildren(turnPills());
      trouble.textContent = why(core, choices, fen.value);
      use.toggleAttribute("disabled", trouble.textContent !== "");
    };
    const turnPills = () =>
      pills("turn", "To move", [["black", capital(book.black)], ["white", capital(book.white)]], turn, (value) => {
        turn = /** @type {Side} */ (value);
        show();
        /** @type {HTMLElement | null} */ (turns.querySelector(":checked"))?.focus();
      });
    /** @type {[string, string, Node?][]} */
    const brushes = [
      ["black man", `${capital(book.black)} man`, disc("black", book.black)],
      ["black king", `${capital(book.black)} king`, disc("black", book.black, true)],
      ["white man", `${capital(book.white)} man`, disc("white", book.white)],
      ["white king", `${capital(book.white)} king`, disc("white", book.white, true)],
      ["none", "Empty"],
    ];
    const dialog = openDialog(
      "Set up a board",
      "editor",
      el("div", { class: "editor-board" }, root),
      pills("brush", "Put on the squares", brushes, brush, (value) => (brush = value)),
      turns,
      el(
        "div",
        { class: "row" },
        el("button", { class: "small", onclick: set([]) }, "Clear"),
        el("button", { class: "small", onclick: set(core.position(USUAL).pieces) }, "Usual position"),
      ),
      fen,
      trouble,
      el("div", { class: "go" }, use),
    );
    dialog.addEventListener("close", () => resolve(dialog.returnValue !== "use" ? null : fen.value === USUAL ? "" : fen.value));
    show();
  });
}

/**
 * The position in its canonical form, if it is valid.
 * @param {Core} core
 * @param {string} position
 */
function short(core, position) {
  try {
    return core.position(position).fen;
  } catch {
    return position;
  }
}

/**
 * Why a position cannot be played, or empty.
 * @param {Core} core
 * @param {Choices} choices
 * @param {string} position
 */
function why(core, choices, position) {
  try {
    core.start(startOf({ ...choices, opening: "none", position }, core.catalog, 1)).game.close();
    return "";
  } catch (error) {
    return sentenceOf(error);
  }
}
