/**
 * The entry point of the page: the router with its routes, the services of each screen, the menu, and the service
 * worker.
 */

import { Core } from "./core.js";
import { byId, loadPart, toast } from "./dom.js";
import { GameScreen } from "./game_screen.js";
import { PlayScreen } from "./play_screen.js";
import { Store } from "./store.js";
import { CoreError, sentenceOf } from "./wasm.js";

/** @import { About } from "./screens/review.js" */
/** @import { LiveGame } from "./core.js" */
/** @import { Sound } from "./sound.js" */
/** @import { Options } from "./store.js" */
/** @import { Thinker } from "./thinker.js" */
/** @import { Rulebook, Side } from "./types.js" */

/**
 * On the first visit the service worker is registered after this delay, so that it does not slow down the first moves.
 */
const KEEP_MS = 1500;
/** The delay of the rehearsal: after the first paint and before the first move. */
const REHEARSAL_MS = 200;
/** How often an open page checks for a new version. */
const UPDATE_MS = 60 * 60 * 1000;

/** The end of every title. */
const SITE = "Crownhead";

/**
 * A screen. Only one is open at a time.
 * @typedef {object} Screen
 * @property {(parameter: string) => void} open shows it, with the parameter that its route found in the address
 * @property {() => void} close removes it and stops its pending work
 *
 * The addresses of a screen, with the parameter as the only group, and how to load the screen.
 * @typedef {{pattern: RegExp, load: () => Promise<Screen>}} Route
 */

const store = new Store(() => window.localStorage);
store.onTrouble = (/** @type {string} */ sentence) => toast(sentence);
/** Switches to a new version, if one is waiting. The page reloads and resumes its game. @type {(() => void) | null} */
let update = null;
/** @type {Promise<Thinker> | null} */
let thinker = null;

/** The engine, loaded when it is first needed. */
function loadThinker() {
  thinker ??= import("./thinker.js").then(
    ({ Thinker }) => new Thinker(),
    (cause) => {
      thinker = null;
      throw new CoreError("The computer player could not be loaded. Try again when you are connected.", { cause });
    },
  );
  return thinker;
}

/** @param {Options} options */
async function applyTheme({ theme, board }) {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.board = board;
  // If the style sheet cannot be fetched, the board is walnut.
  if (board !== "walnut") await import("./boards.js").catch(() => {});
}

/** Plays a sound, unless sounds are off. @param {Sound} sound */
function playSound(sound) {
  // A sound that cannot be fetched is not reported.
  if (store.options.sound) import("./sound.js").then(({ play }) => play(sound)).catch(() => {});
}

/** Are square numbers shown? @param {Rulebook} book */
function hasNumbers(book) {
  const { numbers } = store.options;
  return numbers === "auto" ? book.shows_numbers : numbers === "on";
}

async function open() {
  const [core] = await Promise.all([Core.load(), themed]);
  const review = (/** @type {() => LiveGame} */ open, /** @type {About} */ about = {}) =>
    loadPart(() => Promise.all([import("./screens/review.js"), loadThinker()]), ([screen, thinker]) => screen.review({ thinker, playFrom }, open(), about));
  const openFile = () => void loadPart(() => import("./screens/open.js"), ({ openGame }) => openGame({ core, review }));
  const gameScreen = new GameScreen({ core, playSound, hasNumbers, review });
  const setTitle = (/** @type {string} */ title) => router.setTitle(title);
  const setMark = (/** @type {string} */ mark) => router.setMark(mark);
  const go = (/** @type {string} */ path) => void router.go(path);
  const invite = () => void loadPart(() => import("./online/invite.js"), ({ showInvite }) => showInvite({ catalog: core.catalog, store, rulebook: play.sheet.choices.rulebook, go }));
  const play = new PlayScreen({ core, store, gameScreen, loadThinker, setTitle, openFile, invite, onStart: () => update?.() });

  /**
   * Leaves the game to play from a position.
   * @param {string} position
   * @param {Side} colour
   * @returns {Promise<boolean>} was it left?
   */
  const playFrom = async (position, colour) => {
    const yes = "Play on from here";
    if ((await gameScreen.leave(["Keep playing", yes])) !== yes) return false;
    await router.go("/");
    if ((await play.leave(["Keep playing", yes])) !== yes) return false;
    play.choose({ position, against: "computer", colour });
    return true;
  };

  const router = new Router([
    { pattern: /^\/$/, load: async () => play },
    { pattern: /^\/game\/([^/]+)$/, load: () => import("./online/online_game.js").then(({ OnlineGameScreen }) => new OnlineGameScreen({ core, store, gameScreen, playSound, setTitle, setMark, go })) },
    { pattern: /^\/rules\/([^/]+)$/, load: () => import("./screens/rules.js").then(({ RulesScreen }) => new RulesScreen({ core, hasNumbers, setTitle })) },
  ]);
  router.isOutdated = () => update !== null;

  // If games over a link cannot be listed now, the next visit lists them.
  router.onOpened = () => {
    if (store.linkName === null) return;
    import("./online/my_games.js").then(({ watchMyGames }) => watchMyGames({ sheet: play.sheet, playSound, setMark })).catch(() => {});
  };
  byId("games").addEventListener("click", () => void loadPart(() => import("./screens/games.js"), ({ showGames }) => showGames({ core, store, review, openFile })));
  byId("options").addEventListener("click", () =>
    void loadPart(() => import("./screens/options.js"), ({ showOptions }) =>
      showOptions(store.options, (options) => {
        store.options = options;
        void applyTheme(options);
        gameScreen.redraw();
      }),
    ),
  );
  await router.start();
  keepOffline();
  setTimeout(() => core.rehearse(), REHEARSAL_MS);
}

/**
 * The router: opens the screen that an address belongs to, closes the one before, and follows links, back and forward.
 */
class Router {
  /** Called after a screen was opened. */
  onOpened = () => {};
  /** Is a new version of the page waiting? Then the next address is loaded from the server. */
  isOutdated = () => false;
  #routes;
  /** @type {Screen | null} */
  #screen = null;
  /** The address of the open screen. */
  #path = "";
  /** Counts navigations: a screen that loads after the player has navigated elsewhere is not opened. */
  #latest = 0;
  #title = "";
  #mark = "";

  /** @param {Route[]} routes */
  constructor(routes) {
    this.#routes = routes;
  }

  /** Opens the screen of the current address, then follows links and the back button. */
  start() {
    addEventListener("popstate", () => void this.#open(location.pathname));
    document.addEventListener("click", (event) => this.#onClick(event));
    return this.#open(location.pathname);
  }

  /** Goes to an address of the page. @param {string} path */
  async go(path) {
    if (path === this.#path) return;
    if (this.isOutdated()) return location.assign(path);
    if (await this.#open(path)) scrollTo(0, 0);
  }

  /** Sets the title of the screen. @param {string} title */
  setTitle(title) {
    this.#title = title;
    this.#showTitle();
  }

  /**
   * Puts an urgent mark in the title, such as that it is the player's move; an empty one removes it.
   * @param {string} mark
   */
  setMark(mark) {
    this.#mark = mark;
    this.#showTitle();
  }

  #showTitle() {
    const text = this.#mark ? `● ${this.#mark}` : this.#title;
    document.title = text.endsWith("?") ? `${text} ${SITE}` : `${text}: ${SITE}`;
  }

  /** @param {string} path @returns {Promise<boolean>} was it opened? */
  async #open(path) {
    const navigation = ++this.#latest;
    const route = this.#routes.find(({ pattern }) => pattern.test(path));
    const screen = route ? await loadPart(route.load, (screen) => screen) : null;
    if (navigation !== this.#latest) return false;
    if (!route || !screen) return this.#stay();
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    this.#screen?.close();
    this.#screen = screen;
    this.#path = path;
    this.#mark = "";
    if (path !== location.pathname) history.pushState(null, "", path);
    markCurrent(path);
    screen.open(path.match(route.pattern)?.[1] ?? "");
    this.onOpened();
    return true;
  }

  /** A screen that cannot be opened leaves the page as it is. */
  #stay() {
    history.replaceState(null, "", this.#path || "/");
    if (!this.#screen) void this.#open("/");
    return false;
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !event.defaultPrevented && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || link.origin !== location.origin || link.target || link.download) return;
    if (!this.#routes.some(({ pattern }) => pattern.test(link.pathname))) return;
    event.preventDefault();
    void this.go(link.pathname);
  }
}

/** Marks the link of the bar that leads to the open screen. @param {string} path */
function markCurrent(path) {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".bar nav a"))) {
    const isCurrent = link.pathname.split("/")[1] === path.split("/")[1];
    link.ariaCurrent = isCurrent ? "page" : null;
  }
}

/** Makes the page available offline. Without a service worker it needs the network; everything else works. */
function keepOffline() {
  const isKept = Boolean(navigator.serviceWorker?.controller);
  // Another tab has switched to a new version; this one follows with its next game.
  if (isKept) navigator.serviceWorker.addEventListener("controllerchange", () => offerUpdate(() => location.reload()));
  setTimeout(() => void register().catch(() => {}), isKept ? 0 : KEEP_MS);
}

/** Registers the service worker. A new version waits for the next game. */
async function register() {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register("/service-worker.js");
  const noticed = () => {
    const { waiting } = registration;
    if (!waiting || !navigator.serviceWorker.controller) return;
    offerUpdate(() => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      waiting.postMessage("take over");
    });
  };
  noticed();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", noticed));
  setInterval(() => void registration.update().catch(() => {}), UPDATE_MS);
}

/** Makes the next new game switch to the new version. Tests wait for the mark. @param {() => void} switchOver */
function offerUpdate(switchOver) {
  update = switchOver;
  document.documentElement.dataset.update = "ready";
}

const themed = applyTheme(store.options);
// The rules screen does not use the board in index.html.
byId("game").hidden = location.pathname.startsWith("/rules/");
open().catch((error) => {
  byId("game").hidden = byId("start").hidden = false;
  byId("start").textContent = sentenceOf(error);
});
