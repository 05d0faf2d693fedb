/** The screen at `/rules/NAME`: the rules of a rule book, with small boards to try the moves on. */

import { Board } from "../board/board.js";
import { byId, el } from "../dom.js";
import { bookOf, capital } from "../start.js";
import "./styles.js";

/** @import { Core, LiveGame } from "../core.js" */
/** @import { Rulebook, RulebookId } from "../types.js" */

/** The time after which a board returns to its first position. */
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
      words: `If a ${enemy} piece stands on the next square and the square behind it is empty, the man jumps over it, which captures it. If you can jump, you must. If there are several jumps, choose any.`,
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

/**
 * What the screen needs from the page.
 * @typedef {object} Services
 * @property {Core} core
 * @property {(book: Rulebook) => boolean} hasNumbers
 * @property {(title: string) => void} setTitle
 */

/** How to play. */
export class RulesScreen {
  #services;
  /** @type {HTMLElement | null} */
  #root = null;
  /** The functions that close the small boards. @type {(() => void)[]} */
  #ends = [];

  /** @param {Services} services */
  constructor(services) {
    this.#services = services;
  }

  /** @param {string} name of a rule book; an unknown name opens the first one */
  open(name) {
    const { core, setTitle } = this.#services;
    const book = bookOf({ rulebook: /** @type {RulebookId} */ (name) }, core.catalog);
    const heading = el("h2", { tabindex: "-1" }, "How to play");
    setTitle(`How to play: ${book.title}`);
    this.#root = el(
      "main",
      { class: "rules" },
      heading,
      el("nav", { "aria-label": "Rule books" }, ...core.catalog.rulebooks.map(({ id, title }) => el("a", { href: `/rules/${id}`, "aria-current": id === book.id && "page" }, title))),
      el("p", {}, opening(book)),
      ...lessons(book).map((lesson) => this.#lesson(lesson, book)),
      el("section", {}, el("h3", {}, "The end"), ...book.endings.map((words) => el("p", {}, words))),
      el("section", {}, el("h3", {}, "On this board"), ...atThisBoard().map((words) => el("p", {}, words))),
    );
    byId("game").after(this.#root);
    heading.focus({ preventScroll: true });
  }

  close() {
    this.#ends.splice(0).forEach((end) => end());
    this.#root?.remove();
  }

  /** @param {ReturnType<typeof lessons>[number]} lesson @param {Rulebook} book */
  #lesson(lesson, book) {
    const root = el("div", { class: "board little" });
    const said = el("p", { class: "hint-text", role: "status" });
    this.#ends.push(practise(this.#services, root, lesson, book, (sentence) => (said.textContent = sentence)));
    return el("section", { class: "lesson" }, el("div", {}, el("h3", {}, lesson.title), el("p", {}, lesson.words), said), root);
  }
}

/** @param {Rulebook} book */
function opening(book) {
  const [first, second] = [capital(book.black), capital(book.white)];
  return `${first} and ${second} have twelve men each, on the ${book.playing_squares} squares. ${first} moves first, and then they take turns.`;
}

function atThisBoard() {
  return [
    "Click or tap a piece and then a square, or drag the piece. In a multiple jump, go from landing to landing, or straight to the last square.",
    "With the keyboard: move over the board with the arrows, pick up and put down with Enter or Space, and let go with Escape. Or type a move, such as 11-15, and press Enter.",
  ];
}

/**
 * A small board on which a move can be tried again and again.
 * @param {Services} services
 * @param {HTMLElement} root
 * @param {{position: string, name: string}} lesson
 * @param {Rulebook} book
 * @param {(sentence: string) => void} say
 * @returns {() => void} closes the board
 */
function practise({ core, hasNumbers }, root, { position, name }, book, say) {
  const begin = () =>
    core.start({ rulebook: book.id, players: [{ kind: "human" }, { kind: "human" }], colour: "black", position, seed: 1 }).game;
  const looks = { numbers: hasNumbers(book) };
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
