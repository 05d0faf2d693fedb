/** The screen at `/`: the start sheet and the local game. */

import { ask, BOARD_STOP, byId, loadPart, toast } from "./dom.js";
import { Session } from "./session.js";
import { colourOf, startOf, StartSheet } from "./start.js";
import { sentenceOf } from "./wasm.js";

/** @import { Core } from "./core.js" */
/** @import { GameScreen } from "./game_screen.js" */
/** @import { Choices, Store } from "./store.js" */
/** @import { Thinker } from "./thinker.js" */

/**
 * What the screen needs from the page.
 * @typedef {object} Services
 * @property {Core} core
 * @property {Store} store
 * @property {GameScreen} gameScreen
 * @property {() => Promise<Thinker>} loadThinker
 * @property {(title: string) => void} setTitle
 * @property {() => void} openFile opens a game from a file
 * @property {() => void} invite invites a friend to a game over a link
 * @property {() => void} onStart called when a game starts
 */

/** The answers to the question before a new game. */
const ANSWERS = { stay: "Keep playing", options: "Change options", again: "New game" };

/** The first screen of the page. */
export class PlayScreen {
  #services;
  /** @type {import("./game_screen.js").Controller["place"]} */
  place = "screen";
  presence = null;
  otherGameLabel = "Change options";

  /** @param {Services} services */
  constructor(services) {
    this.#services = services;
    const { core, store, gameScreen, loadThinker, openFile, invite } = services;
    this.session = new Session(core, loadThinker, store, gameScreen.display);
    this.session.onTakenOver = (isThisGame) => this.#takenOver(isThisGame);
    this.sheet = new StartSheet(byId("start"), core.catalog, store.choices, {
      onChange: (choices) => {
        store.choices = choices;
        this.#preview();
      },
      onPlay: () => this.start(),
      onSetUp: () => void this.#setUp(),
      onOpen: openFile,
      onInvite: invite,
    });
  }

  /** Resumes the saved game, or shows the start sheet. */
  open() {
    this.#services.setTitle("Play checkers");
    this.#services.gameScreen.attach(this);
    this.#resume(() => this.session.resume());
  }

  /** The game stays saved and resumes when the screen is opened again. */
  close() {
    this.session.leave();
    this.#services.gameScreen.detach();
  }

  /** @param {() => boolean} resume is there a game? */
  #resume(resume) {
    const { store } = this.#services;
    try {
      if (resume()) return;
      if (store.isDamaged) this.#setAside("");
    } catch (error) {
      this.#setAside(` ${sentenceOf(error)}`);
    }
    this.#choose();
  }

  /** @param {string} reason */
  #setAside(reason) {
    this.#services.store.setAside();
    toast(`The saved game could not be read and was set aside.${reason} You will find it under Games.`);
  }

  /** @param {boolean} isThisGame */
  #takenOver(isThisGame) {
    const sentence = isThisGame
      ? "You are playing this game in another tab."
      : "You started a game in another tab, and only one can be saved.";
    toast(sentence, { "Play here": () => this.#resume(() => this.session.takeBack()) });
  }

  /** Shows the start sheet. */
  #choose() {
    this.session.discard();
    this.#preview();
  }

  /** Starts the chosen game. */
  start() {
    const { core, store, gameScreen, onStart } = this.#services;
    gameScreen.board.settle();
    gameScreen.unflip();
    try {
      this.session.start(startOf(this.sheet.choices, core.catalog, randomSeed()));
    } catch (error) {
      this.sheet.trouble.textContent = sentenceOf(error);
      return;
    }
    // A position is used once; the next visit starts from the initial position.
    store.choices = { ...this.sheet.choices, position: "" };
    document.querySelector(BOARD_STOP)?.scrollIntoView({ block: "nearest" });
    onStart();
  }

  newGameLabel() {
    return "New game";
  }

  /** Leaves this game for another one with the same choices, and asks first if it is in progress. */
  async newGame() {
    const view = this.session.game?.view;
    if (!view) return;
    if (!view.outcome && !view.buttons.new_game.confirm) return this.#choose();
    const answer = await this.leave(Object.values(ANSWERS));
    if (answer === ANSWERS.stay) return;
    this.#services.gameScreen.unflip();
    if (answer === ANSWERS.options) return this.#choose();
    const refusal = this.session.send({ type: "rematch" });
    if (refusal) this.#services.gameScreen.panel.say(refusal);
    this.#services.onStart();
  }

  /** Returns to the start sheet after a game. */
  otherGame() {
    this.#choose();
  }

  /**
   * Asks before leaving a game in progress, and forfeits it.
   * @param {string[]} answers the first one stays in the game; the last one is returned if there is nothing to ask
   * @returns {Promise<string | undefined>} the answer
   */
  async leave(answers) {
    const confirm = this.session.game?.view.buttons.new_game.confirm;
    if (!confirm) return answers.at(-1);
    const answer = await ask(confirm, answers);
    if (answer === answers[0]) return answer;
    const refusal = this.session.send({ type: "forfeit" });
    if (refusal) this.#services.gameScreen.panel.say(refusal);
    return refusal === null ? answer : answers[0];
  }

  /** Shows the start sheet with some choices made. @param {Partial<Choices>} choices */
  choose(choices) {
    this.#choose();
    this.sheet.choose(choices);
  }

  /** Opens the position editor. */
  async #setUp() {
    const { core } = this.#services;
    const fen = await loadPart(() => import("./screens/editor.js"), ({ editor }) => editor(core, this.sheet.choices));
    if (fen !== null) this.sheet.choose({ position: fen });
  }

  /** Shows the start of the chosen game on the board. */
  #preview() {
    const { core, gameScreen } = this.#services;
    const { choices, trouble } = this.sheet;
    trouble.textContent = "";
    // If nothing is left to chance, the first move can be made right away.
    const isOpen = choices.opening === "random" || colourOf(choices, core.catalog) === "random";
    try {
      gameScreen.preview(startOf(choices, core.catalog, 1), isOpen ? "Press Play to begin." : null);
    } catch (error) {
      trouble.textContent = sentenceOf(error);
    }
  }
}

/** The seed of a game's random choices. */
function randomSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
