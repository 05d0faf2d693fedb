/** The screen at `/game/ID`: a game over a link, from the invitation to the rematch. */

import { ask, byId, el, fill, refocus, toast } from "../dom.js";
import { other } from "../board/scene.js";
import { arrivalSheet, guestSheet, inviterSheet, withdrawnSheet } from "./lobby.js";
import { fetchGame, isGone, pathOf, withdraw } from "./api.js";
import { OnlineSession } from "./session.js";
import { sentenceOf } from "../wasm.js";
import "./styles.js";

/** @import { Core } from "../core.js" */
/** @import { Controller, GameScreen } from "../game_screen.js" */
/** @import { Sound } from "../sound.js" */
/** @import { Store } from "../store.js" */
/** @import { Side, Start, View } from "../types.js" */
/** @import { GameInfo } from "./api.js" */

/**
 * What the screen needs from the page.
 * @typedef {object} Services
 * @property {Core} core
 * @property {Store} store
 * @property {GameScreen} gameScreen
 * @property {(sound: Sound) => void} playSound
 * @property {(title: string) => void} setTitle
 * @property {(mark: string) => void} setMark
 * @property {(path: string) => void} go
 */

/** The time below which the player's clock makes a sound. */
const LOW_MS = 10_000;
/** How long the first connection may take before the page reports it. */
const PATIENCE_MS = 3_000;
/** How often the page checks whether the opponent has been away too long. */
const PRESENCE_MS = 5_000;
/** The pause before the game is fetched again after a failure. */
const RETRY_MS = 3_000;
/** The preview until the game is known. @type {Start} */
const UNKNOWN = { players: [{ kind: "human" }, { kind: "human" }], seed: 1 };

/** Opens the game of each address. */
export class OnlineGameScreen {
  /** @type {OnlineGame | null} */
  #game = null;
  #services;

  /** @param {Services} services */
  constructor(services) {
    this.#services = services;
  }

  /** @param {string} id */
  open(id) {
    this.#services.setTitle("A game over a link");
    this.#game = new OnlineGame(this.#services, id);
    this.#services.gameScreen.attach(this.#game);
    void this.#game.load();
  }

  /** Leaves the game, which continues at its link. */
  close() {
    this.#game?.close();
    this.#services.gameScreen.detach();
  }
}

/** One game over a link. @implements {Controller} */
class OnlineGame {
  /** @type {Controller["place"]} */
  place = "link";
  otherGameLabel = "Another game";
  /** Who is connected, for the result, which may cover the panel's line. */
  presence = el("p", { class: "presence" });
  /** @type {OnlineSession | null} */
  session = null;
  #services;
  #id;
  #isClosed = false;
  /** The game at the link when it was first fetched. @type {GameInfo | null} */
  #info = null;
  /** Is the invitation being withdrawn from here? Then the page says nothing about it. */
  #isWithdrawing = false;
  /** Why there is no game, if the server said so while its answer to the withdrawal was lost. */
  #withdrawnSentence = "";
  #presence = el("p", { class: "presence" });
  #announced = "";
  #wasUp = false;
  /** When the page began to wait for the connection. */
  #since = performance.now();
  #isLowSounded = false;
  #lowTimer = 0;
  #presenceTimer = 0;
  #retryTimer = 0;
  /** The number of moves when the invited friend joined. */
  #joinedAt = NaN;
  /** @type {View | null} */
  #view = null;

  /** @param {Services} services @param {string} id */
  constructor(services, id) {
    this.#services = services;
    this.#id = id;
  }

  /** Fetches the game at the link, and connects. */
  async load() {
    this.#showLobby("The game is still loading.", arrivalSheet(this.#presence, false));
    let info = null;
    try {
      // The answer sets the cookie that identifies the connection, so it comes first.
      info = await fetchGame(this.#id);
    } catch (error) {
      const sentence = sentenceOf(error);
      if (!this.#isClosed && isGone(error)) return this.#showLobby(sentence, withdrawnSheet(sentence, this.#services.go));
    }
    if (this.#isClosed) return;
    this.#connect();
    this.#arrive(info);
  }

  /** Ends all pending work. */
  close() {
    this.#isClosed = true;
    this.session?.leave();
    clearTimeout(this.#lowTimer);
    clearTimeout(this.#retryTimer);
    clearInterval(this.#presenceTimer);
    this.#presence.remove();
  }

  #connect() {
    const { core, gameScreen } = this.#services;
    this.session = new OnlineSession(core, this.#id, gameScreen.display, {
      onPresence: () => this.#showPresence(),
      onSay: (sentence) => gameScreen.panel.say(sentence),
      onWithdrawn: (sentence) => this.#withdrawn(sentence),
      onNext: (game, isNews) => this.#next(game, isNews),
      onView: (view, isFirst) => this.#seen(view, isFirst),
    });
    this.#presenceTimer = window.setInterval(() => this.#showPresence(), PRESENCE_MS);
  }

  /**
   * Before the first message of the connection.
   * @param {GameInfo | null} info what is at the link, if it could be fetched
   */
  #arrive(info) {
    this.#info = info;
    if (info?.phase === "waiting") return this.#wait(info);
    this.#showLobby("The game is still loading.", arrivalSheet(this.#presence, info === null));
    if (info) return;
    this.#since = -Infinity;
    this.#showPresence();
    this.#retryLater();
  }

  #retryLater() {
    this.#retryTimer = window.setTimeout(() => void this.#retry(), RETRY_MS);
  }

  /** Only the server can say that there is no game; after any other failure the page tries again. */
  async #retry() {
    const { session } = this;
    if (!session || session.game) return;
    try {
      const info = await fetchGame(this.#id);
      if (this.#isClosed || session.game) return;
      this.#arrive(info);
      // The cookie that identifies the connection may have come only now.
      if (!info.seated) session.reconnect();
    } catch (error) {
      if (this.#isClosed) return;
      if (!isGone(error)) return this.#retryLater();
      session.leave();
      this.#withdrawn(sentenceOf(error));
    }
  }

  /** Before the game: the link for the inviter, a button for others. @param {GameInfo} info */
  #wait(info) {
    const { core, store, gameScreen } = this.#services;
    const sheet = info.seated
      ? inviterSheet(core, info, () => this.#withdraw(), (sentence) => gameScreen.panel.say(sentence))
      : guestSheet(core, store, info);
    sheet.append(this.#presence);
    this.#showLobby(info.seated ? "The game begins when your friend joins." : "Press Join to play.", sheet);
  }

  /** Withdraws the invitation and leaves. Throws a sentence on failure. */
  async #withdraw() {
    this.#isWithdrawing = true;
    try {
      await withdraw(this.#id);
      this.#services.go("/");
    } catch (error) {
      this.#isWithdrawing = false;
      if (this.#withdrawnSentence) return this.#withdrawn(this.#withdrawnSentence);
      this.#showPresence();
      throw error;
    }
  }

  /** There is no game. @param {string} sentence */
  #withdrawn(sentence) {
    this.#withdrawnSentence = sentence;
    if (this.#isWithdrawing) return;
    this.#showLobby(sentence, withdrawnSheet(sentence, this.#services.go));
    this.#services.gameScreen.panel.announce(sentence);
    refocus(".lobby button");
  }

  /**
   * Shows the start of the game on the board, with a sheet beside it.
   * @param {string} whyNot why nothing can be moved
   * @param {HTMLElement} sheet
   */
  #showLobby(whyNot, sheet) {
    const { start, seated } = this.#info ?? { start: UNKNOWN, seated: true };
    this.#services.gameScreen.preview(start, whyNot, { sheet, isFlipped: !seated });
  }

  /** @param {View} view @param {boolean} isFirst */
  #seen(view, isFirst) {
    byId("status").append(this.#presence);
    const wasMine = this.#view?.your_turn ?? false;
    const wasAsked = this.#view?.still_there ?? null;
    const isAsked = view.still_there?.answerable ?? false;
    this.#view = view;
    if (isFirst && this.#info?.phase === "waiting") this.#begin(view);
    const isNew = view.list.length === this.#joinedAt;
    this.#services.setMark(isAsked ? "Are you still there?" : view.your_turn ? "Your move" : isNew ? "Your friend is here" : "");
    if (!isFirst && view.your_turn && (!wasMine || (isAsked && !wasAsked))) this.#services.playSound("turn");
    this.#listenToClock(view);
  }

  /** The second player has joined and the game begins. @param {View} view */
  #begin({ list }) {
    if (!this.session?.isSeated) return toast("Someone else joined first, so you are watching.");
    if (!this.#info?.seated) return;
    this.#joinedAt = list.length;
    this.#services.playSound("turn");
  }

  /** Plays a sound when the player's time runs low, once a move. @param {View} view */
  #listenToClock(view) {
    clearTimeout(this.#lowTimer);
    const clock = view.you ? view.players[view.you].clock : null;
    if (!clock?.running) {
      this.#isLowSounded = false;
      return;
    }
    if (this.#isLowSounded) return;
    this.#lowTimer = window.setTimeout(() => {
      this.#isLowSounded = true;
      this.#services.playSound("low");
    }, Math.min(2 ** 31 - 1, Math.max(0, clock.left_ms - LOW_MS)));
  }

  /** Shows the player's own connection prominently, the others discreetly. */
  #showPresence() {
    if (this.#isWithdrawing || !this.session) return;
    const { isUp, isClosed, game, notice } = this.session;
    const { panel } = this.#services.gameScreen;
    this.#wasUp ||= isUp;
    const isDown = !isUp && (this.#wasUp || performance.now() - this.#since > PATIENCE_MS);
    const down = isClosed ? "You are not connected." : "You are not connected. Trying again…";
    const view = game?.look(game.view.list.length) ?? null;
    const name = view?.you ? view.players[other(view.you)].name : "";
    const state = view?.you ? this.#opponent(view, view.you) : "";
    for (const line of [this.#presence, this.presence]) {
      line.classList.toggle("down", isDown || notice !== null);
      // A name may be written from right to left.
      if (isDown) line.textContent = down;
      else if (notice) line.textContent = notice;
      else fill(line, name && el("bdi", {}, name), [state, this.#watchers(view)].filter(Boolean).join(" "));
    }
    const heard = isDown ? down.replace("…", ".") : (notice ?? name + state);
    if (heard && heard !== this.#announced && this.#announced) panel.announce(heard);
    this.#announced = heard || this.#announced;
    if (view) panel.refreshButtons(view);
  }

  /** Whether the opponent is connected, to follow the name. @param {View} view @param {Side} you */
  #opponent(view, you) {
    const { inviter_away_since, guest_away_since } = /** @type {OnlineSession} */ (this.session).presence;
    const isInviter = view.inviter === you;
    const isHere = (isInviter ? guest_away_since : inviter_away_since) === null;
    if (isHere) return view.buttons.claim_forfeit.enabled ? " has not answered. You can claim the game." : " is connected.";
    return view.buttons.claim_forfeit.enabled ? " has been away for a long time. You can claim the game." : " is not connected.";
  }

  /** @param {View | null} view */
  #watchers(view) {
    if (!view || !this.session) return "";
    const { isSeated } = this.session;
    const { watchers } = this.session.presence;
    if (isSeated) return watchers === 0 ? "" : watchers === 1 ? "1 person is watching." : `${watchers} people are watching.`;
    if (watchers <= 1) return "You are watching.";
    return watchers === 2 ? "You and 1 other are watching." : `You and ${watchers - 1} others are watching.`;
  }

  /**
   * There is a rematch. A player who opens this game later wants to see this one; its result links to the next.
   * @param {string} game
   * @param {boolean} isNews
   */
  #next(game, isNews) {
    const go = () => this.#services.go(pathOf(game));
    if (!this.session?.isSeated) toast("They are playing another game.", { "Watch the next game": go });
    else if (isNews) go();
  }

  /** The label of *New game* when the game is over. @param {View} view */
  newGameLabel({ you, offers }) {
    if (!you) return "New game";
    if (this.session?.next) return "Go to the next game";
    return offers.some(({ offer, answerable }) => offer === "rematch" && answerable) ? "Play again" : "Rematch";
  }

  /** What *New game* does here. */
  async newGame() {
    const { session } = this;
    const view = session?.game?.view;
    if (view?.you && session?.next) return this.#services.go(pathOf(session.next));
    if (!session || !view?.you || !view.outcome) {
      if ((await this.leave(["Keep playing", "Leave"])) === "Leave") this.#services.go("/");
      return;
    }
    const refusal = session.send({ type: "rematch" });
    if (refusal) this.#services.gameScreen.panel.say(refusal);
  }

  otherGame() {
    this.#services.go("/");
  }

  /** Asks before a player leaves a game in progress. @param {string[]} answers */
  async leave(answers) {
    const view = this.session?.game?.view;
    if (!view?.you || view.outcome) return answers.at(-1);
    return ask("Leave this game? It goes on without you. You can come back to it under My games, on the start screen.", answers);
  }
}
