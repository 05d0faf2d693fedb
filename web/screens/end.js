/** The end of a game, over the lower part of the board: who won, why, and what next. */

import { BOARD_STOP, byId, el, fill, refocus } from "../dom.js";
import { copy, dayOf, save } from "./file.js";
import "./styles.js";

/** @import { Table } from "../table.js" */
/** @import { View } from "../types.js" */

/**
 * @param {Table} table
 * @param {View} view
 */
export function showEnd(table, view) {
  const end = byId("end");
  const putAway = () => {
    end.hidden = true;
    refocus(BOARD_STOP);
  };
  const pdn = () => (table.game ? table.game.pdn(dayOf(table.game)) : "");
  const asked = table.panel.offers(view).find(({ offer }) => offer === "rematch");
  const again = el("button", { class: "filled", onclick: () => void table.newGame() }, table.online?.label(view) ?? "New game");
  const link = (/** @type {string} */ label, /** @type {() => void} */ action) =>
    el("button", { class: "link", onclick: action }, label);
  fill(
    end,
    el("button", { class: "close", "aria-label": "Show the board", onclick: putAway }, "×"),
    el("h2", {}, view.outcome?.headline ?? ""),
    el("p", {}, view.outcome?.sentence ?? ""),
    view.notice && el("p", { class: "told" }, view.notice),
    table.online?.line,
    asked && el("p", { class: "asked-again" }, asked.sentence),
    again,
    asked?.answerable && el("button", { class: "decline", onclick: () => table.panel.actions.answer("rematch", false) }, "Decline"),
    el(
      "div",
      { class: "row links" },
      link("Look through the game", () => void lookThrough(table)),
      link(table.online ? "Another game" : "Change options", () => table.choose()),
      link("Save PDN", () => save("game.pdn", pdn())),
      link("Copy FEN", () => void copy(view.fen).then((done) => done && table.panel.say("The position is copied."))),
      link("Share", () => void share(table, pdn())),
    ),
  );
  end.hidden = false;
  again.focus({ preventScroll: true });
}

/** @param {Table} table */
function lookThrough(table) {
  const { game } = table;
  return game && table.review(() => table.core.copy(game, "screen"));
}

/**
 * Hands the game to what the system shares with, or to the clipboard.
 * @param {Table} table
 * @param {string} text
 */
async function share(table, text) {
  try {
    if (!navigator.share) throw new Error("nothing to share with");
    await navigator.share({ title: "A game of checkers", text });
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") return;
    if (await copy(text)) table.panel.say("The game is copied.");
  }
}
