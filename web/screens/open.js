/** The dialog that reads a PDN file or pasted text and opens one of its games for review. */

import { el } from "../dom.js";
import { openDialog } from "./dialog.js";
import { sentenceOf } from "../wasm.js";

/** @import { Core, LiveGame } from "../core.js" */
/** @import { About } from "./review.js" */
/** @import { RecordedGame } from "../types.js" */

/** Larger files would take too long. */
const MAX_BYTES = 20_000_000;
/** At most this many games of a file are listed. */
const LISTED = 300;

/** @param {{core: Core, review: (open: () => LiveGame, about: About) => Promise<unknown>}} services */
export function openGame({ core, review }) {
  const text = el("textarea", { rows: 6, "aria-label": "PDN text", placeholder: "1. 11-15 23-19 2. 8-11 22-17 …", spellcheck: "false" });
  const trouble = el("p", { class: "trouble", role: "alert" });
  const found = el("div", { class: "games-list" });
  const file = el("input", { type: "file", accept: ".pdn,.txt,text/plain", "aria-label": "A game file", onchange: () => void choose() });
  const dialog = openDialog(
    "Open a game",
    "open",
    el("p", {}, "Choose a game file (PDN), or paste its text."),
    file,
    text,
    el("button", { class: "filled", onclick: () => read(text.value) }, "Read"),
    trouble,
    found,
  );

  const choose = async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    if (chosen.size > MAX_BYTES) trouble.textContent = "That file is too large: the limit is 20 MB.";
    else read(await chosen.text());
  };
  const read = (/** @type {string} */ pdn) => {
    trouble.textContent = "";
    found.replaceChildren();
    try {
      const games = core.readPdn(pdn);
      const [only] = games;
      if (games.length === 1 && only) return show(only);
      found.replaceChildren(...games.slice(0, LISTED).map((game) => entry(game, () => show(game))));
      if (games.length > LISTED) trouble.textContent = `The first ${LISTED} of ${games.length} games are listed.`;
    } catch (error) {
      trouble.textContent = sentenceOf(error);
    }
  };
  const show = (/** @type {RecordedGame} */ recorded) => {
    try {
      const game = replayed(core, recorded);
      dialog.close();
      const { plies, result, warnings, date } = recorded;
      void review(() => game, { comments: plies.map(({ comment }) => comment), result, warnings, date });
    } catch (error) {
      trouble.textContent = sentenceOf(error);
    }
  };
}

/** @param {RecordedGame} game @param {() => void} onClick */
function entry({ black, white, event, date, result, plies }, onClick) {
  const about = [event, date, result, `${plies.length} moves`].filter(Boolean).join(" · ");
  return el("div", { class: "entry" }, el("button", { onclick: onClick }, el("strong", {}, `${black ?? "?"} – ${white ?? "?"}`), el("span", {}, about)));
}

/**
 * The recorded game, opened for review.
 * @param {Core} core
 * @param {RecordedGame} recorded
 */
function replayed(core, { black, white, rulebook, start, plies }) {
  const player = (/** @type {string | null} */ name) => /** @type {const} */ ({ kind: "human", name: name ?? "" });
  const moves = plies.map(({ move }) => move);
  return core.study({ rulebook, players: [player(black), player(white)], colour: "black", position: start, seed: 1 }, moves);
}
