/** Modal dialogs, and questions in them. */

import { el } from "../dom.js";
import "./styles.js";

/**
 * Opens a dialog. It closes with its button, with Escape, or by calling the returned function.
 * @param {string | (Node | string)[]} title
 * @param {string} name a class
 * @param {...(Node | string)} content
 */
export function openDialog(title, name, ...content) {
  const id = `title-${name}`;
  const close = el("button", { class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "×");
  const dialog = el(
    "dialog",
    { class: `dialog ${name}`, "aria-labelledby": id },
    el("header", {}, el("h2", { id }, ...[title].flat()), close),
    el("div", { class: "content" }, ...content),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks a question. The first answer cancels, as Escape does; the last one confirms.
 * @param {string} question
 * @param {string[]} answers
 * @returns {Promise<string>} the one that was given
 */
export function ask(question, answers) {
  return new Promise((resolve) => {
    const [nothing = "", wanted = ""] = [answers[0], answers.at(-1)];
    const buttons = answers.map((answer) =>
      el("button", { class: answer === wanted ? "filled" : null, onclick: () => dialog.close(answer) }, answer),
    );
    const dialog = el(
      "dialog",
      { class: "dialog question", "aria-labelledby": "question" },
      el("p", { id: "question" }, question),
      el("div", { class: "row" }, ...buttons),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || nothing);
    });
    document.body.append(dialog);
    dialog.showModal();
    buttons.at(-1)?.focus();
  });
}
