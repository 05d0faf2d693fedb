/**
 * The games of the page: commands go in; views, records for the log and effects come out. All rules are in the
 * WebAssembly module; see types.d.ts for the types of requests and answers.
 */

import { Breakdown, load, Wasm } from "./wasm.js";

/** @import { Catalog, Command, GameRecord, Moment, PositionRead, RecordedGame, Snapshot, Start, Step, View, Who } from "./types.js" */

/** The WebAssembly module of the games, loaded once. */
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
    /** The choices for a new game. @type {Catalog} */
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
   * Starts a game. Throws a sentence if the choices are invalid.
   * @param {Start} start
   * @param {Who} who
   */
  start(start, who = "screen") {
    return this.#opened(who, (game) => game.ask({ method: "start", start }));
  }

  /**
   * Resumes a game from its log. Throws a sentence if the log is damaged. Carry out the effects of the step: the
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
   * Resumes a game from a snapshot and the records after it. Throws a sentence if they are damaged.
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
   * A copy of a game, possibly for another viewer.
   * @param {LiveGame} game
   * @param {Who} who
   */
  copy({ snapshot, log, moment, who: owner }, who = owner) {
    const { game } = snapshot ? this.restore(snapshot, log, who) : this.replay(log, who);
    game.moment = moment;
    return game;
  }

  /** Makes a hidden move, so that the code is compiled before the first real one. */
  rehearse() {
    const { game } = this.start({ players: [{ kind: "human" }, { kind: "human" }], seed: 1 });
    game.send({ type: "move", move: "11-15" });
    game.close();
  }

  /**
   * Opens a game that was played elsewhere, with the player of Black first. It continues to its last move, even if a
   * rule would have ended it earlier here.
   * @param {Start} start
   * @param {string[]} moves
   */
  study(start, moves) {
    return this.#opened("screen", (game) => game.ask({ method: "study", start, moves })).game;
  }

  /**
   * Reads a position. Throws a sentence if it is invalid.
   * @param {string} fen
   * @returns {PositionRead}
   */
  position(fen) {
    return this.ask({ method: "position", fen });
  }

  /** The terms of a game in a sentence. @param {Start} start @returns {string} */
  terms(start) {
    return this.ask({ method: "terms", start }).text;
  }

  /** The remaining time as a clock shows it. @param {number} left_ms @returns {string} */
  clockText(left_ms) {
    return this.ask({ method: "clock_text", left_ms: Math.ceil(left_ms) }).text;
  }

  /**
   * Reads the games of a PDN file. Throws a sentence if the text has none.
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

  /** Creates a new instance and replays all open games from their logs. */
  #recover() {
    this.#wasm = new Wasm(this.#module);
    for (const game of this.#open) game.reread();
  }
}

/** One game on the page, with its log. */
export class LiveGame {
  /** The state that the log continues from; null if the log begins with the start. @type {Snapshot | null} */
  snapshot = null;
  /** All records, or all since the snapshot. @type {GameRecord[]} */
  log = [];
  /** The current moment: the time, and over a link the server's time and who is away. @type {() => Moment} */
  moment = () => ({ now: Date.now() });
  /** Commands that the server has not confirmed yet; views show them as carried out. @type {Command[]} */
  pending = [];
  /** The current view. @type {View} */
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

  /** The number of records. */
  get seq() {
    return (this.snapshot?.seq ?? 0) + this.log.length;
  }

  /** When the game began; null if it has no log. */
  get startedAt() {
    return this.snapshot?.started_at ?? this.log[0]?.at ?? null;
  }

  /**
   * Sends a command. A refusal is not an error: it is the sentence under `refusal`.
   * @param {Command} command
   * @returns {Step}
   */
  send(command) {
    return this.ask({ method: "command", command });
  }

  /**
   * Applies records that the server made.
   * @param {GameRecord[]} records
   * @returns {Step}
   */
  absorb(records) {
    const step = this.ask({ method: "absorb", records });
    this.log.push(...records);
    return step;
  }

  /**
   * The view with the board as it was after `plies` moves. `view` is unchanged.
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

  /**
   * Why a command would be refused after the pending ones; null if it would not be.
   * @param {Command} command
   * @returns {string | null}
   */
  refusalOf(command) {
    return this.#request({ method: "view", commands: [...this.pending, command] }).refusal;
  }

  /**
   * The game as PDN.
   * @param {string | null} date as 2026.02.28, or null if it is unknown
   * @returns {string}
   */
  pdn(date) {
    return this.#request({ method: "write_pdn", date }).text;
  }

  /** Closes the game in the module. The log remains. */
  close() {
    this.#core.forget(this);
    this.#request({ method: "close" });
  }

  /** Replays the log, after the module broke down. */
  reread() {
    const { snapshot, log } = this;
    this.#request({ method: "replay", snapshot, records: log });
  }

  /**
   * Sends a request and stores the new view and the new records.
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
