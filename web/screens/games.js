/** The games that were played here: how it went against each level, and all of them to look through. */

import { el } from "../dom.js";
import { sentenceOf } from "../table.js";
import { openDialog } from "./dialog.js";
import { save } from "./file.js";

/** @import { Finished, Tally } from "../store.js" */
/** @import { Table } from "../table.js" */

/** @param {Table} table */
export function showGames(table) {
  const list = el("div", { class: "games-list" });
  const overLinks = el("div");
  const show = () => list.replaceChildren(...entries(table, dialog, show));
  const dialog = openDialog(
    "Games",
    "games",
    overLinks,
    statistics(table),
    el(
      "div",
      { class: "row" },
      el("button", { class: "small", onclick: () => (dialog.close(), void table.openFile()) }, "Open a game file"),
    ),
    list,
    ...aside(table),
  );
  show();
  if (table.store.linkName !== null) void import("../online/door.js").then(({ linkGames }) => linkGames()).then((games) => overLinks.append(games));
}

/** @param {Table} table */
function statistics({ store, core }) {
  const rows = core.catalog.levels.flatMap(({ number, name }) => {
    const tally = store.tallies[number];
    return tally ? [row(name, tally)] : [];
  });
  if (rows.length === 0) return el("p", {}, "Games that you finish are kept here.");
  const head = ["Level", "Won", "Drawn", "Lost"].map((text) => el("th", { scope: "col" }, text));
  return el("table", {}, el("caption", { class: "legend" }, "Against the computer"), el("tr", {}, ...head), ...rows);
}

/** @param {string} name @param {Tally} tally */
function row(name, { wins, draws, losses }) {
  return el("tr", {}, el("th", { scope: "row" }, name), ...[wins, draws, losses].map((n) => el("td", {}, String(n))));
}

/**
 * @param {Table} table
 * @param {HTMLDialogElement} dialog
 * @param {() => void} show
 */
function entries(table, dialog, show) {
  return table.store.finished.map((game) => {
    const look = async () => {
      const log = table.store.log(game.id);
      if (!log) return table.note("The moves of that game are no longer kept.");
      const { review } = await import("./review.js");
      try {
        const { game: live } = table.core.replay(log);
        dialog.close();
        review(table, live, {});
      } catch (error) {
        table.note(sentenceOf(error));
      }
    };
    const remove = () => {
      table.store.unfinish(game.id);
      show();
    };
    const names = namesOf(game);
    return el(
      "div",
      { class: "entry" },
      el("button", { onclick: () => void look() }, el("strong", {}, names), el("span", {}, about(table, game))),
      el("button", { class: "close", "aria-label": `Delete the game ${names}`, onclick: remove }, "×"),
    );
  });
}

/** Black's name first. Who sat here against the computer is “You”. @param {Finished} game */
function namesOf({ names: [black, white], you }) {
  return `${you === "black" ? "You" : black} – ${you === "white" ? "You" : white}`;
}

/** @param {Table} table @param {Finished} game */
function about({ core }, { at, level, sentence, plies }) {
  const day = new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
  const name = level === null ? "" : `${core.catalog.levels[level - 1]?.name} · `;
  return `${name}${sentence} · ${plies} moves · ${day}`;
}

/** Games that could not be read, to be saved as they are. @param {Table} table */
function aside({ store }) {
  if (store.aside.length === 0) return [];
  const buttons = store.aside.map(([at, text]) =>
    el("button", { class: "link", onclick: () => save(`damaged-${at}.json`, text) }, new Date(at).toLocaleString()),
  );
  return [el("section", {}, el("h3", {}, "Set aside"), el("p", {}, "These could not be read. Save them before they are cleared."), ...buttons)];
}
