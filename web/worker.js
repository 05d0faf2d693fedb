/**
 * The worker: the engine, one question after the other. Only thinker.js talks to it.
 */

import { Breakdown, load, sentenceOf, Wasm } from "./wasm.js";

/**
 * The first message has the module if an earlier worker has compiled it, and the flag if memory can be shared; every other
 * one is a job.
 * @typedef {{module: WebAssembly.Module | null, flag: Int32Array | null}} Setup
 * @typedef {{id: number, request: object}} Job
 */

/** The engine, or why there is none. @type {Promise<Wasm>} */
let engine;
let current = 0;
/** The endgame tables, or why there are none. @type {Promise<unknown>} */
let tables;

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
    // The flag is the number of the last job that is to stop.
    stopped: () => flag !== null && Atomics.load(flag, 0) >= current,
    report: (report) => postMessage({ id: current, report }),
  });
}

/**
 * Fetches the endgame tables. Until they are there the engine plays without.
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

/**
 * Nobody judges a claim without the tables.
 * @param {any} request
 */
async function ready(request) {
  if (request.effect?.type !== "adjudicate") return;
  await tables
    .catch(() => (tables = engine.then(loadTables)))
    .catch(() => {
      throw new Error("The endgame tables could not be loaded. Try again when you are connected.");
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

onmessage = ({ data }) => ("flag" in data ? setUp(data) : run(data));
