/** What is asked of the server over HTTP: invite, withdraw, join, look, list. What goes wrong is thrown as a sentence. */

/** @import { ClockRule, RulebookId, Side, Start } from "../types.js" */

/**
 * @typedef {object} Terms
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
 * @typedef {Summary & {your_turn: boolean, updated: number}} Mine
 * @typedef {Summary & {seated: boolean, start: Start, next: string | null}} Standing
 */

/** The answer that there is no such game, or none any more. */
const GONE = [404, 410];

/** What the server does not do, and why. */
class Refusal extends Error {
  /** @param {string} sentence @param {number} status */
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/** Is there no use in asking for the game again? @param {unknown} error */
export function isGone(error) {
  return error instanceof Refusal && GONE.includes(error.status);
}

/** @param {Terms} terms @returns {Promise<{id: string}>} */
export function invite(terms) {
  return ask("/api/games", post(terms));
}

/** Takes an invitation back. @param {string} id */
export function withdraw(id) {
  return ask(`/api/games/${id}`, { method: "DELETE" });
}

/** @param {string} id @param {string} name @returns {Promise<{you: Side}>} */
export function join(id, name) {
  return ask(`/api/games/${id}/join`, post({ name }));
}

/** @param {string} id @returns {Promise<Standing>} */
export function look(id) {
  return ask(`/api/games/${id}`);
}

/** @returns {Promise<Mine[]>} */
export function mine() {
  return ask("/api/games");
}

/** @param {string} id */
export function linkOf(id) {
  return `${location.origin}/game/${id}`;
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
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(told.error ?? `The server answered with ${answer.status}. Try again in a moment.`, answer.status);
  return told;
}
