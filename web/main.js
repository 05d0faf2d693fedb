/** Opens the page: loads the game, sets the table, wires the menu, and keeps the page for offline and apart from other tabs. */

import { Core } from "./core.js";
import { byId } from "./dom.js";
import { Store } from "./store.js";
import { Table } from "./table.js";
import { Thinker } from "./thinker.js";
import { sentenceOf } from "./wasm.js";

/** @import { Options } from "./store.js" */

/** At the first visit the page is kept for offline after so long: until then the network and the processor are the player's. */
const KEEP_MS = 1500;
/** Later than the first paint and sooner than the first move. */
const REHEARSAL_MS = 200;
/** How often a page that stays open asks for a new version. */
const UPDATE_MS = 60 * 60 * 1000;

const store = new Store(() => window.localStorage);

/** @param {Options} options */
async function applyLooks({ theme, board }) {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.board = board;
  // A board that cannot be fetched is of walnut.
  if (board !== "walnut") await import("./boards.js").catch(() => {});
}

async function open() {
  const [core] = await Promise.all([Core.load(), looks]);
  const table = new Table(core, new Thinker(), store);
  store.onTrouble = (sentence) => table.note(sentence);
  byId("new-game").addEventListener("click", () => void table.newGame());
  byId("how").addEventListener("click", () => void table.part(() => import("./screens/how.js"), ({ showHow }) => showHow(table)));
  byId("games").addEventListener("click", () => void table.part(() => import("./screens/games.js"), ({ showGames }) => showGames(table)));
  byId("options").addEventListener("click", () =>
    void table.part(() => import("./screens/options.js"), ({ showOptions }) =>
      showOptions(store.options, (options) => {
        store.options = options;
        void applyLooks(options);
        table.redraw();
      }),
    ),
  );
  const isVisit = location.pathname.startsWith("/game/");
  const visited = isVisit ? await table.part(() => import("./online/visit.js"), ({ visit }) => visit(table)) : null;
  if (visited === null) table.open();
  // Who cannot be asked now is asked with the next visit.
  if (store.linkName !== null) void import("./online/door.js").then(({ openDoor }) => openDoor(table)).catch(() => {});
  keep(table);
  setTimeout(() => core.rehearse(), REHEARSAL_MS);
}

/** What goes on beside the game. @param {Table} table */
function keep(table) {
  // Without a service worker the page needs the network; everything else works.
  const isKept = Boolean(navigator.serviceWorker?.controller);
  // Another tab has switched to a new version; this one follows with its next game.
  if (isKept) navigator.serviceWorker.addEventListener("controllerchange", () => offerUpdate(table, () => location.reload()));
  setTimeout(() => void keepOffline(table).catch(() => {}), isKept ? 0 : KEEP_MS);
  watchTabs(table);
}

/**
 * Registers the service worker. A new version waits for the next game.
 * @param {Table} table
 */
async function keepOffline(table) {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register("/service-worker.js");
  const noticed = () => {
    const { waiting } = registration;
    if (!waiting || !navigator.serviceWorker.controller) return;
    offerUpdate(table, () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      waiting.postMessage("take over");
    });
  };
  noticed();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", noticed));
  setInterval(() => void registration.update().catch(() => {}), UPDATE_MS);
}

/** Has the next new game switch to the new version. Tests wait for the mark. @param {Table} table @param {() => void} update */
function offerUpdate(table, update) {
  table.update = update;
  document.documentElement.dataset.update = "ready";
}

/**
 * One tab plays and saves; another one is told, and may take over. A tab that begins a game says so; one that is just
 * opened asks first, because the game that it found may be played already.
 * @param {Table} table
 */
function watchTabs(table) {
  const channel = new BroadcastChannel("crownhead");
  const session = table.local;
  const say = (/** @type {"anyone" | "taken"} */ what, /** @type {string} */ id) => channel.postMessage({ what, id });
  const lost = (/** @type {string} */ id) => {
    session.isOwner = false;
    const sentence =
      id === session.id
        ? "This game is open in another tab, and is played there."
        : "A game was begun in another tab, and only one can be kept.";
    table.note(sentence, { "Play here": () => table.open(() => session.takeBack()) });
  };
  session.onTaken = (id) => say("taken", id);
  channel.addEventListener("message", ({ data: { what, id } }) => {
    if (!session.game || !session.isOwner) return;
    if (what === "anyone") say("taken", session.id);
    if (what === "taken") lost(id);
  });
  if (session.game) say("anyone", session.id);
}

const looks = applyLooks(store.options);
open().catch((error) => {
  byId("start").hidden = false;
  byId("start").textContent = sentenceOf(error);
});
