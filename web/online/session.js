/**
 * A game over a link: the records of the server are the game; a move of one's own shows at once and waits for its record.
 * It can be put in the place of the session of a local game.
 */

import { Connection } from "./connection.js";

/** @import { Core, LiveGame } from "../core.js" */
/** @import { Display } from "../session.js" */
/** @import { Presence, Welcome } from "./connection.js" */
/** @import { Command, GameRecord, View } from "../types.js" */

/**
 * What else there is to show than the board.
 * @typedef {object} Surroundings
 * @property {() => void} onPresence who is here, or the line, has changed
 * @property {(sentence: string) => void} onSay
 * @property {(sentence: string) => void} onWithdrawn there will be no game
 * @property {(game: string, isNews: boolean) => void} onNext the two play again, and just now if it is news
 * @property {(view: View, isFirst: boolean) => void} onView
 */

/** The game at a link. */
export class OnlineSession {
  /** Local games may be open in several tabs; here the server decides. */
  isOwner = true;
  /** @type {Presence} */
  presence = { inviter_away_since: null, guest_away_since: null, watchers: 0 };
  isSeated = false;
  /** The next game of the same two. @type {string | null} */
  next = null;
  /** As the server has it. @type {LiveGame | null} */
  #confirmed = null;
  /** With one's own move that waits. @type {LiveGame | null} */
  #ahead = null;
  /** The server's time less ours. */
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
      have: () => this.#confirmed?.view.seq ?? 0,
      onWelcome: (welcome) => this.#welcomed(welcome),
      onEvents: (seq, records, now) => {
        // The first of them has taken it in.
        this.presence = { ...this.presence, outage_ms: 0 };
        this.#happened(seq, records, now);
      },
      onAck: () => this.#ahead && this.#show(),
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

  /** What is on the board. */
  get game() {
    return this.#ahead ?? this.#confirmed;
  }

  get isUp() {
    return this.#connection.isUp;
  }

  /** Why what was sent has to wait; null if nothing has. */
  get notice() {
    return this.#connection.notice;
  }

  /** Is there no use in waiting for the line? */
  get isClosed() {
    return this.#connection.isClosed;
  }

  /** Gives a command. What is plainly wrong is told at once and not sent. @param {Command} command @returns {string | null} */
  send(command) {
    if (!this.#confirmed) return "The game has not started: nobody has joined yet.";
    const ahead = this.#copy();
    const { refusal } = ahead.send(command);
    ahead.close();
    if (refusal !== null) return refusal;
    this.#connection.send(command);
    this.#show();
    return null;
  }

  /** Connects anew. */
  reconnect() {
    this.#connection.restart();
  }

  /** Lets go of the game. It goes on at its link. */
  leave() {
    this.#connection.close();
    this.#ahead?.close();
    this.#confirmed?.close();
    this.#ahead = this.#confirmed = null;
  }

  /** @param {Welcome} welcome */
  #welcomed({ you, seated, seq, records, snapshot, now, presence, next }) {
    this.isSeated = seated;
    const isBack = this.#confirmed !== null;
    const who = you ? { seat: you } : /** @type {const} */ ("watcher");
    if (this.#confirmed && snapshot && seq > this.#confirmed.view.seq) {
      this.#confirmed.close();
      this.#confirmed = this.core.restore(snapshot, [], who).game;
    }
    if (!this.#confirmed && (snapshot || records.length > 0)) {
      const opened = snapshot ? this.core.restore(snapshot, records, who) : this.core.replay(records, who);
      this.#confirmed = opened.game;
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
    const game = this.#confirmed;
    if (!game) return;
    const known = game.view.seq;
    if (seq > known) return this.#connection.restart();
    this.#keepTime(now);
    const news = records.slice(known - seq);
    if (news.length > 0) game.absorb(news);
    this.#show();
  }

  /** @param {number} now of the server */
  #keepTime(now) {
    this.#offset = now - Date.now();
    if (this.#confirmed) this.#confirmed.moment = () => this.#moment();
  }

  #moment() {
    const { inviter_away_since, guest_away_since } = this.presence;
    const isInviterBlack = this.#confirmed?.view.inviter === "black";
    const [black, white] = isInviterBlack ? [inviter_away_since, guest_away_since] : [guest_away_since, inviter_away_since];
    return { now: Date.now() + this.#offset, outage_ms: this.presence.outage_ms ?? 0, black_away_since: black, white_away_since: white };
  }

  /** @param {Presence} presence */
  #present(presence) {
    const wasOut = this.presence.outage_ms ?? 0;
    this.presence = presence;
    this.surroundings.onPresence();
    // Clocks have run on while no server ran.
    if ((presence.outage_ms ?? 0) !== wasOut) this.#show();
  }

  #copy() {
    return this.core.copy(/** @type {LiveGame} */ (this.#confirmed));
  }

  /** The game as the server has it, and what of ours it has not answered yet on top. */
  #show(isFirst = false) {
    if (!this.#confirmed) return;
    this.#ahead?.close();
    this.#ahead = null;
    if (this.#connection.pending.size > 0) {
      const ahead = this.#copy();
      const isAhead = [...this.#connection.pending.values()].filter((command) => ahead.send(command).refusal === null).length > 0;
      if (isAhead) this.#ahead = ahead;
      else ahead.close();
    }
    const view = this.#ahead ? this.#ahead.view : this.#confirmed.refresh();
    this.surroundings.onView(view, isFirst);
    void this.display.show(view);
  }
}
