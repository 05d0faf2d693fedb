/** The HTTP API of the server: invite, withdraw, join, fetch, list. Throws a sentence on failure. */

/** @import { ClockRule, RulebookId, Side, Start } from "../types.js" */

/**
 * @typedef {object} InviteRequest
 * @property {RulebookId} rulebook
 * @property {Side | "random"} colour
 * @property {ClockRule} [clock]
 * @property {"random"} [opening]
 * @property {string} name
 *
 * @typedef {object} Summary
 * @property {string} id
 * @property {"waiting" | "playing" | "over"} phase
 * @property {RulebookId} rulebook
 * @property {[string, string]} names
 * @property {Side | null} you
 * @property {string | null} outcome
 * @property {Side | null} winner
 * @property {number} plies
 *
 * @typedef {Summary & {your_turn: boolean, updated: number}} MyGame
 * @typedef {Summary & {seated: boolean, start: Start, next: string | null}} GameInfo
 */

/** The status codes that mean that there is no such game, or not any more. */
const GONE = [404, 410];

/** An answer of the server other than success. */
class ApiError extends Error {
  /** @param {string} sentence @param {number} status */
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/** Is the game gone for good? @param {unknown} error */
export function isGone(error) {
  return error instanceof ApiError && GONE.includes(error.status);
}

/** @param {InviteRequest} request @returns {Promise<{id: string}>} */
export function invite(request) {
  return ask("/api/games", post(request));
}

/** Withdraws an invitation. @param {string} id */
export function withdraw(id) {
  return ask(`/api/games/${id}`, { method: "DELETE" });
}

/** @param {string} id @param {string} name @returns {Promise<{you: Side}>} */
export function join(id, name) {
  return ask(`/api/games/${id}/join`, post({ name }));
}

/** @param {string} id @returns {Promise<GameInfo>} */
export function fetchGame(id) {
  return ask(`/api/games/${id}`);
}

/** @returns {Promise<MyGame[]>} */
export function fetchMyGames() {
  return ask("/api/games");
}

/** The address of a game on the page. @param {string} id */
export function pathOf(id) {
  return `/game/${id}`;
}

/** The link to send to a friend. @param {string} id */
export function linkOf(id) {
  return location.origin + pathOf(id);
}

/** @param {object} body @returns {RequestInit} */
function post(body) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** @param {string} path @param {RequestInit} [init] */
async function ask(path, init) {
  let answer;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Error("The server cannot be reached. Try again when you are connected.");
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ApiError(body.error ?? `The server answered with ${answer.status}. Try again in a moment.`, answer.status);
  return body;
}
