/** The table: the board, what stands around it, and the game that is played on it. */

import { Board } from "./board/board.js";
import { BOARD_STOP, byId, refocus } from "./dom.js";
import { Panel } from "./panel.js";
import { Session } from "./session.js";
import { colourOf, startOf, StartSheet } from "./start.js";
import { sentenceOf } from "./wasm.js";

/** @import { Core, LiveGame } from "./core.js" */
/** @import { About } from "./screens/review.js" */
/** @import { Thinker } from "./thinker.js" */
/** @import { Screen } from "./session.js" */
/** @import { Store } from "./store.js" */
/** @import { Sound } from "./sound.js" */
/** @import { OnlineSession } from "./online/session.js" */
/** @import { ButtonName, Move, Offer, Rulebook, Start, View } from "./types.js" */

/**
 * What is different in a game over a link.
 * @typedef {object} Online
 * @property {() => void} again what *New game* does
 * @property {() => string | null} question asked before the game is left, which goes on
 * @property {(view: View) => string} label what that is called at the end
 * @property {HTMLElement} line who is connected, for where the end covers it
 */

/** What may be answered to the question before a new game. */
const LEAVE = { no: "Keep playing", change: "Change options", yes: "New game" };

/** Everything on the first screen. */
export class Table {
  /** The view on the board. @type {View | null} */
  #view = null;
  /** What was told last, so that nothing is told twice. */
  #told = "";
  #flipped = false;
  /** In a game over a link. @type {Online | null} */
  online = null;
  /** A game over a link that has not begun, and why nothing can be moved. @type {{start: Start, why: string} | null} */
  #invited = null;
  /** Switches to a new version, if one is waiting. The page is loaded anew and goes on with its game. @type {(() => void) | null} */
  update = null;

  /**
   * @param {Core} core
   * @param {Thinker} thinker
   * @param {Store} store
   */
  constructor(core, thinker, store) {
    this.core = core;
    this.thinker = thinker;
    this.store = store;
    this.root = byId("table");
    this.panel = new Panel(core.catalog, {
      press: (name) => void this.press(name),
      answer: (offer, accept) => this.#answer(offer, accept),
      stillHere: () => this.#say(this.session.send({ type: "still_here" })),
      look: (plies) => this.look(plies),
      type: (text) => (this.#isMidJump() ? null : this.session.send({ type: "move", move: text })),
      result: () => void this.#result(),
      clockText: (ms) => core.clockText(ms),
    });
    this.board = new Board(byId("board"), {
      name: "Board",
      onMove: (move) => this.#move(move),
      onSay: (sentence) => this.panel.say(sentence),
      onType: (text) => this.panel.type(text),
      onSound: (what) => void this.#sound(what),
      tray: (side) => this.panel.tray(side),
    });
    /** Where a session shows its game. @type {Screen} */
    this.screen = {
      show: (view) => this.#show(view),
      trouble: (sentence, again) => this.note(sentence, { "Try again": again }),
    };
    /** The game on this screen alone. */
    this.local = new Session(core, thinker, store, this.screen);
    /** The game on the board. @type {Session | OnlineSession} */
    this.session = this.local;
    this.sheet = new StartSheet(byId("start"), core.catalog, store.choices, {
      onChange: (choices) => {
        store.choices = choices;
        this.#preview();
      },
      onPlay: () => this.play(),
      onSetUp: () => void this.setUp(),
      onOpen: () => void this.openFile(),
      onInvite: () => void this.part(() => import("./online/invite.js"), ({ showInvite }) => showInvite(this)),
    });
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** The game that is on. */
  get game() {
    return this.session.game;
  }

  /**
   * Plays a game over a link in place of the local one.
   * @param {OnlineSession} session
   * @param {Online} online
   */
  playAt(session, online) {
    this.session = session;
    this.panel.place = "link";
    this.online = online;
  }

  /** Makes a sound, unless sounds are off. @param {Sound} sound */
  sound(sound) {
    void this.#sound(sound);
  }

  /** Goes on with the game that was on, or asks what to play. @param {() => boolean} resume is there a game? */
  open(resume = () => this.local.resume()) {
    try {
      if (resume()) return;
      if (this.store.isDamaged) this.#setAside("");
    } catch (error) {
      this.#setAside(` ${sentenceOf(error)}`);
    }
    this.choose();
  }

  /** @param {string} reason */
  #setAside(reason) {
    this.store.setAside();
    this.note(`The saved game was set aside, because it cannot be read.${reason} It is kept under Games.`);
  }

  /** Asks what to play. */
  choose() {
    if (this.online || this.#invited) return location.assign("/");
    this.local.discard();
    this.#flipped = false;
    this.#setMode("start");
    this.#preview();
  }

  /** Begins the game that is chosen. */
  play() {
    this.board.settle();
    this.#flipped = false;
    try {
      this.local.start(startOf(this.sheet.choices, this.core.catalog, seed()));
    } catch (error) {
      this.sheet.trouble.textContent = sentenceOf(error);
      return;
    }
    // A position is for one sitting; whoever comes back another day begins as usual.
    this.store.choices = { ...this.sheet.choices, position: "" };
    document.querySelector(BOARD_STOP)?.scrollIntoView({ block: "nearest" });
    this.update?.();
  }

  /** Presses a button. @param {ButtonName | "flip"} name */
  async press(name) {
    const { game } = this.session;
    if (name === "flip") {
      this.#flipped = !this.#flipped;
      this.redraw();
      return;
    }
    if (!game) return;
    if (name !== "resign" && this.#isMidJump()) return;
    // Time may have made it possible since the last view.
    const { enabled, why_not, confirm } = game.refresh().buttons[name];
    if (!enabled) return this.panel.say(why_not ?? "");
    const yes = name === "resign" ? "Resign" : "Yes";
    if (confirm && (await this.#ask(confirm, ["Cancel", yes])) !== yes) return;
    this.#say(this.session.send(/** @type {any} */ ({ type: name })));
  }

  /** Leaves this game for another one of the same kind. In the middle of a game it asks first. */
  async newGame() {
    if (this.online) return this.online.again();
    const { game } = this.session;
    if (!game) return;
    const isOver = game.view.outcome !== null;
    if (!isOver && !game.view.buttons.new_game.confirm) return this.choose();
    const answer = await this.giveUp(Object.values(LEAVE));
    if (answer === LEAVE.no) return;
    this.#flipped = false;
    if (answer === LEAVE.change) return this.choose();
    this.#say(this.session.send({ type: "rematch" }));
    this.update?.();
  }

  /**
   * Asks before a game is left in the middle, and gives it up, unless it goes on at its link.
   * @param {string[]} answers the first one keeps it; the last one holds where there is nothing to ask
   * @returns {Promise<string | undefined>} the answer that holds
   */
  async giveUp(answers) {
    const confirm = this.online ? this.online.question() : this.session.game?.view.buttons.new_game.confirm;
    const answer = confirm ? ((await this.#ask(confirm, answers)) ?? answers[0]) : answers.at(-1);
    if (!confirm || this.online || answer === answers[0]) return answer;
    const refusal = this.session.send({ type: "forfeit" });
    this.#say(refusal);
    return refusal === null ? answer : answers[0];
  }

  /** A jump that was begun has to be carried through, which is said. @returns {boolean} */
  #isMidJump() {
    const is = this.board.hand.length > 1;
    if (is) this.board.touch(null);
    return is;
  }

  /** Shows the board after so many moves. @param {number} plies */
  look(plies) {
    const { game } = this.session;
    if (!game || !this.#view || this.#isMidJump()) return;
    const all = game.view.list.length;
    const wanted = Math.max(0, Math.min(all, plies));
    if (wanted === this.#view.shown) return;
    const view = game.look(wanted);
    const isNext = wanted === this.#view.shown + 1;
    this.#view = view;
    void this.#draw(isNext ? view.last_move : null);
    this.panel.announce(view.last_move?.sentence ?? "The first position.");
  }

  /** Draws everything again, after a change of options. */
  redraw() {
    const { game } = this.session;
    if (!game || !this.#view) return this.#preview();
    // The clocks have gone on.
    this.#view = game.look(this.#view.shown);
    void this.#draw(null);
  }

  /**
   * Says something that is not about the game, with what can be done about it.
   * @param {string} sentence
   * @param {Record<string, () => void>} [actions]
   */
  note(sentence, actions) {
    import("./screens/note.js").then(
      ({ note }) => note(sentence, actions),
      () => this.#sayPlainly(sentence),
    );
  }

  /** Says it with what is there from the beginning. @param {string} sentence */
  #sayPlainly(sentence) {
    this.sheet.trouble.textContent = sentence;
    this.panel.say(sentence);
  }

  /**
   * Fetches a part of the page and has something done with it. One that cannot be had is told.
   * @template Part, Done
   * @param {() => Promise<Part>} load
   * @param {(part: Part) => Done} then
   * @returns {Promise<Awaited<Done> | null>}
   */
  async part(load, then) {
    const part = await load().catch(() => null);
    if (part) return await then(part);
    this.note("That part of the page could not be loaded. Try again when you are connected.");
    return null;
  }

  /** Sets a position up. */
  async setUp() {
    const fen = await this.part(() => import("./screens/editor.js"), ({ editor }) => editor(this.core, this.sheet.choices));
    if (fen !== null) this.sheet.choose({ position: fen });
  }

  /** Reads a game from a file or from text. */
  async openFile() {
    await this.part(() => import("./screens/open.js"), ({ openGame }) => openGame(this));
  }

  /** Opens a game to look through. @param {() => LiveGame} open @param {About} [about] */
  async review(open, about = {}) {
    await this.part(() => import("./screens/review.js"), ({ review }) => review(this, open(), about));
  }

  /**
   * A step of the game.
   * @param {View} view
   */
  #show(view) {
    if (this.#invited) this.#flipped = false;
    this.#invited = null;
    const last = this.root.dataset.mode === "play" ? this.#view : null;
    const isNext = view.shown === (last?.shown ?? NaN) + 1;
    const isMove = view.list.length === (last?.list.length ?? NaN) + 1;
    if (!last) this.#setMode("play");
    const offers = this.panel.offers(view).map(({ sentence }) => sentence);
    const words = [view.notice, view.outcome?.headline, view.still_there?.sentence, ...offers, view.status].filter(Boolean).join(" ");
    const told = `${view.list.length} ${words}`;
    const isNews = told !== this.#told;
    // Whoever looks back goes on looking until something happens.
    if (!isNews && last && last.shown < last.list.length) return Promise.resolve();
    this.#view = view;
    const rest = this.#draw(isNext ? view.last_move : null);
    if (!isNews) return rest;
    this.#told = told;
    this.panel.announce([isMove && view.last_move?.sentence, words].filter(Boolean).join(" "));
    void this.#end(view, rest, !last?.outcome);
    return rest;
  }

  /**
   * @param {Move | null} move
   * @returns {Promise<unknown>} when everything has come to rest
   */
  #draw(move) {
    const view = /** @type {View} */ (this.#view);
    const rest = this.board.show(view, this.#looks(view), move);
    this.panel.update(view, this.board.bottom);
    return rest;
  }

  /**
   * The board of a game that somebody is invited to, with something in the place of the questions.
   * @param {Start} start
   * @param {string} why nothing can be moved yet
   * @param {HTMLElement} sheet
   * @param {boolean} isGuest sees it from the other side
   */
  layOut(start, why, sheet, isGuest) {
    this.#invited = { start, why };
    this.#flipped = isGuest;
    this.#setMode("start");
    byId("start").hidden = true;
    byId("start").after(sheet);
    this.#preview();
  }

  /** The board as the game that is chosen or invited to would begin. */
  #preview() {
    const { trouble } = this.sheet;
    trouble.textContent = "";
    try {
      if (this.#invited) this.#showFirst(this.#invited.start, this.#invited.why);
      else this.#previewChoices();
    } catch (error) {
      trouble.textContent = sentenceOf(error);
    }
  }

  #previewChoices() {
    const { choices } = this.sheet;
    // Where nothing is left to chance the first move can be made right away.
    const isOpen = choices.opening === "random" || colourOf(choices, this.core.catalog) === "random";
    this.#showFirst(startOf({ ...choices }, this.core.catalog, 1), isOpen ? "Press Play to begin." : null);
  }

  /** @param {Start} start @param {string | null} why nothing can be moved; null if it can, in one's own turn */
  #showFirst(start, why) {
    const { game } = this.core.start(start);
    game.close();
    const waiting = { moves: [], must_jump: [], pieces: game.view.pieces.map((piece) => ({ ...piece, why_not: why ?? "Press Play to begin." })) };
    const view = { ...game.view, ...((why !== null || !game.view.your_turn) && waiting), turn: null, wake_at: null };
    this.#view = view;
    void this.board.show(view, this.#looks(view));
    this.panel.update(view, this.board.bottom);
  }

  /** @param {View} view */
  #looks(view) {
    return { numbers: this.hasNumbers(view.rulebook), flipped: this.#flipped };
  }

  /** Are there numbers on the squares? @param {Rulebook} book */
  hasNumbers(book) {
    const { numbers } = this.store.options;
    return numbers === "auto" ? book.shows_numbers : numbers === "on";
  }

  /** @param {Move} move */
  #move(move) {
    if (!this.session.game && !this.online) this.play();
    this.#say(this.session.send({ type: "move", move: move.move }));
  }

  /** @param {Offer} offer @param {boolean} accept */
  #answer(offer, accept) {
    this.#say(this.session.send(/** @type {any} */ ({ type: `answer_${offer}`, accept })));
  }

  /** @param {string | null} refusal */
  #say(refusal) {
    if (refusal) this.panel.say(refusal);
  }

  /**
   * @param {View} view
   * @param {Promise<unknown>} rest
   * @param {boolean} isNew
   */
  async #end(view, rest, isNew) {
    if (!view.outcome) return this.#hideEnd();
    const told = this.#told;
    await rest;
    if (this.#told !== told) return;
    if (isNew) void this.#sound("end");
    await this.#result();
  }

  #hideEnd() {
    const end = byId("end");
    const hadFocus = end.contains(document.activeElement);
    end.hidden = true;
    if (hadFocus) refocus(BOARD_STOP);
  }

  /** Shows how the game ended. */
  async #result() {
    await this.part(() => import("./screens/end.js"), ({ showEnd }) => {
      const view = this.session.game?.view;
      if (view?.outcome) showEnd(this, view);
    });
  }

  /** @param {string} question @param {string[]} answers */
  async #ask(question, answers) {
    return this.part(() => import("./screens/dialog.js"), ({ ask }) => ask(question, answers));
  }

  /** @param {Sound} what */
  async #sound(what) {
    if (!this.store.options.sound) return;
    // A sound that cannot be fetched is not worth a word.
    await import("./sound.js").then(({ play }) => play(what)).catch(() => {});
  }

  /** @param {"start" | "play"} mode */
  #setMode(mode) {
    const hadFocus = document.activeElement !== document.body;
    this.root.dataset.mode = mode;
    this.#told = "";
    byId("end").hidden = true;
    for (const id of ["status", "record", "buttons"]) byId(id).hidden = mode === "start";
    byId("start").hidden = mode === "play";
    if (hadFocus) refocus(mode === "play" ? BOARD_STOP : ".go button");
  }

  /** Arrows look back, figures type a move. @param {KeyboardEvent} event */
  #onKey(event) {
    const target = event.target instanceof Element ? event.target : null;
    const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
    if (isTaken || target?.closest("input, select, textarea, dialog, [role=grid]") || !this.session.game) return;
    const shown = this.#view?.shown ?? 0;
    /** @type {Record<string, number>} */
    const looks = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: Infinity };
    const plies = looks[event.key];
    if (plies !== undefined) this.look(plies);
    else if (/^[0-9]$/.test(event.key)) this.panel.type(event.key);
    else return;
    event.preventDefault();
  }
}

/** A number for all that a game leaves to chance. */
function seed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
