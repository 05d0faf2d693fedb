/** The page at the link of a game: the way in, who is here, and what is different from a local game. */

import { byId, el } from "../dom.js";
import { openDialog } from "../screens/dialog.js";
import { sentenceOf } from "../table.js";
import { keepName, linkCard, myName, noteOnline } from "./invite.js";
import { join, linkOf, look } from "./server.js";
import { OnlineSession } from "./session.js";
import "./styles.js";

/** @import { Table } from "../table.js" */
/** @import { View } from "../types.js" */
/** @import { Standing } from "./server.js" */

const TITLE = "Crownhead: play checkers";
/** A clock below this is heard. */
const LOW_MS = 10_000;
/** So often it is looked whether somebody has been away too long. */
const AWAY_LOOK_MS = 5_000;

/** Opens the game in the address of the page. @param {Table} table */
export async function visit(table) {
  const id = location.pathname.slice("/game/".length);
  try {
    const standing = await look(encodeURIComponent(id));
    const visit = new Visit(table, id);
    if (standing.phase === "waiting") visit.wait(standing);
  } catch (error) {
    table.open();
    table.note(sentenceOf(error), { "Play another game": () => location.assign("/") });
  }
}

/** Somebody at a link. */
class Visit {
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  #line = el("p", { class: "line", role: "status" });
  #lowSaid = false;
  #lowTimer = 0;
  /** @type {View | null} */
  #view = null;

  /** @param {Table} table @param {string} id */
  constructor(table, id) {
    this.table = table;
    this.id = id;
    byId("status").append(this.#line);
    table.session.leave();
    this.session = new OnlineSession(table.core, id, table.screen, {
      onPresence: () => this.#presence(),
      onSay: (sentence) => table.panel.say(sentence),
      onNext: (game) => this.#next(game),
      onView: (view, isFirst) => this.#seen(view, isFirst),
    });
    table.playAt(this.session, () => this.#again());
    table.redraw();
    setInterval(() => this.#presence(), AWAY_LOOK_MS);
  }

  /** Before the game: the link for the inviter, a button for everybody else. @param {Standing} standing */
  wait({ seated, start }) {
    const name = el("input", { value: myName(), maxlength: 32, autocomplete: "nickname" });
    const trouble = el("p", { class: "trouble", role: "alert" });
    const take = async () => {
      keepName(name.value);
      try {
        await join(this.id, name.value);
        noteOnline();
      } catch (error) {
        trouble.textContent = sentenceOf(error);
      }
    };
    const host = start.players[0].name;
    this.#dialog = seated
      ? openDialog("Waiting for your friend", "link", linkCard(this.id))
      : openDialog(
          host ? `${host} invites you to a game` : "You are invited to a game",
          "join",
          el("p", {}, this.#terms(start)),
          el("label", { class: "field" }, el("span", { class: "legend" }, "Your name, if you like"), name),
          trouble,
          el("button", { class: "filled", onclick: () => void take() }, "Join"),
        );
  }

  /** @param {Standing["start"]} start */
  #terms({ rulebook, clock }) {
    const title = this.table.core.catalog.rulebooks.find(({ id }) => id === rulebook)?.title ?? "";
    if (!clock) return `${title} rules, no clock.`;
    if (clock.kind === "move") return `${title} rules, ${clock.limit_ms / 86_400_000} days a move.`;
    return `${title} rules, ${clock.initial_ms / 60_000} minutes and ${clock.increment_ms / 1000} seconds a move.`;
  }

  /** @param {View} view @param {boolean} isFirst */
  #seen(view, isFirst) {
    this.#dialog?.close();
    this.#dialog = null;
    const wasMine = this.#view?.your_turn ?? false;
    this.#view = view;
    document.title = view.your_turn ? "● Your move: Crownhead" : TITLE;
    if (!isFirst && view.your_turn && !wasMine) this.table.sound("turn");
    this.#listenToClock(view);
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
    const { isUp, presence, game, isSeated } = this.session;
    const bottom = game?.log[0]?.event.bottom;
    const isInviter = game?.view.you === bottom;
    const isAway = (isInviter ? presence.guest_away_since : presence.inviter_away_since) !== null;
    const watching = presence.watchers === 0 ? "" : ` ${presence.watchers} ${presence.watchers === 1 ? "watches" : "watch"}.`;
    const opponent = game?.view.you ? (isAway ? "Your opponent is not connected." : "Your opponent is here.") : isSeated ? "" : "You are watching.";
    this.#line.classList.toggle("down", !isUp);
    this.#line.textContent = isUp ? `${opponent}${watching}` : "Not connected. Trying again…";
    if (game) this.table.panel.refreshButtons(game.look(game.view.list.length));
  }

  /** Both want another game. @param {string} game */
  #next(game) {
    if (this.session.isSeated) location.assign(linkOf(game));
    else this.table.note("They play again.", { "Watch the next game": () => location.assign(linkOf(game)) });
  }

  /** What *New game* does here. */
  #again() {
    const { game } = this.session;
    const isPlayer = Boolean(game?.view.you);
    if (!game || !isPlayer || !game.view.outcome) return location.assign("/");
    const refusal = this.session.send({ type: "rematch" });
    this.table.panel.say(refusal ?? "You asked for another game; wait for the answer.");
  }
}
