/**
 * The store in the browser's local storage: options, the choices for the next game, the current game, and finished
 * games. Without storage it keeps everything until the page is closed, and says so.
 */

/** @import { GameRecord, RulebookId, Side } from "./types.js" */

/**
 * The options for looks and sound.
 * @typedef {object} Options
 * @property {"auto" | "light" | "dark"} theme
 * @property {"walnut" | "green" | "slate" | "ink" | "night"} board
 * @property {"auto" | "on" | "off"} numbers
 * @property {boolean} sound
 *
 * The choices for the next game.
 * @typedef {object} Choices
 * @property {"computer" | "two"} against
 * @property {number} level
 * @property {Side | "random" | null} colour of the first player; null for the rule book's default
 * @property {RulebookId} rulebook
 * @property {number} minutes of the clock; 0 for none
 * @property {number} increment in seconds
 * @property {"none" | "random" | number} opening
 * @property {string} position FEN, or empty for the initial position
 * @property {[string, string]} names
 *
 * The current game. `alive` is when the page last ran it.
 * @typedef {{id: string, log: GameRecord[], alive: number}} Saved
 *
 * A finished game, as the list shows it.
 * @typedef {object} Finished
 * @property {string} id
 * @property {number} at
 * @property {RulebookId} rulebook
 * @property {number | null} level
 * @property {Side | null} you
 * @property {[string, string]} names of Black and White
 * @property {Side | null} winner
 * @property {string} score
 * @property {string} sentence
 * @property {number} plies
 *
 * @typedef {{wins: number, draws: number, losses: number}} Tally
 */

/** @type {Options} */
const OPTIONS = { theme: "auto", board: "walnut", numbers: "auto", sound: true };

/** @type {Choices} */
const CHOICES = {
  against: "computer",
  level: 3,
  colour: null,
  rulebook: "american",
  minutes: 0,
  increment: 0,
  opening: "none",
  position: "",
  names: ["", ""],
};

/** This many finished games are kept with all their moves; older ones only count in the tallies. */
const KEPT_GAMES = 400;
const PREFIX = "crownhead.";

/** The store, in the browser's storage or in memory. */
export class Store {
  /** Called when something cannot be saved. @type {(sentence: string) => void} */
  onTrouble = () => {};
  /** @type {Map<string, string>} */
  #memory = new Map();
  #isTold = false;

  /** @param {() => Storage} storage may throw where the browser refuses */
  constructor(storage) {
    /** @type {Storage | null} */
    this.storage = null;
    try {
      this.storage = storage();
      this.storage.getItem(PREFIX);
    } catch {
      this.storage = null;
    }
  }

  /** @returns {Options} */
  get options() {
    return { ...OPTIONS, ...this.#read("options", {}) };
  }

  set options(options) {
    this.#write("options", options);
  }

  /** @returns {Choices} */
  get choices() {
    return { ...CHOICES, ...this.#read("choices", {}) };
  }

  set choices(choices) {
    this.#write("choices", choices);
  }

  /** The player's name in games over a link; null if it was never set. @returns {string | null} */
  get linkName() {
    return this.#read("link-name", null);
  }

  set linkName(name) {
    this.#write("link-name", name);
  }

  /** @returns {Saved | null} */
  get game() {
    const saved = this.#read("game", null);
    return saved && Array.isArray(saved.log) ? saved : null;
  }

  set game(saved) {
    if (saved) this.#write("game", saved);
    else this.#remove("game");
  }

  /** Is the saved game unreadable? */
  get isDamaged() {
    return this.game === null && this.#get("game") !== null;
  }

  /** Sets an unreadable game aside without deleting it. */
  setAside() {
    const text = this.#get("game");
    // Removed first, because there may not be room for both.
    this.#remove("game");
    if (text !== null) this.#set(`damaged.${Date.now()}`, text);
  }

  /** The unreadable games that were set aside, each with the time of that. @returns {[number, string][]} */
  get aside() {
    return this.#keys("damaged.").map((key) => [Number(key.slice("damaged.".length)), this.#get(key) ?? ""]);
  }

  /** The finished games, newest first. @returns {Finished[]} */
  get finished() {
    const games = this.#read("finished", []);
    return Array.isArray(games) ? games : [];
  }

  /** @param {string} id @returns {GameRecord[] | null} */
  log(id) {
    return this.#read(`log.${id}`, null);
  }

  /**
   * Adds a finished game, or replaces its earlier entry.
   * @param {Finished} game
   * @param {GameRecord[]} log
   */
  finish(game, log) {
    const games = [game, ...this.finished.filter(({ id }) => id !== game.id)];
    for (const old of games.splice(KEPT_GAMES)) this.#retire(old);
    this.#write(`log.${game.id}`, log);
    this.#write("finished", games);
  }

  /** Removes a game from the list, because it continues or the player deletes it. @param {string} id */
  unfinish(id) {
    this.#remove(`log.${id}`);
    this.#write("finished", this.finished.filter((game) => game.id !== id));
  }

  /**
   * The results against the computer by level, including games that are no longer listed.
   * @returns {Record<string, Tally>}
   */
  get tallies() {
    /** @type {Record<string, Tally>} */
    const tallies = this.#read("tallies", {});
    for (const game of this.finished) count(tallies, game);
    return tallies;
  }

  /** @param {Finished} game */
  #retire(game) {
    /** @type {Record<string, Tally>} */
    const tallies = this.#read("tallies", {});
    count(tallies, game);
    this.#write("tallies", tallies);
    this.#remove(`log.${game.id}`);
  }

  /** @param {string} key @param {any} otherwise */
  #read(key, otherwise) {
    try {
      return JSON.parse(this.#get(key) ?? "null") ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  /** @param {string} key @param {unknown} value */
  #write(key, value) {
    this.#set(key, JSON.stringify(value));
  }

  /** @param {string} key */
  #get(key) {
    return this.#memory.get(key) ?? this.storage?.getItem(PREFIX + key) ?? null;
  }

  /** @param {string} key @param {string} text */
  #set(key, text) {
    try {
      if (!this.storage) throw new Error("refused");
      this.storage.setItem(PREFIX + key, text);
      this.#memory.delete(key);
    } catch {
      this.#memory.set(key, text);
      if (this.#isTold) return;
      this.#isTold = true;
      this.onTrouble(
        this.storage
          ? "The browser's storage is full, so this game will be lost when you close the page. You can delete old games under Games."
          : "This browser does not let the page save anything, so the game will be lost when you close the page.",
      );
    }
  }

  /** @param {string} key */
  #remove(key) {
    this.#memory.delete(key);
    this.storage?.removeItem(PREFIX + key);
  }

  /** @param {string} prefix */
  #keys(prefix) {
    const kept = this.storage ? Object.keys(this.storage).filter((key) => key.startsWith(PREFIX)) : [];
    const all = [...kept.map((key) => key.slice(PREFIX.length)), ...this.#memory.keys()];
    return [...new Set(all)].filter((key) => key.startsWith(prefix)).toSorted();
  }
}

/** A unique identifier: 96 random bits. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (number) => number.toString(36)).join("");
}

/**
 * @param {Record<string, Tally>} tallies
 * @param {Finished} game
 */
function count(tallies, { level, you, winner, score }) {
  if (level === null || score === "*") return;
  const tally = (tallies[level] ??= { wins: 0, draws: 0, losses: 0 });
  if (winner === null) tally.draws += 1;
  else if (winner === you) tally.wins += 1;
  else tally.losses += 1;
}
