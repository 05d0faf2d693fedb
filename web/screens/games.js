/** The list of finished games on this device, with the results against each level. */

import { el } from "../dom.js";
import { ask, openDialog } from "./dialog.js";
import { save } from "./file.js";
import { sentenceOf } from "../wasm.js";

/** @import { Core, LiveGame } from "../core.js" */
/** @import { Finished, Store, Tally } from "../store.js" */
/** @import { Catalog } from "../types.js" */

/**
 * @typedef {object} Services
 * @property {Core} core
 * @property {Store} store
 * @property {(open: () => LiveGame) => Promise<unknown>} review
 * @property {() => void} openFile
 */

/** @param {Services} services */
export function showGames({ core, store, review, openFile }) {
  const { catalog } = core;
  const list = el("div", { class: "games-list" });
  const tallies = el("div");
  const overLinks = el("div");
  const trouble = el("p", { class: "trouble", role: "alert" });
  const show = () => {
    tallies.replaceChildren(statistics(store, catalog));
    list.replaceChildren(...store.finished.map((game, i) => entry(catalog, game, () => void look(game), () => void remove(game, i))));
  };
  const look = async (/** @type {Finished} */ game) => {
    trouble.textContent = "";
    const log = store.log(game.id);
    try {
      if (!log) throw new Error("The moves of that game are no longer saved.");
      await review(() => {
        const { game: live } = core.replay(log);
        dialog.close();
        return live;
      });
    } catch (error) {
      trouble.textContent = sentenceOf(error);
    }
  };
  const remove = async (/** @type {Finished} */ game, /** @type {number} */ i) => {
    if ((await ask(`Delete the game ${namesOf(game)}?`, ["Keep it", "Delete"])) !== "Delete") return;
    store.unfinish(game.id);
    show();
    const entries = /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll(".entry .close"));
    (entries[i] ?? entries[i - 1] ?? file).focus();
  };
  const file = el("button", { class: "small", onclick: () => (dialog.close(), openFile()) }, "Open a game file");
  const dialog = openDialog("Games", "games", overLinks, tallies, el("div", { class: "row" }, file), trouble, list, ...setAside(store));
  show();
  if (store.linkName === null) return;
  // The list is complete without these if they cannot be loaded.
  import("../online/my_games.js").then(({ listMyGames }) => listMyGames()).then((games) => overLinks.append(games), () => {});
}

/** @param {Store} store @param {Catalog} catalog */
function statistics(store, catalog) {
  const rows = catalog.levels.flatMap(({ number, name }) => {
    const tally = store.tallies[number];
    return tally ? [row(name, tally)] : [];
  });
  if (rows.length === 0) return el("p", {}, "Games that you finish are listed here.");
  const head = ["Level", "Won", "Drawn", "Lost"].map((text) => el("th", { scope: "col" }, text));
  return el("table", {}, el("caption", { class: "legend" }, "Against the computer"), el("tr", {}, ...head), ...rows);
}

/** @param {string} name @param {Tally} tally */
function row(name, { wins, draws, losses }) {
  return el("tr", {}, el("th", { scope: "row" }, name), ...[wins, draws, losses].map((n) => el("td", {}, String(n))));
}

/**
 * @param {Catalog} catalog
 * @param {Finished} game
 * @param {() => void} look
 * @param {() => void} remove
 */
function entry(catalog, game, look, remove) {
  const names = namesOf(game);
  return el(
    "div",
    { class: "entry" },
    el("button", { onclick: look }, el("strong", {}, names), el("span", {}, about(catalog, game))),
    el("button", { class: "close", "aria-label": `Delete the game ${names}`, onclick: remove }, "×"),
  );
}

/** Black's name first. The player of a game against the computer is “You”. @param {Finished} game */
function namesOf({ names: [black, white], you }) {
  return `${you === "black" ? "You" : black} – ${you === "white" ? "You" : white}`;
}

/** @param {Catalog} catalog @param {Finished} game */
function about(catalog, { at, level, sentence, plies }) {
  const day = new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
  const name = level === null ? "" : `${catalog.levels[level - 1]?.name} · `;
  return `${name}${sentence} · ${plies} moves · ${day}`;
}

/** Unreadable games that were set aside, for download as they are. @param {Store} store */
function setAside(store) {
  if (store.aside.length === 0) return [];
  const buttons = store.aside.map(([at, text]) =>
    el("button", { class: "link", onclick: () => save(`damaged-${at}.json`, text) }, new Date(at).toLocaleString()),
  );
  return [el("section", {}, el("h3", {}, "Set aside"), el("p", {}, "These games could not be read. Download them here before you clear your browser's data."), ...buttons)];
}
