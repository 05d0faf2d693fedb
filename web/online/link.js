/**
 * The line to the server for one game: connects, connects again when it is cut, resumes where it was, and sends again what
 * was not answered. It knows messages, not the game, and draws nothing.
 */

import { newId } from "../store.js";

/** @import { Command, GameRecord, Side, Snapshot } from "../types.js" */

/** The version of the messages. */
const VERSION = 1;
/** The first pause before the next try, and the longest. */
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** The server is heard of every ten seconds; if not for so long, the line is dead. */
const SILENCE_MS = 22_000;
/** A line that was not heard of for so long is not trusted when the network or the tab is back. */
const STALE_MS = 2_000;
/** The server welcomes and answers within this, or the line is dead. */
const WELCOME_MS = 10_000;
const ANSWER_MS = 5_000;
/** While the server says that a command has to wait, it says so again within this, or the line is dead. */
const WAITING_MS = 20_000;
/** The server closes with this when there is no use in trying again; it has said why. */
const TURNED_AWAY = 4_000;

/**
 * Since when the players are not connected, how many watch, and how long no server has served the game since its last record.
 * @typedef {{inviter_away_since: number | null, guest_away_since: number | null, watchers: number, outage_ms?: number}} Presence
 *
 * @typedef {object} Welcome
 * @property {Side | null} you
 * @property {boolean} seated
 * @property {number} seq
 * @property {GameRecord[]} records
 * @property {Snapshot} [snapshot] of the records before `seq`, where they are too many to send
 * @property {number} now
 * @property {Presence} presence
 * @property {string | null} next
 *
 * What the line tells.
 * @typedef {object} Hooks
 * @property {() => number} have how many records there are already
 * @property {(welcome: Welcome) => void} onWelcome
 * @property {(seq: number, records: GameRecord[], now: number) => void} onEvents
 * @property {(id: string) => void} onAck
 * @property {() => void} onWaiting the server cannot carry out a command yet, or no longer says so
 * @property {(id: string, sentence: string) => void} onRefused a command, or without an id all that we say
 * @property {(sentence: string) => void} onWithdrawn there will be no game
 * @property {(presence: Presence) => void} onPresence
 * @property {(game: string) => void} onNext
 * @property {(isUp: boolean) => void} onLine
 */

/** A line. */
export class Link {
  /** Commands that are not answered yet, in order. They outlive a reload of the page. @type {Map<string, Command>} */
  pending;
  isUp = false;
  /** Why pending commands have to wait, in the server's words. @type {Map<string, string>} */
  #waiting = new Map();
  /** Has it been hung up for good? */
  isClosed = false;
  #id;
  #hooks;
  /** @type {WebSocket | null} */
  #socket = null;
  #tries = 0;
  #timer = 0;
  #watchdog = 0;
  #answer = 0;
  /** When the line was last heard of, or begun. */
  #heardAt = 0;
  /** The network or the tab is back: there is no reason to wait, nor to trust a line that may have died meanwhile. */
  #atOnce = () => {
    const old = this.#socket;
    if (document.hidden || this.isClosed || (old && Date.now() - this.#heardAt < STALE_MS)) return;
    this.#tries = 0;
    this.#connect();
    old?.close();
  };
  /** The network is gone, or nothing is heard: nobody tells us that the line is dead. */
  #giveUp = () => {
    const socket = this.#socket;
    if (!socket) return;
    this.#lost();
    socket.close();
  };

  /**
   * @param {string} id of the game
   * @param {Hooks} hooks
   */
  constructor(id, hooks) {
    this.#id = id;
    this.#hooks = hooks;
    this.pending = kept(id);
    addEventListener("online", this.#atOnce);
    addEventListener("offline", this.#giveUp);
    document.addEventListener("visibilitychange", this.#atOnce);
    this.#connect();
  }

  /** Sends a command, now or when the line is up again, and gives its id. @param {Command} command */
  send(command) {
    const id = newId();
    this.pending.set(id, command);
    keep(this.#id, this.pending);
    this.#transmit(id, command);
    return id;
  }

  /** Why what was sent has to wait; null if nothing has. @returns {string | null} */
  get notice() {
    return [...this.#waiting.values()].at(-1) ?? null;
  }

  /** Something was missed: hangs up and asks for it anew. */
  again() {
    this.#socket?.close();
  }

  /** Hangs up for good. */
  close() {
    this.isClosed = true;
    removeEventListener("online", this.#atOnce);
    removeEventListener("offline", this.#giveUp);
    document.removeEventListener("visibilitychange", this.#atOnce);
    clearTimeout(this.#timer);
    clearTimeout(this.#watchdog);
    clearTimeout(this.#answer);
    this.#socket?.close();
  }

  #connect() {
    clearTimeout(this.#timer);
    if (this.isClosed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const url = `${scheme}://${location.host}/api/games/${this.#id}/live?v=${VERSION}&have=${this.#hooks.have()}`;
    const socket = new WebSocket(url);
    this.#socket = socket;
    clearTimeout(this.#answer);
    this.#watch(WELCOME_MS);
    socket.addEventListener("message", ({ data }) => this.#socket === socket && this.#heard(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => this.#socket === socket && this.#lost(code));
  }

  /** @param {number} [code] with which the server closed */
  #lost(code) {
    this.#socket = null;
    clearTimeout(this.#watchdog);
    clearTimeout(this.#answer);
    if (code === TURNED_AWAY) this.close();
    this.#waiting.clear();
    this.#setUp(false);
    if (this.isClosed) return;
    // Those who lost the line together do not all come back together.
    const pause = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** this.#tries++) * (0.5 + Math.random());
    this.#timer = window.setTimeout(() => this.#connect(), pause);
  }

  /** Gives the line up if nothing is heard for so long. @param {number} ms */
  #watch(ms) {
    this.#heardAt = Date.now();
    clearTimeout(this.#watchdog);
    this.#watchdog = window.setTimeout(this.#giveUp, ms);
  }

  /** Gives the line up if a command is not answered. */
  #awaitAnswer() {
    clearTimeout(this.#answer);
    if (this.pending.size === 0) return;
    const areAllWaiting = [...this.pending.keys()].every((id) => this.#waiting.has(id));
    this.#answer = window.setTimeout(this.#giveUp, areAllWaiting ? WAITING_MS : ANSWER_MS);
  }

  /** @param {string} id */
  #answered(id) {
    this.pending.delete(id);
    keep(this.#id, this.pending);
    const wasWaiting = this.#waiting.delete(id);
    this.#awaitAnswer();
    if (wasWaiting) this.#hooks.onWaiting();
  }

  /** @param {string} id @param {string} notice */
  #mustWait(id, notice) {
    if (!this.pending.has(id)) return;
    this.#waiting.set(id, notice);
    this.#awaitAnswer();
    this.#hooks.onWaiting();
  }

  /** @param {boolean} isUp */
  #setUp(isUp) {
    if (this.isUp === isUp) return;
    this.isUp = isUp;
    this.#hooks.onLine(isUp);
  }

  /** @param {any} told */
  #heard(told) {
    this.#watch(SILENCE_MS);
    const hooks = this.#hooks;
    switch (told.type) {
      case "welcome":
        this.#tries = 0;
        hooks.onWelcome(told);
        this.#setUp(true);
        for (const [id, command] of this.pending) this.#transmit(id, command);
        return;
      case "events":
        return hooks.onEvents(told.seq, told.records, told.now);
      case "ack":
        this.#answered(told.id);
        return hooks.onAck(told.id);
      case "refused":
        this.#answered(told.id);
        return hooks.onRefused(told.id, told.error);
      case "waiting":
        return this.#mustWait(told.id, told.notice);
      case "error":
        if (!told.withdrawn) return hooks.onRefused("", told.error);
        this.close();
        return hooks.onWithdrawn(told.error);
      case "presence":
        return hooks.onPresence(told.presence);
      case "next":
        return hooks.onNext(told.game);
      case "ping":
        return this.#socket?.send(JSON.stringify({ v: VERSION, type: "pong", now: told.now }));
    }
  }

  /** @param {string} id @param {Command} command */
  #transmit(id, command) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ v: VERSION, type: "command", id, command }));
    this.#awaitAnswer();
  }
}

/** What this tab keeps of a game. @param {string} game */
const keyOf = (game) => `crownhead.pending.${game}`;

/** @param {string} game @returns {Map<string, Command>} */
function kept(game) {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(keyOf(game)) ?? "[]"));
  } catch {
    return new Map();
  }
}

/** @param {string} game @param {Map<string, Command>} pending */
function keep(game, pending) {
  try {
    if (pending.size > 0) sessionStorage.setItem(keyOf(game), JSON.stringify([...pending]));
    else sessionStorage.removeItem(keyOf(game));
  } catch {
    // Where nothing can be kept, the commands live as long as the page.
  }
}
