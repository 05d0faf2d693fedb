/** What goes on beside the game: keeping the page for offline, new versions, and other tabs with the same game. */

/** @import { Table } from "./table.js" */

/** How often a page that stays open asks for a new version. */
const UPDATE_MS = 60 * 60 * 1000;

/** @param {Table} table */
export function keep(table) {
  void keepOffline(table).catch(() => {
    // Without a service worker the page needs the network; everything else works.
  });
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
    table.update = () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      waiting.postMessage("take over");
    };
  };
  noticed();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", noticed));
  setInterval(() => void registration.update().catch(() => {}), UPDATE_MS);
}

/**
 * One tab plays the saved game; another one that opens it is told, and may take it over.
 * @param {Table} table
 */
function watchTabs(table) {
  const channel = new BroadcastChannel("crownhead");
  const { session } = table;
  const lost = () => {
    session.isOwner = false;
    table.note("This game is open in another tab, and is played there.", {
      "Play here": () => {
        channel.postMessage("taken");
        session.leave();
        table.open();
      },
    });
  };
  channel.addEventListener("message", ({ data }) => {
    if (data === "anyone?" && session.game && session.isOwner) channel.postMessage("mine");
    if ((data === "mine" || data === "taken") && session.game && session.isOwner) lost();
  });
  if (session.game) channel.postMessage("anyone?");
}
