/**
 * The games of the page: commands go in; views, records for the log and effects come out. All rules are in the
 * WebAssembly module; see types.d.ts for what passes.
 */

import { Breakdown, load, Wasm } from "./wasm.js";

/** @import { Catalog, Command, GameRecord, Moment, PositionRead, RecordedGame, Snapshot, Start, Step, View, Who } from "./types.js" */

/** The module of the rules, loaded once. */
export class Core {
  /** @type {Wasm} */
  #wasm;
  /** @type {Set<LiveGame>} */
  #open = new Set();
  #numbers = 0;

  #module;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
    this.#wasm = new Wasm(module);
    /** What there is to choose from. @type {Catalog} */
    this.catalog = this.ask({ method: "catalog" });
  }

  /**
   * Fetches and compiles the module.
   * @param {URL} url
   */
  static async load(url = new URL("./game.wasm", import.meta.url)) {
    return new Core(await load(url));
  }

  /**
   * Begins a game. What cannot be is thrown as a sentence.
   * @param {Start} start
   * @param {Who} who
   */
  start(start, who = "screen") {
    return this.#opened(who, (game) => game.ask({ method: "start", start }));
  }

  /**
   * Goes on with a game from its log. A damaged log is thrown as a sentence. Carry out the effects of the step: the
   * computer may have been thinking.
   * @param {GameRecord[]} records
   * @param {Who} who
   */
  replay(records, who = "screen") {
    return this.#opened(who, (game) => {
      const step = game.ask({ method: "replay", records });
      game.log.push(...records);
      return step;
    });
  }

  /**
   * Goes on with a game from a snapshot and the records after it. A damaged one is thrown as a sentence.
   * @param {Snapshot} snapshot
   * @param {GameRecord[]} records
   * @param {Who} who
   */
  restore(snapshot, records = [], who = "screen") {
    return this.#opened(who, (game) => {
      const step = game.ask({ method: "replay", snapshot, records });
      game.snapshot = snapshot;
      game.log.push(...records);
      return step;
    });
  }

  /**
   * The same game once more, for somebody who may look with other eyes.
   * @param {LiveGame} game
   * @param {Who} who
   */
  copy({ snapshot, log, moment, who: owner }, who = owner) {
    const { game } = snapshot ? this.restore(snapshot, log, who) : this.replay(log, who);
    game.moment = moment;
    return game;
  }

  /** Makes a move that nobody sees, so that the first real one finds the code compiled. */
  rehearse() {
    const { game } = this.start({ players: [{ kind: "human" }, { kind: "human" }], seed: 1 });
    game.send({ type: "move", move: "11-15" });
    game.close();
  }

  /**
   * Opens a game that was played elsewhere, with the player of Black first. It goes to its last move, whatever would have
   * ended it here.
   * @param {Start} start
   * @param {string[]} moves
   */
  study(start, moves) {
    return this.#opened("screen", (game) => game.ask({ method: "study", start, moves })).game;
  }

  /**
   * Reads a position. What cannot be is thrown as a sentence.
   * @param {string} fen
   * @returns {PositionRead}
   */
  position(fen) {
    return this.ask({ method: "position", fen });
  }

  /** What a game would be played by, in a sentence. @param {Start} start @returns {string} */
  terms(start) {
    return this.ask({ method: "terms", start }).text;
  }

  /** What a clock shows. @param {number} left_ms @returns {string} */
  clockText(left_ms) {
    return this.ask({ method: "clock_text", left_ms: Math.ceil(left_ms) }).text;
  }

  /**
   * Reads the games of a file. A text without games is thrown as a sentence.
   * @param {string} text
   * @returns {RecordedGame[]}
   */
  readPdn(text) {
    return this.ask({ method: "read_pdn", text }).games;
  }

  /**
   * @param {object} request
   * @returns {any}
   */
  ask(request) {
    try {
      return this.#wasm.call("core", request);
    } catch (error) {
      if (error instanceof Breakdown) this.#recover();
      throw error;
    }
  }

  /** @param {LiveGame} game */
  forget(game) {
    this.#open.delete(game);
  }

  /**
   * @param {Who} who
   * @param {(game: LiveGame) => Step} open
   */
  #opened(who, open) {
    const game = new LiveGame(this, ++this.#numbers, who);
    const step = open(game);
    this.#open.add(game);
    return { game, step };
  }

  /** A new instance with all games as their logs have them. */
  #recover() {
    this.#wasm = new Wasm(this.#module);
    for (const game of this.#open) game.reread();
  }
}

/** One game on the page, with its log. */
export class LiveGame {
  /** What the log goes on from; null if it goes back to the start. @type {Snapshot | null} */
  snapshot = null;
  /** All that happened, or all since the snapshot. @type {GameRecord[]} */
  log = [];
  /** What is known of the moment: over a link the server's time, and who is away. @type {() => Moment} */
  moment = () => ({ now: Date.now() });
  /** Commands that wait for the server: views show them as if they were carried out. @type {Command[]} */
  pending = [];
  /** As it stands. @type {View} */
  view = /** @type {any} */ (undefined);

  #core;
  #number;

  /**
   * @param {Core} core
   * @param {number} number
   * @param {Who} who
   */
  constructor(core, number, who) {
    this.#core = core;
    this.#number = number;
    this.who = who;
  }

  /** How many records it has. */
  get seq() {
    return (this.snapshot?.seq ?? 0) + this.log.length;
  }

  /** When it began; null if it has no log. */
  get startedAt() {
    return this.snapshot?.started_at ?? this.log[0]?.at ?? null;
  }

  /**
   * Gives a command. A refusal is no error: it is the sentence under `refusal`.
   * @param {Command} command
   * @returns {Step}
   */
  send(command) {
    return this.ask({ method: "command", command });
  }

  /**
   * Takes in records that the server made.
   * @param {GameRecord[]} records
   * @returns {Step}
   */
  absorb(records) {
    const step = this.ask({ method: "absorb", records });
    this.log.push(...records);
    return step;
  }

  /**
   * The game with the board as it was after so many moves. `view` stays as it is.
   * @param {number} plies
   * @returns {View}
   */
  look(plies) {
    return this.#request({ method: "view", plies, commands: this.pending }).view;
  }

  /** Brings the clocks of `view` up to date. */
  refresh() {
    return this.ask({ method: "view", commands: this.pending }).view;
  }

  /** Why a command would be refused after those that wait; null if it would not be. @param {Command} command @returns {string | null} */
  refusalOf(command) {
    return this.#request({ method: "view", commands: [...this.pending, command] }).refusal;
  }

  /**
   * The game as a file.
   * @param {string | null} date as 2026.02.28, or nothing if it is not known
   * @returns {string}
   */
  pdn(date) {
    return this.#request({ method: "write_pdn", date }).text;
  }

  /** Lets go of it. The log remains. */
  close() {
    this.#core.forget(this);
    this.#request({ method: "close" });
  }

  /** Reads the log again, after the module broke down. */
  reread() {
    const { snapshot, log } = this;
    this.#request({ method: "replay", snapshot, records: log });
  }

  /**
   * Asks and keeps the new view and what is new in the log.
   * @param {object} request
   * @returns {Step}
   */
  ask(request) {
    const step = this.#request(request);
    this.view = step.view;
    this.log.push(...step.records);
    return step;
  }

  /** @param {object} request */
  #request(request) {
    return this.#core.ask({ ...request, game: this.#number, who: this.who, moment: this.moment() });
  }
}
