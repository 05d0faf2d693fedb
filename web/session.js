/**
 * The session of a local game: sends commands to it, has the engine carry out its effects, saves its log, and watches
 * its clock. Only one tab plays it. It draws nothing.
 */

import { newId } from "./store.js";
import { sentenceOf } from "./wasm.js";

/** @import { Core, LiveGame } from "./core.js" */
/** @import { Thinker } from "./thinker.js" */
/** @import { Saved, Store } from "./store.js" */
/** @import { Command, Effect, GameRecord, Start, Step, View } from "./types.js" */

/** The computer takes at least this long for a move, so that the eye can follow. */
const MIN_THINK_MS = 350;
/** How often the page saves a sign of life while a clock runs. */
const ALIVE_MS = 2000;

/**
 * The display of the game.
 * @typedef {object} Display
 * @property {(view: View) => Promise<unknown>} show resolves when all animations have finished
 * @property {(sentence: string, retry: () => void) => void} trouble the engine failed; it can be asked again
 */

/** Plays one local game after the other. */
export class Session {
  /** @type {LiveGame | null} */
  game = null;
  /** May this tab write to the saved game? Another one may have taken it over. */
  isOwner = true;
  /**
   * Called when another tab has taken over, with this game or with another one.
   * @type {(isThisGame: boolean) => void}
   */
  onTakenOver = () => {};
  /** The key that the game is saved under. */
  id = "";
  /** Is the game on the list of finished games? */
  #isListed = false;
  /** @type {Promise<unknown>} */
  #rest = Promise.resolve();
  #wake = 0;
  #alive = 0;
  /** The other tabs. */
  #tabs = new BroadcastChannel("crownhead");
  /** @type {Thinker | null} */
  #thinker = null;
  #loadThinker;

  /**
   * @param {Core} core
   * @param {() => Promise<Thinker>} loadThinker throws a sentence on failure
   * @param {Store} store
   * @param {Display} display
   */
  constructor(core, loadThinker, store, display) {
    this.core = core;
    this.#loadThinker = loadThinker;
    this.store = store;
    this.display = display;
    this.#tabs.addEventListener("message", ({ data: { what, id } }) => this.#onTab(what, id));
  }

  /** Starts a game in place of the current one. Throws a sentence if the choices are invalid. @param {Start} start */
  start(start) {
    const { game, step } = this.core.start(start);
    const isFirst = this.game === null;
    this.#open(game, newId());
    this.#tell("taken");
    if (!isFirst) void this.#thinker?.clear().catch(() => {});
    this.#went(step);
  }

  /** Resumes the saved game, if there is one. Throws a sentence if it is damaged. */
  resume() {
    // Another tab may be playing it already.
    return this.#resume(this.store.game, "anyone");
  }

  /** @param {Saved | null} saved @param {"anyone" | "taken"} what to tell the other tabs */
  #resume(saved, what) {
    if (!saved) return false;
    const { game, step } = this.core.replay(saved.log);
    this.#open(game, saved.id);
    this.#tell(what);
    if (game.view.wake_at === null) this.#went(step);
    else this.#carryOn(game.send({ type: "interrupted", since: saved.alive }), step.effects);
    return true;
  }

  /** Takes the game back from another tab: resumes what that tab saved, or the game that it replaced by its own. */
  takeBack() {
    const saved = this.store.game;
    const isElsewhere = saved?.id === this.id || this.store.finished.some(({ id }) => id === this.id);
    if (this.game && !isElsewhere) return this.#resume({ id: this.id, log: this.game.log, alive: Date.now() }, "taken");
    this.leave();
    return this.#resume(saved, "taken");
  }

  /** @param {"anyone" | "taken"} what asks whether another tab plays the game, or says that this one does now */
  #tell(what) {
    this.#tabs.postMessage({ what, id: this.id });
  }

  /** @param {"anyone" | "taken"} what @param {string} id */
  #onTab(what, id) {
    if (!this.game || !this.isOwner) return;
    if (what === "anyone") return this.#tell("taken");
    this.isOwner = false;
    this.onTakenOver(id === this.id);
  }

  /**
   * Sends a command and returns why it was refused, or null.
   * @param {Command} command
   * @returns {string | null}
   */
  send(command) {
    if (!this.game) return null;
    if (!this.isOwner) return "This game is being played in another tab.";
    let step;
    try {
      step = this.game.send(command);
    } catch (error) {
      return sentenceOf(error);
    }
    if (step.refusal === null) this.#went(step);
    return step.refusal;
  }

  /** Leaves the game and deletes it. A game that another tab plays stays saved. */
  discard() {
    if (this.game && this.isOwner) this.store.game = null;
    this.leave();
  }

  /** Leaves the game, which stays saved. */
  leave() {
    this.#thinker?.stopAll();
    this.game?.close();
    this.game = null;
    clearTimeout(this.#wake);
    clearInterval(this.#alive);
  }

  /** @param {LiveGame} game @param {string} id */
  #open(game, id) {
    this.leave();
    this.game = game;
    this.id = id;
    this.#isListed = game.view.outcome !== null;
    this.isOwner = true;
    this.#alive = globalThis.setInterval(() => game.view.wake_at !== null && this.#save(), ALIVE_MS);
  }

  /**
   * Resumes after the page was away: all outstanding effects have to be carried out again.
   * @param {Step} step
   * @param {Effect[]} effects
   */
  #carryOn(step, effects) {
    const isOver = step.view.outcome !== null;
    this.#went({ ...step, effects: isOver ? step.effects : [...effects, ...step.effects] });
  }

  /** @param {Step} step */
  #went({ view, effects, records }) {
    const game = this.game;
    this.#save();
    if (records.length > 0) this.#keep(view);
    this.#rest = this.display.show(view);
    this.#setWake(view);
    for (const effect of effects) if (this.game === game) this.#carryOut(effect);
  }

  #save() {
    if (this.game && this.isOwner) this.store.game = { id: this.id, log: this.game.log, alive: Date.now() };
  }

  /** Puts a finished game on the list, and removes a game that continues after all. @param {View} view */
  #keep(view) {
    const { outcome, players } = view;
    if (!outcome && this.#isListed) this.store.unfinish(this.id);
    const isDeleted = this.#isListed && !this.store.finished.some(({ id }) => id === this.id);
    this.#isListed = outcome !== null;
    if (!outcome || isDeleted) return;
    const level = players.black.level ?? players.white.level;
    this.store.finish(
      {
        id: this.id,
        at: Date.now(),
        rulebook: view.rulebook.id,
        level,
        you: level === null ? null : view.you,
        names: [players.black.name, players.white.name],
        winner: outcome.result === "win" ? outcome.winner : null,
        score: outcome.score,
        sentence: outcome.sentence,
        plies: view.list.length,
      },
      this.game?.log ?? [],
    );
  }

  /** @param {Effect} effect */
  #carryOut(effect) {
    if (effect.type === "stop") this.#thinker?.stop(effect);
    else if (effect.type === "new_game") this.start(effect.start);
    else void this.#ask(effect);
  }

  /**
   * Asks the engine and sends its answer to the game, which ignores it if it no longer waits for it.
   * @param {Exclude<Effect, {type: "stop" | "new_game"}>} effect
   */
  async #ask(effect) {
    const game = this.game;
    const pause = new Promise((resolve) => setTimeout(resolve, effect.type === "think" ? MIN_THINK_MS : 0));
    const rest = this.#rest;
    try {
      this.#thinker ??= await this.#loadThinker();
      if (this.game !== game) return;
      const command = await this.#thinker.carryOut(effect);
      await pause;
      await rest;
      const refusal = this.game === game ? this.send(command) : null;
      if (refusal !== null && this.isOwner) throw new Error(refusal);
    } catch (error) {
      const wasStopped = error instanceof Error && error.name === "Stopped";
      if (wasStopped || this.game !== game) return;
      this.display.trouble(sentenceOf(error), () => void this.#ask(effect));
    }
  }

  /** Wakes the game when the side to move runs out of time. @param {View} view */
  #setWake(view) {
    clearTimeout(this.#wake);
    if (view.wake_at === null) return;
    this.#wake = globalThis.setTimeout(() => this.send({ type: "tick" }), view.wake_at - Date.now() + 1);
  }
}
