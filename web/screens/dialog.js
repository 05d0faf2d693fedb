/** Screens over the table, and questions. */

import { el } from "../dom.js";
import "./styles.js";

/**
 * Opens a dialog. It closes with its button, with Escape, or by calling what is given back.
 * @param {string} title
 * @param {string} name a class
 * @param {...(Node | string)} content
 */
export function openDialog(title, name, ...content) {
  const id = `title-${name}`;
  const close = el("button", { class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "×");
  const dialog = el(
    "dialog",
    { class: `dialog ${name}`, "aria-labelledby": id },
    el("header", {}, el("h2", { id }, title), close),
    el("div", { class: "content" }, ...content),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks a question.
 * @param {string} question
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function ask(question, yes, no) {
  return new Promise((resolve) => {
    const answer = el("button", { class: "filled", onclick: () => dialog.close("yes") }, yes);
    const dialog = el(
      "dialog",
      { class: "dialog question", "aria-labelledby": "question" },
      el("p", { id: "question" }, question),
      el("div", { class: "row" }, el("button", { onclick: () => dialog.close() }, no), answer),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
    answer.focus();
  });
}
