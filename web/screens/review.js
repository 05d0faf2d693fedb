/** Game review: step through a game, with a graph of winning chances and the worst moves with better ones. */

import { Board } from "../board/board.js";
import { el, fill, icon, reveal } from "../dom.js";
import { capital } from "../start.js";
import { openDialog } from "./dialog.js";
import { copy, dayOf, save } from "./file.js";
import { graph } from "./graph.js";

/** @import { LiveGame } from "../core.js" */
/** @import { Thinker } from "../thinker.js" */
/** @import { GameReview, ReviewedPosition, Side, View } from "../types.js" */

/** The number of nodes that the engine searches for each position. */
const NODES = 150_000;

/**
 * Information about a game besides its moves.
 * @typedef {{comments?: string[], result?: string, warnings?: string[], date?: string | null}} About
 */

/**
 * What a review needs from the page.
 * @typedef {object} Services
 * @property {Thinker} thinker
 * @property {(position: string, colour: Side) => Promise<boolean>} playFrom leaves the current game for one from this position
 */

/**
 * @param {Services} services
 * @param {LiveGame} game
 * @param {About} about
 */
export function review(services, game, about) {
  new Review(services, game, about);
}

/** The review of one game. */
class Review {
  /** The positions reviewed so far. @type {(ReviewedPosition | undefined)[]} */
  #positions = [];
  /** The complete review, once it is finished. @type {GameReview | null} */
  #review = null;
  #stop = new AbortController();
  #ply = 0;

  /**
   * @param {Services} services
   * @param {LiveGame} game
   * @param {About} about
   */
  constructor(services, game, { comments = [], result, warnings = [], date = dayOf(game) }) {
    this.services = services;
    this.game = game;
    this.comments = comments;
    const { players, list, outcome, rulebook } = game.view;
    this.plies = list.length;
    this.views = Array.from({ length: this.plies + 1 }, (_, ply) => game.look(ply));
    /** @type {Record<Side, string>} */
    this.names = { black: capital(rulebook.black), white: capital(rulebook.white) };
    const root = el("div", { class: "board" });
    this.sentence = el("p", { class: "review-sentence", "aria-live": "polite" });
    this.assessment = el("p", { class: "hint-text" });
    this.graph = el("div", { class: "graph" });
    this.moves = el("div", { class: "review-moves", role: "group", "aria-label": "Moves" });
    this.worst = el("div", { class: "worst" });
    const step = (/** @type {number} */ by) => () => this.#look(this.#ply + by);
    const move = (/** @type {string} */ label, /** @type {string} */ drawing, /** @type {number} */ by) =>
      el("button", { class: "small", "aria-label": label, onclick: step(by) }, icon(drawing));
    this.dialog = openDialog(
      [el("bdi", {}, players.black.name), " – ", el("bdi", {}, players.white.name)],
      "review",
      el("div", { class: "review-board" }, root),
      el(
        "div",
        { class: "review-side" },
        el("p", {}, outcome?.sentence ?? (result ? `Result: ${result}` : "Not finished.")),
        warnings.length > 0 && el("p", { class: "trouble" }, warnings.slice(0, 3).join(" ")),
        this.graph,
        el("div", { class: "row steps" }, move("One move back", "back-icon", -1), this.sentence, move("One move forward", "forth-icon", 1)),
        this.assessment,
        this.moves,
        this.worst,
        el(
          "div",
          { class: "row links" },
          el("button", { class: "link", onclick: () => void this.#playOn() }, "Play on from here"),
          el("button", { class: "link", onclick: () => save("game.pdn", game.pdn(date)) }, "Save PDN"),
          el("button", { class: "link", onclick: () => void this.#copy() }, "Copy FEN"),
        ),
      ),
    );
    this.board = new Board(root, { name: "Board" });
    this.dialog.addEventListener("keydown", (event) => this.#onKey(event));
    this.dialog.addEventListener("close", () => {
      this.#stop.abort();
      game.close();
    });
    this.#list();
    this.#look(0, true);
    void this.#analyse();
  }

  get #view() {
    return /** @type {View} */ (this.views[this.#ply]);
  }

  /** @param {number} ply */
  #turn(ply) {
    return /** @type {Side} */ (this.views[ply]?.fen.startsWith("W") ? "white" : "black");
  }

  /** @param {number} ply @param {boolean} first */
  #look(ply, first = false) {
    const wanted = Math.max(0, Math.min(this.plies, ply));
    if (wanted === this.#ply && !first) return;
    const isNext = wanted === this.#ply + 1;
    this.#ply = wanted;
    const view = this.#view;
    void this.board.show({ ...view, moves: [], must_jump: [] }, { numbers: true }, isNext ? view.last_move : null);
    const said = [view.last_move?.sentence ?? "The first position.", this.comments[wanted - 1] ?? ""];
    this.sentence.textContent = said.filter(Boolean).join(" ");
    this.#showAssessment();
    this.#draw();
  }

  #showAssessment() {
    const position = this.#positions[this.#ply];
    if (!position) return void (this.assessment.textContent = "The computer is looking at it.");
    const { sentence, pv } = position;
    this.assessment.textContent = pv.length > 0 ? `${sentence} Best: ${pv.slice(0, 6).join(" ")}` : sentence;
  }

  async #analyse() {
    const { start, rulebook } = this.game.view;
    const moves = this.views.slice(1).map((view) => view.last_move?.move ?? "");
    const onReport = (/** @type {ReviewedPosition} */ position) => {
      this.#positions[position.ply] = position;
      if (position.ply === this.#ply) this.#showAssessment();
      this.#draw();
    };
    try {
      const request = { position: start, moves, rulebook: rulebook.id, nodes: NODES };
      this.#review = await this.services.thinker.review(request, { onReport, signal: this.#stop.signal });
    } catch {
      return;
    }
    this.#draw();
    this.#showWorst();
  }

  #showWorst() {
    const { worst, accuracy } = /** @type {GameReview} */ (this.#review);
    const shown = worst.map(({ ply, glyph, sentence }) => {
      const { number = 0, side = "black", text = "" } = this.game.view.list[ply - 1] ?? {};
      const title = `${number}. ${side === "white" ? "… " : ""}${text}${glyph}`;
      return el("button", { onclick: () => this.#look(ply) }, el("strong", {}, title), el("span", {}, sentence));
    });
    const percents = /** @type {Side[]} */ (["black", "white"])
      .filter((side) => accuracy[side] !== null)
      .map((side) => `${this.names[side]} ${accuracy[side]} %`);
    fill(
      this.worst,
      el("h3", {}, shown.length > 0 ? "The worst moves" : "No big mistakes."),
      ...shown,
      percents.length > 0 && el("p", { class: "hint-text" }, `Accuracy: ${percents.join(", ")}.`),
    );
  }

  /** The move list, with the worst moves marked. */
  #list() {
    const listed = this.game.view.list.map(({ number, side, text }, i) => {
      const count = side === "black" || i === 0 ? `${number}.${side === "white" ? " …" : ""}` : "";
      const button = el("button", { "data-ply": i + 1, onclick: () => this.#look(i + 1) }, text);
      return el("span", { class: "listed" }, count && el("span", { class: "count" }, count), button);
    });
    fill(this.moves, ...listed);
  }

  /** Draws the graph and the moves, as far as they are reviewed. */
  #draw() {
    const worst = this.#review?.worst.map(({ ply }) => ply) ?? [];
    const { names, plies } = this;
    this.graph.replaceChildren(
      graph({ positions: this.#positions, plies, shown: this.#ply, worst, names }, (ply) => this.#look(ply)),
    );
    for (const button of this.moves.querySelectorAll("button")) {
      const ply = Number(button.dataset.ply);
      button.classList.toggle("bad", worst.includes(ply));
      if (ply === this.#ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      if (ply === this.#ply) reveal(this.moves, button);
    }
  }

  async #playOn() {
    if (await this.services.playFrom(this.#view.fen, this.#turn(this.#ply))) this.dialog.close();
  }

  async #copy() {
    if (await copy(this.#view.fen)) this.sentence.textContent = "The position is copied.";
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.target instanceof Element && event.target.closest("[role=grid]")) return;
    /** @type {Record<string, number>} */
    const looks = { ArrowLeft: this.#ply - 1, ArrowRight: this.#ply + 1, Home: 0, End: this.plies };
    const ply = looks[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    this.#look(ply);
  }
}
