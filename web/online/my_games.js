/**
 * The games over a link of this browser: a list on the start sheet, and a mark in the title when it is the player's
 * move.
 */

import { el, fill } from "../dom.js";
import { fetchMyGames, pathOf } from "./api.js";
import "./styles.js";

/** @import { Sound } from "../sound.js" */
/** @import { StartSheet } from "../start.js" */
/** @import { MyGame } from "./api.js" */

/**
 * @typedef {object} Services
 * @property {StartSheet} sheet
 * @property {(sound: Sound) => void} playSound
 * @property {(mark: string) => void} setMark
 */

/** How often the list is fetched. */
const POLL_MS = 15_000;
/** At most this many are listed at first; the others are folded away. */
const SHOWN = 4;
/** At most this many games that wait for the player are shown above the choices. */
const WAITING_ABOVE = 2;

/** Fetches the list; null until there is one. @type {(() => Promise<void>) | null} */
let poll = null;

/**
 * Keeps the list on the start sheet up to date, and tells the player when it is their move.
 * @param {Services} services
 */
export function watchMyGames(services) {
  if (poll) return poll();
  poll = newPoll(services);
  setInterval(() => void poll?.(), POLL_MS);
  document.addEventListener("visibilitychange", () => document.hidden || void poll?.());
  return poll();
}

/** @param {Services} services */
function newPoll({ sheet, playSound, setMark }) {
  const list = el("div", { class: "friends" });
  sheet.friends.append(list);
  /** Games in which it was the player's move when last fetched. @type {Set<string> | null} */
  let known = null;
  let shown = "";
  const show = (/** @type {MyGame[]} */ games) => {
    const waiting = games.filter(({ your_turn }) => your_turn).slice(0, WAITING_ABOVE);
    fill(sheet.calls, ...waiting.map(entry));
    fill(list, ...entries(games.filter((game) => !waiting.includes(game))));
  };
  return async () => {
    if (!navigator.onLine) return;
    const games = await fetchMyGames().catch(() => null);
    if (!games) return;
    // Without news the list is not redrawn, so that folding and focus stay.
    const news = JSON.stringify(games);
    if (news !== shown) show(games);
    shown = news;
    // The open game notifies the player itself.
    const isOpen = (/** @type {string} */ id) => location.pathname === pathOf(id);
    const waiting = games.filter(({ id, your_turn }) => your_turn && !isOpen(id)).map(({ id }) => id);
    if (known && waiting.some((id) => !known?.has(id))) playSound("turn");
    known = new Set(waiting);
    if (!location.pathname.startsWith(pathOf(""))) setMark(waiting.length > 0 ? "Your move" : "");
  };
}

/** The list, for another screen. @returns {Promise<HTMLElement>} */
export async function listMyGames() {
  const games = await fetchMyGames().catch(() => []);
  return el("div", { class: "friends" }, ...entries(games));
}

/** @param {MyGame[]} games */
function entries(games) {
  if (games.length === 0) return [];
  const all = games.map(entry);
  const rest = all.splice(SHOWN);
  return [el("h2", { class: "legend" }, "My games over a link"), ...all, rest.length > 0 && el("details", {}, el("summary", {}, `${rest.length} more`), ...rest)];
}

/** @param {MyGame} game */
function entry(game) {
  return el(
    "div",
    { class: game.your_turn ? "entry yours" : "entry" },
    el("a", { href: pathOf(game.id) }, el("strong", {}, ...title(game)), el("span", {}, about(game))),
  );
}

/** @param {MyGame} game */
function title({ phase, names, you }) {
  if (phase === "waiting") return ["Your invitation"];
  return ["With ", el("bdi", {}, names[you === "black" ? 1 : 0] || "a friend")];
}

/** @param {MyGame} game */
function about(game) {
  const { phase, your_turn, plies, updated } = game;
  const day = new Date(updated).toLocaleDateString(undefined, { day: "numeric", month: "short" });
  if (phase === "waiting") return `No one has joined yet · ${day}`;
  const state = resultOf(game) ?? (your_turn ? "Your move." : "Their move.");
  return `${state} · ${plies} ${plies === 1 ? "move" : "moves"} · ${day}`;
}

/** How a game ended for the player, and why; null if it is not over. @param {MyGame} game */
function resultOf({ outcome, winner, you }) {
  if (!outcome || !winner || !you) return outcome;
  return `${winner === you ? "You won" : "You lost"}. ${outcome}`;
}
