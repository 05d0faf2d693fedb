/** Opens the page: loads the game, sets the table, and wires the menu. */

import { Core } from "./core.js";
import { byId } from "./dom.js";
import { Store } from "./store.js";
import { sentenceOf, Table } from "./table.js";
import { Thinker } from "./thinker.js";

/** @import { Options } from "./store.js" */

const store = new Store(() => window.localStorage);

/** @param {Options} options */
export function applyLooks({ theme, board }) {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.board = board;
}

async function open() {
  const core = await Core.load();
  const table = new Table(core, new Thinker(core.module), store);
  store.onTrouble = (sentence) => table.note(sentence);
  table.open();
  byId("new-game").addEventListener("click", () => void table.newGame());
  byId("how").addEventListener("click", () => void import("./screens/how.js").then(({ showHow }) => showHow(table)));
  byId("games").addEventListener("click", () => void import("./screens/games.js").then(({ showGames }) => showGames(table)));
  byId("options").addEventListener("click", () =>
    void import("./screens/options.js").then(({ showOptions }) =>
      showOptions(store.options, (options) => {
        store.options = options;
        applyLooks(options);
        table.redraw();
      }),
    ),
  );
  void import("./keep.js").then(({ keep }) => keep(table));
}

applyLooks(store.options);
open().catch((error) => {
  byId("start").hidden = false;
  byId("start").textContent = sentenceOf(error);
});
