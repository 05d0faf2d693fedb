/**
 * The engine worker: answers requests one after the other. Only thinker.js talks to it.
 */

import { Breakdown, load, sentenceOf, Wasm } from "./wasm.js";

/**
 * The first message has the module if an earlier worker has compiled it, and the flag if memory can be shared; every
 * other one is a job, or the stop of one, which is heard only while it waits.
 * @typedef {{module: WebAssembly.Module | null, flag: Int32Array | null}} Setup
 * @typedef {{id: number, request: object}} Job
 * @typedef {{stop: number}} Stop
 */

/** Below this level the moves depend only on the position and the seed. */
const HIGHEST_LEVEL = 8;
/** A level plays without the tables if they take longer than this, or than this fraction of its clock. */
const PATIENCE_MS = 10_000;
const PATIENCE_OF_CLOCK = 0.1;

/** The engine, or the reason why it could not be loaded. @type {Promise<Wasm>} */
let engine;
let current = 0;
/** The endgame tables, or the reason why they could not be loaded. @type {Promise<unknown>} */
let tables;
/** The last job that was stopped, and what it waits by. */
let lastStop = 0;
let stopWaiting = () => {};

/** @param {Setup} setup */
function setUp(setup) {
  engine = loadEngine(setup);
  tables = engine.then(loadTables);
  tables.catch(() => {});
}

/** @param {Setup} setup */
async function loadEngine({ module, flag }) {
  if (!module) {
    module = await load(new URL("./engine.wasm", import.meta.url));
    postMessage({ module });
  }
  return new Wasm(module, {
    // The flag holds the number of the last job to stop.
    stopped: () => flag !== null && Atomics.load(flag, 0) >= current,
    report: (report) => postMessage({ id: current, report }),
  });
}

/**
 * Fetches the endgame tables. Until they are loaded only the highest level plays, without them.
 * @param {Wasm} wasm
 */
async function loadTables(wasm) {
  const addresses = await (await fetch(new URL("./assets.json", import.meta.url))).json();
  const files = addresses.filter((/** @type {string} */ address) => address.includes("/tables/")).map(fetchBytes);
  for (const file of files) wasm.loadTable(await file);
}

/** @param {string} address */
async function fetchBytes(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The tables; tries again if they could not be loaded. */
function tablesAtLast() {
  return tables.catch(() => (tables = engine.then(loadTables)));
}

/**
 * Waits for the tables. Claims cannot be judged without them. A level below the highest would play differently without
 * them, so it waits too, but only for a limited time.
 * @param {any} request
 */
async function ready({ effect }) {
  if (effect?.type === "adjudicate") {
    await Promise.race([tablesAtLast(), stopped()]).catch(() => {
      throw new Error("The endgame tables could not be loaded. Try again when you are connected.");
    });
  } else if (effect?.type === "think" && effect.level < HIGHEST_LEVEL) {
    const patience = Math.min(PATIENCE_MS, PATIENCE_OF_CLOCK * (effect.clock?.left_ms ?? Infinity));
    const tired = new Promise((resolve) => setTimeout(resolve, patience));
    await Promise.race([tablesAtLast(), stopped(), tired]).catch(() => {});
  }
}

/** The stop of the current job. @returns {Promise<void>} */
function stopped() {
  return new Promise((resolve) => {
    if (lastStop >= current) resolve();
    stopWaiting = resolve;
  });
}

/** @param {Job} job */
async function run({ id, request }) {
  current = id;
  try {
    const wasm = await engine.catch((error) => {
      throw new Breakdown(error.message, { cause: error });
    });
    await ready(request);
    postMessage({ id, answer: wasm.call("think", request) });
  } catch (error) {
    postMessage({ id, error: sentenceOf(error), broken: error instanceof Breakdown });
  }
}

/** @param {Stop} stop */
function stop({ stop }) {
  lastStop = stop;
  if (stop >= current) stopWaiting();
}

onmessage = ({ data }) => ("flag" in data ? setUp(data) : "stop" in data ? stop(data) : run(data));
