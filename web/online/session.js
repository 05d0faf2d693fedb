/**
 * The session of a game over a link: the server's records are the game; the player's own moves show at once and wait
 * for their records. It has the interface of the session of a local game.
 */

import { Connection } from "./connection.js";

/** @import { Core, LiveGame } from "../core.js" */
/** @import { Display } from "../session.js" */
/** @import { Presence, Welcome } from "./connection.js" */
/** @import { Command, GameRecord, View } from "../types.js" */

/**
 * The callbacks for everything but the board.
 * @typedef {object} Surroundings
 * @property {() => void} onPresence the presence or the connection has changed
 * @property {(sentence: string) => void} onSay
 * @property {(sentence: string) => void} onWithdrawn the invitation was withdrawn
 * @property {(game: string, isNews: boolean) => void} onNext there is a rematch, agreed just now if it is news
 * @property {(view: View, isFirst: boolean) => void} onView
 */

/** The game at a link. */
export class OnlineSession {
  /** Local games may be open in several tabs; here the server decides. */
  isOwner = true;
  /** @type {Presence} */
  presence = { inviter_away_since: null, guest_away_since: null, watchers: 0 };
  isSeated = false;
  /** The rematch of the same players. @type {string | null} */
  next = null;
  /** The game on the board: the server's records plus the player's pending commands. @type {LiveGame | null} */
  game = null;
  /** The server's time minus the local time. */
  #offset = 0;
  /** @type {Connection} */
  #connection;

  /**
   * @param {Core} core
   * @param {string} id
   * @param {Display} display
   * @param {Surroundings} surroundings
   */
  constructor(core, id, display, surroundings) {
    this.core = core;
    this.display = display;
    this.surroundings = surroundings;
    this.#connection = new Connection(id, {
      have: () => this.game?.seq ?? 0,
      onWelcome: (welcome) => this.#welcomed(welcome),
      onEvents: (seq, records, now) => {
        // The first record already includes the outage.
        this.presence = { ...this.presence, outage_ms: 0 };
        this.#happened(seq, records, now);
      },
      onAck: () => this.#show(),
      onWaiting: () => surroundings.onPresence(),
      onRefused: (_, sentence) => {
        this.#show();
        surroundings.onSay(sentence);
      },
      onWithdrawn: surroundings.onWithdrawn,
      onPresence: (presence) => this.#present(presence),
      onNext: (game) => this.#played(game, true),
      onConnection: () => surroundings.onPresence(),
    });
  }

  get isUp() {
    return this.#connection.isUp;
  }

  /** Why a command has to wait; null if none does. */
  get notice() {
    return this.#connection.notice;
  }

  /** Is the connection closed for good? */
  get isClosed() {
    return this.#connection.isClosed;
  }

  /**
   * Sends a command. One that is certain to be refused is not sent, and the reason is returned.
   * @param {Command} command
   * @returns {string | null}
   */
  send(command) {
    if (!this.game) return "The game has not started: your opponent has not joined yet.";
    const refusal = this.game.refusalOf(command);
    if (refusal !== null) return refusal;
    this.#connection.send(command);
    this.#show();
    return null;
  }

  /** Reconnects. */
  reconnect() {
    this.#connection.restart();
  }

  /** Leaves the game, which continues at its link. */
  leave() {
    this.#connection.close();
    this.game?.close();
    this.game = null;
  }

  /** @param {Welcome} welcome */
  #welcomed({ you, seated, seq, records, snapshot, now, presence, next }) {
    this.isSeated = seated;
    const isBack = this.game !== null;
    const who = you ? { seat: you } : /** @type {const} */ ("watcher");
    if (this.game && snapshot && seq > this.game.seq) {
      this.game.close();
      this.game = this.core.restore(snapshot, [], who).game;
    }
    if (!this.game && (snapshot || records.length > 0)) {
      const opened = snapshot ? this.core.restore(snapshot, records, who) : this.core.replay(records, who);
      this.game = opened.game;
      this.#keepTime(now);
      this.#present(presence);
      this.#show(true);
    } else {
      this.#present(presence);
      this.#happened(seq, records, now);
    }
    if (next) this.#played(next, isBack);
  }

  /** @param {string} next @param {boolean} isNews */
  #played(next, isNews) {
    if (this.next === next) return;
    this.next = next;
    this.surroundings.onNext(next, isNews);
  }

  /** @param {number} seq @param {GameRecord[]} records @param {number} now */
  #happened(seq, records, now) {
    const game = this.game;
    if (!game) return;
    const known = game.seq;
    if (seq > known) return this.#connection.restart();
    this.#keepTime(now);
    const news = records.slice(known - seq);
    if (news.length > 0) game.absorb(news);
    this.#show();
  }

  /** @param {number} now of the server */
  #keepTime(now) {
    this.#offset = now - Date.now();
    if (this.game) this.game.moment = () => this.#moment();
  }

  #moment() {
    const { inviter_away_since, guest_away_since } = this.presence;
    const isInviterBlack = this.game?.view.inviter === "black";
    const [black, white] = isInviterBlack ? [inviter_away_since, guest_away_since] : [guest_away_since, inviter_away_since];
    return { now: Date.now() + this.#offset, outage_ms: this.presence.outage_ms ?? 0, black_away_since: black, white_away_since: white };
  }

  /** @param {Presence} presence */
  #present(presence) {
    const wasOut = this.presence.outage_ms ?? 0;
    this.presence = presence;
    this.surroundings.onPresence();
    // The clocks shown have run on while no server ran.
    if ((presence.outage_ms ?? 0) !== wasOut) this.#show();
  }

  /** Shows the game as the server has it, plus the player's unconfirmed commands. */
  #show(isFirst = false) {
    if (!this.game) return;
    this.game.pending = [...this.#connection.pending.values()];
    const view = this.game.refresh();
    this.surroundings.onView(view, isFirst);
    void this.display.show(view);
  }
}
