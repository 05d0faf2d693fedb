/** The options dialog: theme, board, numbers and sound. Every choice takes effect at once and is saved. */

import { el, pills } from "../dom.js";
import { openDialog } from "./dialog.js";
import "../boards.js";

/** @import { Options } from "../store.js" */

/** @type {[Options["board"], string][]} */
const BOARDS = [
  ["walnut", "Walnut"],
  ["green", "Tournament"],
  ["slate", "Slate"],
  ["night", "Night"],
  ["ink", "High contrast"],
];

/**
 * @param {Options} options
 * @param {(options: Options) => void} onChange
 */
export function showOptions(options, onChange) {
  let now = options;
  const set = (/** @type {keyof Options} */ key) => (/** @type {string} */ value) => {
    now = { ...now, [key]: key === "sound" ? value === "on" : value };
    onChange(now);
  };
  const sample = (/** @type {string} */ board) => el("span", { class: "sample", "data-board": board });
  openDialog(
    "Options",
    "options",
    pills("board", "Board", BOARDS.map(([value, text]) => [value, text, sample(value)]), now.board, set("board")),
    pills("theme", "Theme", [["auto", "System"], ["light", "Light"], ["dark", "Dark"]], now.theme, set("theme")),
    pills("numbers", "Numbers on the squares", [["auto", "By the rules"], ["on", "On"], ["off", "Off"]], now.numbers, set("numbers")),
    pills("sound", "Sound", [["on", "On"], ["off", "Off"]], now.sound ? "on" : "off", set("sound")),
  );
}
