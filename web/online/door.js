/** The games over a link of this browser, on the first screen. */

import { el, fill } from "../dom.js";
import { linkOf, mine } from "./server.js";
import "./styles.js";

/** @import { Table } from "../table.js" */
/** @import { Mine } from "./server.js" */

/** So often the list is brought up to date while it is seen. */
const LOOK_MS = 20_000;
/** So many are listed at first; the others are in a fold. */
const SHOWN = 4;

/** @param {Table} table */
export function openDoor(table) {
  const list = el("div", { class: "friends" });
  table.sheet.friends.append(list);
  const look = async () => {
    if (document.hidden || !navigator.onLine || table.root.dataset.mode !== "start") return;
    const games = await mine().catch(() => []);
    show(list, games);
    document.title = games.some(({ your_turn }) => your_turn) ? "● Your move: Crownhead" : "Crownhead: play checkers";
  };
  void look();
  setInterval(() => void look(), LOOK_MS);
  document.addEventListener("visibilitychange", () => void look());
}

/** @param {HTMLElement} list @param {Mine[]} games */
function show(list, games) {
  const entries = games.map(entry);
  const rest = entries.splice(SHOWN);
  fill(
    list,
    games.length > 0 && el("h2", { class: "legend" }, "My games over a link"),
    ...entries,
    rest.length > 0 && el("details", {}, el("summary", {}, `${rest.length} more`), ...rest),
  );
}

/** @param {Mine} game */
function entry(game) {
  const names = game.names.map((name) => name || "?").join(" – ");
  return el(
    "div",
    { class: game.your_turn ? "entry yours" : "entry" },
    el("a", { href: linkOf(game.id) }, el("strong", {}, game.phase === "waiting" ? "Invitation" : names), el("span", {}, about(game))),
  );
}

/** @param {Mine} game */
function about({ phase, your_turn, outcome, plies }) {
  if (phase === "waiting") return "Nobody has joined yet.";
  if (outcome) return outcome;
  return `${your_turn ? "Your move." : "Waiting for your opponent."} ${plies} moves so far.`;
}
