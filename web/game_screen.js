/**
 * The game screen: the board with the panel around it. A controller decides which game it shows and what leaving it
 * means.
 */

import { Board } from "./board/board.js";
import { ask, BOARD_STOP, byId, loadPart, refocus, toast } from "./dom.js";
import { Panel } from "./panel.js";

/** @import { Core, LiveGame } from "./core.js" */
/** @import { Display, Session } from "./session.js" */
/** @import { Sound } from "./sound.js" */
/** @import { OnlineSession } from "./online/session.js" */
/** @import { ButtonName, Move, Offer, Rulebook, Start, View } from "./types.js" */

/**
 * What differs between a game on this device and one over a link.
 * @typedef {object} Controller
 * @property {Session | OnlineSession | null} session the game; null until there is one
 * @property {"screen" | "link"} place on one screen or over a link
 * @property {() => void} [start] starts the previewed game, before its first move
 * @property {() => void} newGame what *New game* does
 * @property {(answers: string[]) => Promise<string | undefined>} leave asks before leaving a game in progress; the first answer stays
 * @property {(view: View) => string} newGameLabel its label when the game is over
 * @property {() => void} otherGame the second button when the game is over
 * @property {string} otherGameLabel
 * @property {HTMLElement | null} presence who is connected, for where the result covers the panel
 *
 * What the screen needs from the page.
 * @typedef {object} Services
 * @property {Core} core
 * @property {(sound: Sound) => void} playSound
 * @property {(book: Rulebook) => boolean} hasNumbers are square numbers shown?
 * @property {(open: () => LiveGame) => Promise<unknown>} review opens the review of a game
 */

/** The page has one; the attached controller shows a game on it. */
export class GameScreen {
  /** The view on the board. @type {View | null} */
  #view = null;
  /** The last announcement, so that nothing is announced twice. */
  #announced = "";
  #isFlipped = false;
  /** @type {Controller | null} */
  #controller = null;
  /** The previewed game, and why its pieces cannot be moved. @type {{start: Start, whyNot: string | null} | null} */
  #preview = null;
  /** Shown instead of the start sheet. @type {HTMLElement | null} */
  #sheet = null;
  #services;

  /** @param {Services} services */
  constructor(services) {
    this.#services = services;
    this.root = byId("game");
    this.panel = new Panel(services.core.catalog, {
      press: (name) => void this.#press(name),
      answer: (offer, accept) => this.#answer(offer, accept),
      stillHere: () => this.#send({ type: "still_here" }),
      look: (plies) => this.#look(plies),
      type: (text) => (this.#isMidJump() ? null : (this.#session?.send({ type: "move", move: text }) ?? null)),
      result: () => void this.#showResult(),
      clockText: (ms) => services.core.clockText(ms),
    });
    this.board = new Board(byId("board"), {
      name: "Board",
      onMove: (move) => this.#move(move),
      onSay: (sentence) => this.panel.say(sentence),
      onType: (text) => this.panel.type(text),
      onSound: services.playSound,
      tray: (side) => this.panel.tray(side),
    });
    /** The display of a session. @type {Display} */
    this.display = {
      show: (view) => this.#show(view),
      trouble: (sentence, retry) => toast(sentence, { "Try again": retry }),
    };
    byId("new-game").addEventListener("click", () => this.#controller?.newGame());
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  get #session() {
    return this.#controller?.session ?? null;
  }

  /** Opens the screen for a controller. @param {Controller} controller */
  attach(controller) {
    this.#controller = controller;
    this.panel.place = controller.place;
    this.root.hidden = false;
  }

  /** Closes the screen. */
  detach() {
    this.#controller = null;
    this.#view = this.#preview = null;
    this.#isFlipped = false;
    this.#setMode("start");
    this.root.hidden = true;
  }

  /**
   * Shows the start of a game beside the start sheet or another one. Throws a sentence if the game is invalid.
   * @param {Start} start
   * @param {string | null} whyNot why pieces cannot be moved; null if they can be, when it is the player's turn
   * @param {{sheet?: HTMLElement | null, isFlipped?: boolean}} [looks]
   */
  preview(start, whyNot, { sheet = null, isFlipped = false } = {}) {
    const isNew = !this.#preview || sheet !== this.#sheet;
    this.#preview = { start, whyNot };
    if (isNew) {
      this.#isFlipped = isFlipped;
      this.#setMode("start", sheet);
    }
    this.#showPreview();
  }

  /** Redraws everything, after a change of options. */
  redraw() {
    const game = this.#session?.game;
    if (game && this.#view && !this.#preview) {
      // The clocks have run on.
      this.#view = game.look(this.#view.shown);
      void this.#draw(null);
    } else if (this.#preview) {
      this.#showPreview();
    }
  }

  /**
   * Asks before leaving a game in progress.
   * @param {string[]} answers the first one stays; the last one is returned if there is nothing to ask
   */
  async leave(answers) {
    return this.#controller ? this.#controller.leave(answers) : answers.at(-1);
  }

  /** Shows the next game from its default side. */
  unflip() {
    this.#isFlipped = false;
  }

  /** Presses a button. @param {ButtonName | "flip"} name */
  async #press(name) {
    if (name === "flip") {
      this.#isFlipped = !this.#isFlipped;
      return this.redraw();
    }
    const game = this.#session?.game;
    if (!game) return;
    if (name !== "resign" && this.#isMidJump()) return;
    // It may have become possible since the last view.
    const { enabled, why_not, confirm } = game.refresh().buttons[name];
    if (!enabled) return this.panel.say(why_not ?? "");
    const yes = name === "resign" ? "Resign" : "Yes";
    if (confirm && (await ask(confirm, ["Cancel", yes])) !== yes) return;
    this.#send(/** @type {any} */ ({ type: name }));
  }

  /** @param {Parameters<Session["send"]>[0]} command */
  #send(command) {
    const refusal = this.#session?.send(command);
    if (refusal) this.panel.say(refusal);
  }

  /** @param {Move} move */
  #move(move) {
    if (this.#preview) this.#controller?.start?.();
    this.#send({ type: "move", move: move.move });
  }

  /** @param {Offer} offer @param {boolean} accept */
  #answer(offer, accept) {
    this.#send(/** @type {any} */ ({ type: `answer_${offer}`, accept }));
  }

  /** Is a jump unfinished? Then the board says that it must be completed. @returns {boolean} */
  #isMidJump() {
    const is = this.board.hand.length > 1;
    if (is) this.board.touch(null);
    return is;
  }

  /** Shows the board after a number of moves. @param {number} plies */
  #look(plies) {
    const game = this.#session?.game;
    if (!game || !this.#view || this.#isMidJump()) return;
    const wanted = Math.max(0, Math.min(game.view.list.length, plies));
    if (wanted === this.#view.shown) return;
    const view = game.look(wanted);
    const isNext = wanted === this.#view.shown + 1;
    this.#view = view;
    void this.#draw(isNext ? view.last_move : null);
    this.panel.announce(view.last_move?.sentence ?? "The first position.");
  }

  /** Shows the view after a step of the game. @param {View} view */
  #show(view) {
    // The preview's orientation does not carry over to the game.
    if (this.#preview && this.#sheet) this.#isFlipped = false;
    const last = this.#preview ? null : this.#view;
    this.#preview = null;
    const isNext = view.shown === (last?.shown ?? NaN) + 1;
    const isMove = view.list.length === (last?.list.length ?? NaN) + 1;
    if (!last) this.#setMode("play");
    const offers = this.panel.offers(view).map(({ sentence }) => sentence);
    const words = [view.notice, view.outcome?.headline, view.still_there?.sentence, ...offers, view.status].filter(Boolean).join(" ");
    const announced = `${view.list.length} ${words}`;
    const isNews = announced !== this.#announced;
    // A player who looks back stays there until something happens.
    if (!isNews && last && last.shown < last.list.length) return Promise.resolve();
    this.#view = view;
    const rest = this.#draw(isNext ? view.last_move : null);
    if (!isNews) return rest;
    this.#announced = announced;
    this.panel.announce([isMove && view.last_move?.sentence, words].filter(Boolean).join(" "));
    void this.#end(view, rest, !last?.outcome);
    return rest;
  }

  /**
   * @param {Move | null} move
   * @returns {Promise<unknown>} resolves when all animations have finished
   */
  #draw(move) {
    const view = /** @type {View} */ (this.#view);
    const looks = { numbers: this.#services.hasNumbers(view.rulebook), flipped: this.#isFlipped };
    const rest = this.board.show(view, looks, move);
    this.panel.update(view, this.board.bottom);
    byId("how").setAttribute("href", `/rules/${view.rulebook.id}`);
    return rest;
  }

  #showPreview() {
    if (!this.#preview) return;
    const { start, whyNot } = this.#preview;
    const { game } = this.#services.core.start(start);
    game.close();
    const waiting = { moves: [], must_jump: [], pieces: game.view.pieces.map((piece) => ({ ...piece, why_not: whyNot ?? "Press Play to begin." })) };
    this.#view = { ...game.view, ...((whyNot !== null || !game.view.your_turn) && waiting), turn: null, wake_at: null };
    void this.#draw(null);
  }

  /**
   * @param {View} view
   * @param {Promise<unknown>} rest
   * @param {boolean} isNew
   */
  async #end(view, rest, isNew) {
    if (!view.outcome) return this.#hideEnd();
    const announced = this.#announced;
    await rest;
    if (this.#announced !== announced) return;
    if (isNew) this.#services.playSound("end");
    await this.#showResult();
  }

  #hideEnd() {
    const end = byId("end");
    const hadFocus = end.contains(document.activeElement);
    end.hidden = true;
    if (hadFocus) refocus(BOARD_STOP);
  }

  /** Shows the result of the game. */
  async #showResult() {
    await loadPart(() => import("./screens/end.js"), ({ showEnd }) => {
      const [controller, game] = [this.#controller, this.#session?.game];
      if (!controller || !game?.view.outcome) return;
      showEnd(game, {
        controller,
        rematch: this.panel.offers(game.view).find(({ offer }) => offer === "rematch"),
        decline: () => this.#answer("rematch", false),
        review: () => void this.#services.review(() => this.#services.core.copy(game, "screen")),
        say: (sentence) => this.panel.say(sentence),
      });
    });
  }

  /** @param {"start" | "play"} mode @param {HTMLElement | null} sheet instead of the start sheet */
  #setMode(mode, sheet = null) {
    const hadFocus = document.activeElement !== document.body;
    this.root.dataset.mode = mode;
    this.#announced = "";
    byId("end").hidden = true;
    for (const id of ["status", "record", "buttons"]) byId(id).hidden = mode === "start";
    byId("start").hidden = mode === "play" || sheet !== null;
    this.#sheet?.remove();
    this.#sheet = sheet;
    if (sheet) byId("start").after(sheet);
    if (hadFocus) refocus(mode === "play" ? BOARD_STOP : ".go button");
  }

  /** Arrows look back, digits type a move. @param {KeyboardEvent} event */
  #onKey(event) {
    const target = event.target instanceof Element ? event.target : null;
    const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
    if (isTaken || target?.closest("input, select, textarea, dialog, [role=grid]") || !this.#session?.game) return;
    const shown = this.#view?.shown ?? 0;
    /** @type {Record<string, number>} */
    const looks = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: Infinity };
    const plies = looks[event.key];
    if (plies !== undefined) this.#look(plies);
    else if (/^[0-9]$/.test(event.key)) this.panel.type(event.key);
    else return;
    event.preventDefault();
  }
}
