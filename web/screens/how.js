/** How to play: the rules of the chosen rule book in words, with little boards to try them on. */

import { Board } from "../board/board.js";
import { el } from "../dom.js";
import { bookOf, capital } from "../start.js";
import { openDialog } from "./dialog.js";

/** @import { LiveGame } from "../core.js" */
/** @import { Table } from "../table.js" */
/** @import { Rulebook } from "../types.js" */

/** A board goes back to its first position after so long. */
const AGAIN_MS = 2200;

/**
 * @param {Rulebook} book
 * @returns {{title: string, words: string, position: string, name: string}[]}
 */
function lessons(book) {
  const enemy = book.white;
  return [
    {
      title: "A man's move",
      words: "A man moves one square diagonally forward, to the left or to the right, onto an empty square.",
      position: "B:W32:B14",
      name: "Try a man's move",
    },
    {
      title: "A man's jump",
      words: `If a ${enemy} piece stands on the next square and the square behind it is empty, the man jumps over it, and it is captured. Whoever can jump must jump. If there is a choice, any jump will do.`,
      position: "B:W18,32:B3,14",
      name: "Try a man's jump",
    },
    {
      title: "A multiple jump",
      words: "If the piece can jump again from where it lands, it must, until there is nothing left to jump. The captured pieces leave the board together at the end, and none is jumped twice.",
      position: "B:W7,16,24,32:B2",
      name: "Try a multiple jump",
    },
    {
      title: "Crowning",
      words: "A man that reaches the far row becomes a king: one of the captured men is put on top of it. That ends the turn, even if it could go on jumping.",
      position: "B:W21:B26",
      name: "Try crowning a man",
    },
    {
      title: "A king's move",
      words: "A king moves one square diagonally in any direction.",
      position: "B:W32:BK14",
      name: "Try a king's move",
    },
    {
      title: "A king's jump",
      words: "A king jumps forwards and backwards, and may change direction within one jump.",
      position: "B:W10,11,32:BK14",
      name: "Try a king's jump",
    },
  ];
}

/** @param {Table} table */
export function showHow(table) {
  const book = bookOf({ rulebook: table.game?.view.rulebook.id ?? table.sheet.choices.rulebook }, table.core.catalog);
  /** @type {(() => void)[]} */
  const ends = [];
  const dialog = openDialog(
    "How to play",
    "how",
    el("p", {}, opening(book)),
    ...lessons(book).map((lesson) => {
      const root = el("div", { class: "board little" });
      const said = el("p", { class: "hint-text", role: "status" });
      ends.push(practise(table, root, lesson, book, (sentence) => (said.textContent = sentence)));
      return el("section", { class: "lesson" }, el("div", {}, el("h3", {}, lesson.title), el("p", {}, lesson.words), said), root);
    }),
    el("section", {}, el("h3", {}, "The end"), ...book.endings.map((words) => el("p", {}, words))),
    el("section", {}, el("h3", {}, "At this board"), ...atThisBoard().map((words) => el("p", {}, words))),
  );
  dialog.addEventListener("close", () => ends.forEach((end) => end()));
}

/** @param {Rulebook} book */
function opening(book) {
  const [first, second] = [capital(book.black), capital(book.white)];
  return `${first} and ${second} have twelve men each, on the ${book.playing_squares} squares. ${first} moves first, and then they take turns.`;
}

function atThisBoard() {
  return [
    "Click or tap a piece and then a square, or drag it. In a long jump, go from landing to landing, or straight to the last square.",
    "With the keyboard: arrows go over the board, Enter or Space picks up and puts down, Escape lets go; or type a move, such as 11-15, and press Enter.",
  ];
}

/**
 * A little board on which a move can be tried again and again.
 * @param {Table} table
 * @param {HTMLElement} root
 * @param {{position: string, name: string}} lesson
 * @param {Rulebook} book
 * @param {(sentence: string) => void} say
 * @returns {() => void} to be called when it is not needed any more
 */
function practise(table, root, { position, name }, book, say) {
  const begin = () =>
    table.core.start({ rulebook: book.id, players: [{ kind: "human" }, { kind: "human" }], colour: "black", position, seed: 1 }).game;
  const looks = { numbers: table.hasNumbers(book) };
  /** @type {LiveGame | null} */
  let game = null;
  let timer = 0;
  const end = () => {
    clearTimeout(timer);
    game?.close();
    game = null;
  };
  const again = () => {
    game = begin();
    void board.show(game.view, looks);
  };
  const board = new Board(root, {
    name,
    onSay: say,
    onMove: (move) => {
      say("");
      const view = game?.send({ type: "move", move: move.move }).view;
      if (!view) return;
      end();
      void board.show({ ...view, moves: [], must_jump: [] }, looks, view.last_move);
      timer = window.setTimeout(again, AGAIN_MS);
    },
  });
  again();
  return end;
}
