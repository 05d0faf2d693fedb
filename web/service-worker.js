/**
 * The service worker: caches the page for offline use. It fetches a new version as a whole beside the old one; the new
 * version takes over when the page asks for it. The previous one stays cached for other tabs that still run it.
 */

/** The global scope of the worker, which the types of the page do not cover. */
const worker = /** @type {any} */ (self);
const FOLDER = "/v/dev/";
const CACHE = `crownhead ${FOLDER}`;
/** The number of cached versions: this one and the previous one. */
const KEPT_VERSIONS = 2;
const ROOT = ["/", "/manifest.webmanifest"];
/** The addresses of screens that the cached page can show. */
const SCREENS = /^\/rules\/[^/]+$/;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fetchAll()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(takeOver()));
worker.addEventListener("message", (/** @type {MessageEvent} */ { data }) => data === "take over" && worker.skipWaiting());
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isOurs = origin === location.origin && event.request.method === "GET";
  if (isOurs && (ROOT.includes(pathname) || pathname.startsWith("/v/"))) event.respondWith(answer(event.request, pathname));
  else if (isOurs && SCREENS.test(pathname)) event.respondWith(answer(event.request, "/"));
  else if (isOurs && pathname.startsWith("/game/")) event.respondWith(answerGame(event.request));
});

async function fetchAll() {
  const response = await fetch(`${FOLDER}assets.json`);
  const cache = await caches.open(CACHE);
  await cache.addAll([...ROOT, ...(await response.json())]);
}

async function takeOver() {
  // Keys come in the order in which the caches were created.
  const names = (await caches.keys()).filter((name) => name.startsWith("crownhead "));
  await Promise.all(names.slice(0, -KEPT_VERSIONS).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request @param {string} pathname */
async function answer(request, pathname) {
  return (await kept(pathname)) ?? fetch(request);
}

/**
 * A game over a link needs the newest page; if no server answers, the saved one waits for it.
 * @param {Request} request
 */
async function answerGame(request) {
  const answered = await fetch(request).catch(() => null);
  if (answered && answered.status < 500) return answered;
  return (await kept("/")) ?? answered ?? Response.error();
}

/** @param {string} pathname */
async function kept(pathname) {
  const cache = await caches.open(CACHE);
  return (await cache.match(pathname)) ?? (await caches.match(pathname));
}
