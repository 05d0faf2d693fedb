/** Downloads and the clipboard. */

import { el } from "../dom.js";

/** @import { LiveGame } from "../core.js" */

/**
 * Downloads a text as a file.
 * @param {string} name
 * @param {string} text
 */
export function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Copies a text. Over plain http browsers withhold the clipboard; then the text is shown for copying by hand.
 * @param {string} text
 * @returns {Promise<boolean>}
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    window.prompt("Copy this:", text);
    return false;
  }
}

/** The date on which a game began, as PDN writes it. @param {LiveGame} game */
export function dayOf({ startedAt }) {
  const day = new Date(startedAt ?? Date.now());
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `${day.getFullYear()}.${two(day.getMonth() + 1)}.${two(day.getDate())}`;
}
