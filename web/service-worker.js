/**
 * Keeps the page for when there is no network. A new version is fetched as a whole beside the old one and takes over when
 * the page asks for it.
 */

/** The worker's own world, which the types of the page do not know. */
const worker = /** @type {any} */ (self);
const FOLDER = "/v/dev/";
const CACHE = `crownhead ${FOLDER}`;
const ROOT = ["/", "/manifest.webmanifest"];

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fetchAll()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(takeOver()));
worker.addEventListener("message", (/** @type {MessageEvent} */ { data }) => data === "take over" && worker.skipWaiting());
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isOurs = origin === location.origin && event.request.method === "GET";
  if (isOurs && (ROOT.includes(pathname) || pathname.startsWith(FOLDER))) event.respondWith(answer(event.request, pathname));
});

async function fetchAll() {
  const response = await fetch(`${FOLDER}assets.json`);
  const cache = await caches.open(CACHE);
  await cache.addAll([...ROOT, ...(await response.json())]);
}

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("crownhead ") && name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request @param {string} pathname */
async function answer(request, pathname) {
  const cache = await caches.open(CACHE);
  return (await cache.match(pathname)) ?? fetch(request);
}
