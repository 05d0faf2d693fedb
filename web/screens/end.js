/** The result of a game, over the lower part of the board: who won, why, and what next. */

import { BOARD_STOP, byId, el, fill, refocus } from "../dom.js";
import { copy, dayOf, save } from "./file.js";
import "./styles.js";

/** @import { LiveGame } from "../core.js" */
/** @import { Controller } from "../game_screen.js" */
/** @import { View } from "../types.js" */

/**
 * @typedef {object} Surroundings
 * @property {Controller} controller
 * @property {View["offers"][number] | undefined} rematch that is offered
 * @property {() => void} decline the rematch
 * @property {() => void} review
 * @property {(sentence: string) => void} say
 */

/**
 * @param {LiveGame} game
 * @param {Surroundings} surroundings
 */
export function showEnd(game, { controller, rematch, decline, review, say }) {
  const end = byId("end");
  const { view } = game;
  const putAway = () => {
    end.hidden = true;
    refocus(BOARD_STOP);
  };
  const pdn = () => game.pdn(dayOf(game));
  const again = el("button", { class: "filled", onclick: () => controller.newGame() }, controller.newGameLabel(view));
  const link = (/** @type {string} */ label, /** @type {() => void} */ action) =>
    el("button", { class: "link", onclick: action }, label);
  fill(
    end,
    el("button", { class: "close", "aria-label": "Show the board", onclick: putAway }, "×"),
    el("h2", {}, view.outcome?.headline ?? ""),
    el("p", {}, view.outcome?.sentence ?? ""),
    view.notice && el("p", { class: "told" }, view.notice),
    controller.presence,
    rematch && el("p", { class: "asked-again" }, rematch.sentence),
    again,
    rematch?.answerable && el("button", { class: "decline", onclick: decline }, "Decline"),
    el(
      "div",
      { class: "row links" },
      link("Review the game", review),
      link(controller.otherGameLabel, () => controller.otherGame()),
      link("Save PDN", () => save("game.pdn", pdn())),
      link("Copy FEN", () => void copy(view.fen).then((done) => done && say("The position was copied."))),
      link("Share", () => void share(pdn(), say)),
    ),
  );
  end.hidden = false;
  again.focus({ preventScroll: true });
}

/**
 * Shares the game with the system's share dialog, or copies it.
 * @param {string} text
 * @param {(sentence: string) => void} say
 */
async function share(text, say) {
  try {
    if (!navigator.share) throw new Error("nothing to share with");
    await navigator.share({ title: "A game of checkers", text });
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") return;
    if (await copy(text)) say("The game was copied.");
  }
}
