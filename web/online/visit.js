/** The page at the link of a game: the way in, who is here, and what is different from a local game. */

import { byId, el, fill, refocus } from "../dom.js";
import { other } from "../board/scene.js";
import { arrivalSheet, guestSheet, inviterSheet, withdrawnSheet } from "./lobby.js";
import { isGone, linkOf, look, withdraw } from "./server.js";
import { OnlineSession } from "./session.js";
import { sentenceOf } from "../wasm.js";
import "./styles.js";

/** @import { Table } from "../table.js" */
/** @import { Side, Start, View } from "../types.js" */
/** @import { Standing } from "./server.js" */

const TITLE = "Crownhead: play checkers";
/** A clock below this is heard. */
const LOW_MS = 10_000;
/** The first connection takes a moment, which is no trouble. */
const PATIENCE_MS = 3_000;
/** So often it is looked whether somebody has been away too long. */
const AWAY_LOOK_MS = 5_000;
/** So long after a failure it is asked again what is at the link. */
const LOOK_AGAIN_MS = 3_000;
/** What lies on the board as long as nobody knows better. @type {Start} */
const UNKNOWN = { players: [{ kind: "human" }, { kind: "human" }], seed: 1 };

/** Opens the game in the address of the page. @param {Table} table */
export async function visit(table) {
  const id = encodeURIComponent(location.pathname.slice("/game/".length));
  let standing = null;
  try {
    // Comes with the cookie by which the line is known, so it is asked for first.
    standing = await look(id);
  } catch (error) {
    const sentence = sentenceOf(error);
    if (isGone(error)) return table.layOut(UNKNOWN, sentence, withdrawnSheet(sentence), false);
  }
  new Visit(table, id).arrive(standing);
}

/** Somebody at a link. */
class Visit {
  /** In the place of the start sheet until the game begins. @type {HTMLElement | null} */
  #lobby = null;
  /** What was at the link at first. @type {Standing | null} */
  #awaited = null;
  /** Is the invitation being withdrawn from here? Then nobody here need be told. */
  #isTakingBack = false;
  /** What was told meanwhile: the answer may be lost. */
  #takenBack = "";
  #line = el("p", { class: "presence" });
  /** The same at the end, which may cover the other. */
  #lastLine = el("p", { class: "presence" });
  #said = "";
  #wasUp = false;
  /** Since when one is patient. */
  #since = performance.now();
  #lowSaid = false;
  #lowTimer = 0;
  /** The number of moves when the friend joined who was waited for. */
  #joinedAt = NaN;
  /** @type {View | null} */
  #view = null;

  /** @param {Table} table @param {string} id */
  constructor(table, id) {
    this.table = table;
    this.id = id;
    table.session.leave();
    this.session = new OnlineSession(table.core, id, table.screen, {
      onPresence: () => this.#presence(),
      onSay: (sentence) => table.panel.say(sentence),
      onWithdrawn: (sentence) => this.#withdrawn(sentence),
      onNext: (game, isNews) => this.#next(game, isNews),
      onView: (view, isFirst) => this.#seen(view, isFirst),
    });
    table.playAt(this.session, {
      again: () => void this.#again(),
      question: () => this.#question(),
      label: (view) => this.#label(view),
      line: this.#lastLine,
    });
    table.redraw();
    setInterval(() => this.#presence(), AWAY_LOOK_MS);
  }

  /** Before anything comes over the line. @param {Standing | null} standing what is at the link, if that could be learnt */
  arrive(standing) {
    this.#awaited = standing;
    if (standing?.phase === "waiting") return this.#wait(standing);
    this.#layOut("The game is not here yet.", arrivalSheet(this.#line, standing === null));
    if (standing) return;
    this.#since = -Infinity;
    this.#presence();
    this.#lookLater();
  }

  #lookLater() {
    setTimeout(() => void this.#lookAgain(), LOOK_AGAIN_MS);
  }

  /** Only the server's word counts that there is no game; whatever else goes wrong may be right the next time. */
  async #lookAgain() {
    if (this.session.game) return;
    try {
      const standing = await look(this.id);
      if (this.session.game) return;
      this.arrive(standing);
      // The cookie by which the line is known may have come only now.
      if (!standing.seated) this.session.again();
    } catch (error) {
      if (!isGone(error)) return this.#lookLater();
      this.session.leave();
      this.#withdrawn(sentenceOf(error));
    }
  }

  /** Before the game: the link for the inviter, a button for everybody else. @param {Standing} standing */
  #wait(standing) {
    const { seated } = standing;
    const sheet = seated ? inviterSheet(this.table, standing, () => this.#takeBack()) : guestSheet(this.table, standing);
    sheet.append(this.#line);
    this.#layOut(seated ? "The game begins when your friend joins." : "Press Join to play.", sheet);
  }

  /** Withdraws the invitation and leaves. What goes wrong is thrown as a sentence. */
  async #takeBack() {
    this.#isTakingBack = true;
    try {
      await withdraw(this.id);
      location.assign("/");
    } catch (error) {
      this.#isTakingBack = false;
      if (this.#takenBack) return this.#withdrawn(this.#takenBack);
      this.#presence();
      throw error;
    }
  }

  /** Nobody waits any more. @param {string} sentence */
  #withdrawn(sentence) {
    this.#takenBack = sentence;
    if (this.#isTakingBack) return;
    this.#layOut(sentence, withdrawnSheet(sentence));
    this.table.panel.announce(sentence);
    refocus(".lobby button");
  }

  /** The board of the game as it begins, with a sheet beside it. @param {string} why nothing can be moved @param {HTMLElement} sheet */
  #layOut(why, sheet) {
    const { start, seated } = this.#awaited ?? { start: UNKNOWN, seated: true };
    this.#lobby?.remove();
    this.#lobby = sheet;
    this.table.layOut(start, why, sheet, !seated);
  }

  /** @param {View} view @param {boolean} isFirst */
  #seen(view, isFirst) {
    this.#lobby?.remove();
    this.#lobby = null;
    byId("status").append(this.#line);
    const wasMine = this.#view?.your_turn ?? false;
    const wasAsked = this.#view?.still_there ?? null;
    const isAsked = view.still_there?.answerable ?? false;
    this.#view = view;
    const hasBegun = isFirst && this.#awaited?.phase === "waiting";
    if (hasBegun) this.#begin(view);
    const isNew = view.list.length === this.#joinedAt;
    document.title = isAsked ? "● Are you still there? Crownhead" : view.your_turn ? "● Your move: Crownhead" : isNew ? "● Your friend is here: Crownhead" : TITLE;
    if (!isFirst && view.your_turn && (!wasMine || (isAsked && !wasAsked))) this.table.sound("turn");
    this.#listenToClock(view);
  }

  /** What was waited for has begun. @param {View} view */
  #begin({ list }) {
    if (!this.session.isSeated) return this.table.note("Somebody else has taken the seat; you are watching.");
    if (!this.#awaited?.seated) return;
    this.#joinedAt = list.length;
    this.table.sound("turn");
  }

  /** A sound when one's own time runs low, once a move. @param {View} view */
  #listenToClock(view) {
    clearTimeout(this.#lowTimer);
    const clock = view.you ? view.players[view.you].clock : null;
    if (!clock?.running) {
      this.#lowSaid = false;
      return;
    }
    if (this.#lowSaid) return;
    this.#lowTimer = window.setTimeout(() => {
      this.#lowSaid = true;
      this.table.sound("low");
    }, Math.min(2 ** 31 - 1, Math.max(0, clock.left_ms - LOW_MS)));
  }

  /** One's own line loudly, the others quietly. */
  #presence() {
    if (this.#isTakingBack) return;
    const { isUp, isClosed, game, notice } = this.session;
    this.#wasUp ||= isUp;
    const isDown = !isUp && (this.#wasUp || performance.now() - this.#since > PATIENCE_MS);
    const down = isClosed ? "You are not connected." : "You are not connected. Trying again…";
    const view = game?.look(game.view.list.length) ?? null;
    const name = view?.you ? view.players[other(view.you)].name : "";
    const state = view?.you ? this.#opponent(view, view.you) : "";
    for (const line of [this.#line, this.#lastLine]) {
      line.classList.toggle("down", isDown || notice !== null);
      // A name may be written from right to left.
      if (isDown) line.textContent = down;
      else if (notice) line.textContent = notice;
      else fill(line, name && el("bdi", {}, name), [state, this.#watchers(view)].filter(Boolean).join(" "));
    }
    const heard = isDown ? down.replace("…", ".") : (notice ?? name + state);
    if (heard && heard !== this.#said && this.#said) this.table.panel.announce(heard);
    this.#said = heard || this.#said;
    if (view) this.table.panel.refreshButtons(view);
  }

  /** What there is to say of the opponent, after the name. @param {View} view @param {Side} you */
  #opponent(view, you) {
    const { inviter_away_since, guest_away_since } = this.session.presence;
    const isInviter = view.inviter === you;
    const isHere = (isInviter ? guest_away_since : inviter_away_since) === null;
    if (isHere) return view.buttons.claim_forfeit.enabled ? " has not answered: you may claim the game." : " is connected.";
    return view.buttons.claim_forfeit.enabled ? " has been away for a long time: you may claim the game." : " is not connected.";
  }

  /** @param {View | null} view */
  #watchers(view) {
    const { isSeated } = this.session;
    const { watchers } = this.session.presence;
    if (!view) return "";
    if (isSeated) return watchers === 0 ? "" : watchers === 1 ? "1 person watches." : `${watchers} people watch.`;
    if (watchers <= 1) return "You are watching.";
    return watchers === 2 ? "You and 1 other are watching." : `You and ${watchers - 1} others are watching.`;
  }

  /**
   * There is another game. A player who opens this one later wants to see this one; its end leads on.
   * @param {string} game
   * @param {boolean} isNews
   */
  #next(game, isNews) {
    const go = () => location.assign(linkOf(game));
    if (!this.session.isSeated) this.table.note("They play again.", { "Watch the next game": go });
    else if (isNews) go();
  }

  /** What *New game* is called at the end. @param {View} view */
  #label({ you, offers }) {
    if (!you) return "New game";
    if (this.session.next) return "Go to the next game";
    return offers.some(({ offer, answerable }) => offer === "rematch" && answerable) ? "Play again" : "Rematch";
  }

  /** Asked before a player leaves in the middle. */
  #question() {
    const view = this.session.game?.view;
    return view?.you && !view.outcome ? "Leave this game? It goes on at its link; you find it on the first screen, under My games." : null;
  }

  /** What *New game* does here. */
  async #again() {
    const { game, next } = this.session;
    const isPlayer = Boolean(game?.view.you);
    if (isPlayer && next) return location.assign(linkOf(next));
    if (!game || !isPlayer || !game.view.outcome) {
      if ((await this.table.giveUp(["Keep playing", "Leave"])) === "Leave") location.assign("/");
      return;
    }
    const refusal = this.session.send({ type: "rematch" });
    if (refusal) this.table.panel.say(refusal);
  }
}
