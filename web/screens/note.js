/** Sentences that are not about the game, over the page, until they are put away. */

import { byId, el } from "../dom.js";
import "./styles.js";

/**
 * @param {string} sentence
 * @param {Record<string, () => void>} [actions]
 */
export function note(sentence, actions = {}) {
  const buttons = Object.entries({ ...actions, Close: () => {} }).map(([label, action]) =>
    el("button", { class: "small", onclick: () => (box.remove(), action()) }, label),
  );
  const box = el("div", { class: "note" }, el("p", {}, sentence), ...buttons);
  // A dialog covers everything beside it.
  const header = [...document.querySelectorAll("dialog[open] header")].at(-1);
  if (header) header.after(el("div", { role: "alert" }, box));
  else byId("notes").append(box);
}
