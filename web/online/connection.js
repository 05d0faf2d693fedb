/**
 * The WebSocket connection to the server for one game: connects, reconnects with backoff, resumes where it was, and
 * resends what was not acknowledged. It handles messages but not the game, and draws nothing.
 */

import { newId } from "../store.js";

/** @import { Command, GameRecord, Side, Snapshot } from "../types.js" */

/** The protocol version. */
const VERSION = 1;
/** The backoff before the next attempt: the first and the longest. */
const BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;
/** The server sends a heartbeat every ten seconds; without one for this long, the connection is dead. */
const HEARTBEAT_TIMEOUT_MS = 22_000;
/** A connection that has been silent for this long is not trusted when the network or the tab is back. */
const STALE_MS = 2_000;
/** The server welcomes and acknowledges within this time, or the connection is dead. */
const WELCOME_TIMEOUT_MS = 10_000;
const ACK_TIMEOUT_MS = 5_000;
/** While a command has to wait, the server repeats that within this time, or the connection is dead. */
const WAITING_TIMEOUT_MS = 20_000;
/** The close code for a client that must not try again; the server has said why. */
const CLOSED_FOR_GOOD = 4_000;

/**
 * Since when the players have been disconnected, how many people watch, and how long no server has served the game
 * since its last record.
 * @typedef {{inviter_away_since: number | null, guest_away_since: number | null, watchers: number, outage_ms?: number}} Presence
 *
 * @typedef {object} Welcome
 * @property {Side | null} you
 * @property {boolean} seated
 * @property {number} seq
 * @property {GameRecord[]} records
 * @property {Snapshot} [snapshot] of the records before `seq`, if there are too many to send
 * @property {number} now
 * @property {Presence} presence
 * @property {string | null} next
 *
 * What the connection reports.
 * @typedef {object} Hooks
 * @property {() => number} have the number of records received so far
 * @property {(welcome: Welcome) => void} onWelcome
 * @property {(seq: number, records: GameRecord[], now: number) => void} onEvents
 * @property {(id: string) => void} onAck
 * @property {() => void} onWaiting a command has to wait, or no longer does
 * @property {(id: string, sentence: string) => void} onRefused a command, or without an id the connection
 * @property {(sentence: string) => void} onWithdrawn the invitation was withdrawn
 * @property {(presence: Presence) => void} onPresence
 * @property {(game: string) => void} onNext
 * @property {(isUp: boolean) => void} onConnection
 */

/** One connection. */
export class Connection {
  /**
   * Commands that are not acknowledged yet, in order. They survive a reload of the page.
   * @type {Map<string, Command>}
   */
  pending;
  isUp = false;
  /** Why pending commands have to wait, in the server's words. @type {Map<string, string>} */
  #waiting = new Map();
  /** Is it closed for good? */
  isClosed = false;
  #id;
  #hooks;
  /** @type {WebSocket | null} */
  #socket = null;
  #tries = 0;
  #timer = 0;
  #watchdog = 0;
  #ackTimer = 0;
  /** When the last message came, or the attempt began. */
  #heardAt = 0;
  /** The network or the tab is back: reconnects without waiting, because the old connection may have died meanwhile. */
  #reconnect = () => {
    const old = this.#socket;
    if (document.hidden || this.isClosed || (old && Date.now() - this.#heardAt < STALE_MS)) return;
    this.#tries = 0;
    this.#connect();
    old?.close();
  };
  /** The network is gone, or the server is silent: a dead connection does not close by itself. */
  #drop = () => {
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
    this.pending = savedCommands(id);
    addEventListener("online", this.#reconnect);
    addEventListener("offline", this.#drop);
    document.addEventListener("visibilitychange", this.#reconnect);
    this.#connect();
  }

  /** Sends a command, now or when the connection is back, and returns its id. @param {Command} command */
  send(command) {
    const id = newId();
    this.pending.set(id, command);
    saveCommands(this.#id, this.pending);
    this.#transmit(id, command);
    return id;
  }

  /** Why a command has to wait; null if none does. @returns {string | null} */
  get notice() {
    return [...this.#waiting.values()].at(-1) ?? null;
  }

  /** Reconnects and asks for missed messages. */
  restart() {
    this.#socket?.close();
  }

  /** Closes the connection for good. */
  close() {
    this.isClosed = true;
    removeEventListener("online", this.#reconnect);
    removeEventListener("offline", this.#drop);
    document.removeEventListener("visibilitychange", this.#reconnect);
    clearTimeout(this.#timer);
    clearTimeout(this.#watchdog);
    clearTimeout(this.#ackTimer);
    this.#socket?.close();
  }

  #connect() {
    clearTimeout(this.#timer);
    if (this.isClosed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const url = `${scheme}://${location.host}/api/games/${this.#id}/live?v=${VERSION}&have=${this.#hooks.have()}`;
    const socket = new WebSocket(url);
    this.#socket = socket;
    clearTimeout(this.#ackTimer);
    this.#watch(WELCOME_TIMEOUT_MS);
    socket.addEventListener("message", ({ data }) => this.#socket === socket && this.#onMessage(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => this.#socket === socket && this.#lost(code));
  }

  /** @param {number} [code] with which the server closed */
  #lost(code) {
    this.#socket = null;
    clearTimeout(this.#watchdog);
    clearTimeout(this.#ackTimer);
    if (code === CLOSED_FOR_GOOD) this.close();
    this.#waiting.clear();
    this.#setUp(false);
    if (this.isClosed) return;
    // Jitter, so that clients that were disconnected together do not all reconnect at once.
    const pause = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** this.#tries++) * (0.5 + Math.random());
    this.#timer = window.setTimeout(() => this.#connect(), pause);
  }

  /** Drops the connection if no message comes for this long. @param {number} ms */
  #watch(ms) {
    this.#heardAt = Date.now();
    clearTimeout(this.#watchdog);
    this.#watchdog = window.setTimeout(this.#drop, ms);
  }

  /** Drops the connection if a command is not acknowledged. */
  #awaitAck() {
    clearTimeout(this.#ackTimer);
    if (this.pending.size === 0) return;
    const areAllWaiting = [...this.pending.keys()].every((id) => this.#waiting.has(id));
    this.#ackTimer = window.setTimeout(this.#drop, areAllWaiting ? WAITING_TIMEOUT_MS : ACK_TIMEOUT_MS);
  }

  /** @param {string} id */
  #settled(id) {
    this.pending.delete(id);
    saveCommands(this.#id, this.pending);
    const wasWaiting = this.#waiting.delete(id);
    this.#awaitAck();
    if (wasWaiting) this.#hooks.onWaiting();
  }

  /** @param {string} id @param {string} notice */
  #mustWait(id, notice) {
    if (!this.pending.has(id)) return;
    this.#waiting.set(id, notice);
    this.#awaitAck();
    this.#hooks.onWaiting();
  }

  /** @param {boolean} isUp */
  #setUp(isUp) {
    if (this.isUp === isUp) return;
    this.isUp = isUp;
    this.#hooks.onConnection(isUp);
  }

  /** @param {any} message */
  #onMessage(message) {
    this.#watch(HEARTBEAT_TIMEOUT_MS);
    const hooks = this.#hooks;
    switch (message.type) {
      case "welcome":
        this.#tries = 0;
        hooks.onWelcome(message);
        this.#setUp(true);
        for (const [id, command] of this.pending) this.#transmit(id, command);
        return;
      case "events":
        return hooks.onEvents(message.seq, message.records, message.now);
      case "ack":
        this.#settled(message.id);
        return hooks.onAck(message.id);
      case "refused":
        this.#settled(message.id);
        return hooks.onRefused(message.id, message.error);
      case "waiting":
        return this.#mustWait(message.id, message.notice);
      case "error":
        if (!message.withdrawn) return hooks.onRefused("", message.error);
        this.close();
        return hooks.onWithdrawn(message.error);
      case "presence":
        return hooks.onPresence(message.presence);
      case "next":
        return hooks.onNext(message.game);
      case "ping":
        return this.#socket?.send(JSON.stringify({ v: VERSION, type: "pong", now: message.now }));
    }
  }

  /** @param {string} id @param {Command} command */
  #transmit(id, command) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ v: VERSION, type: "command", id, command }));
    this.#awaitAck();
  }
}

/** The storage key of a game's pending commands in this tab. @param {string} game */
const keyOf = (game) => `crownhead.pending.${game}`;

/** @param {string} game @returns {Map<string, Command>} */
function savedCommands(game) {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(keyOf(game)) ?? "[]"));
  } catch {
    return new Map();
  }
}

/** @param {string} game @param {Map<string, Command>} pending */
function saveCommands(game, pending) {
  try {
    if (pending.size > 0) sessionStorage.setItem(keyOf(game), JSON.stringify([...pending]));
    else sessionStorage.removeItem(keyOf(game));
  } catch {
    // Without storage, the commands live as long as the page.
  }
}
