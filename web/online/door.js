/** The games over a link of this browser: a list on the first screen, and a mark when it is somebody's turn. */

import { el, fill } from "../dom.js";
import { linkOf, mine } from "./server.js";
import "./styles.js";

/** @import { Table } from "../table.js" */
/** @import { Mine } from "./server.js" */

/** So often it is asked how things stand. */
const LOOK_MS = 15_000;
/** So many are listed at first; the others are in a fold. */
const SHOWN = 4;
/** So many that wait for the player come before the questions. */
const CALLS = 2;

/** Keeps the list on the first screen up to date, and tells when it becomes one's turn in a game. @param {Table} table */
export function openDoor(table) {
  const list = el("div", { class: "friends" });
  table.sheet.friends.append(list);
  /** Games in which it was one's turn when last looked. @type {Set<string> | null} */
  let known = null;
  let shown = "";
  const show = (/** @type {Mine[]} */ games) => {
    const calls = games.filter(({ your_turn }) => your_turn).slice(0, CALLS);
    fill(table.sheet.calls, ...calls.map(entry));
    fill(list, ...entries(games.filter((game) => !calls.includes(game))));
  };
  const look = async () => {
    if (!navigator.onLine) return;
    const games = await mine().catch(() => null);
    if (!games) return;
    // What is folded out and focused stays so.
    const news = JSON.stringify(games);
    if (news !== shown) show(games);
    shown = news;
    // The game that is open tells for itself.
    const waiting = games.filter(({ id, your_turn }) => your_turn && !location.pathname.endsWith(id)).map(({ id }) => id);
    if (known && waiting.some((id) => !known?.has(id))) table.sound("turn");
    known = new Set(waiting);
    if (table.session === table.local) document.title = waiting.length > 0 ? "● Your move: Crownhead" : "Crownhead: play checkers";
  };
  void look();
  setInterval(() => void look(), LOOK_MS);
  document.addEventListener("visibilitychange", () => document.hidden || void look());
}

/** The list, for another screen. @returns {Promise<HTMLElement>} */
export async function linkGames() {
  const games = await mine().catch(() => []);
  return el("div", { class: "friends" }, ...entries(games));
}

/** @param {Mine[]} games */
function entries(games) {
  if (games.length === 0) return [];
  const all = games.map(entry);
  const rest = all.splice(SHOWN);
  return [el("h2", { class: "legend" }, "My games over a link"), ...all, rest.length > 0 && el("details", {}, el("summary", {}, `${rest.length} more`), ...rest)];
}

/** @param {Mine} game */
function entry(game) {
  return el(
    "div",
    { class: game.your_turn ? "entry yours" : "entry" },
    el("a", { href: linkOf(game.id) }, el("strong", {}, ...title(game)), el("span", {}, about(game))),
  );
}

/** @param {Mine} game */
function title({ phase, names, you }) {
  if (phase === "waiting") return ["Your invitation"];
  return ["With ", el("bdi", {}, names[you === "black" ? 1 : 0] || "a friend")];
}

/** @param {Mine} game */
function about(game) {
  const { phase, your_turn, plies, updated } = game;
  const day = new Date(updated).toLocaleDateString(undefined, { day: "numeric", month: "short" });
  if (phase === "waiting") return `Nobody has joined yet · ${day}`;
  const state = resultOf(game) ?? (your_turn ? "Your move." : "Their move.");
  return `${state} · ${plies} ${plies === 1 ? "move" : "moves"} · ${day}`;
}

/** How a game ended for the player, and why; null if it goes on. @param {Mine} game */
function resultOf({ outcome, winner, you }) {
  if (!outcome || !winner || !you) return outcome;
  return `${winner === you ? "You won" : "You lost"}. ${outcome}`;
}
