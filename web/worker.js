/**
 * The worker: the engine, one question after the other. Only thinker.js talks to it.
 */

import { Wasm } from "./wasm.js";

/**
 * The first message has the module, and the flag if memory can be shared; every other one is a job.
 * @typedef {{module: WebAssembly.Module, flag: Int32Array | null}} Setup
 * @typedef {{id: number, request: object}} Job
 */

/** @type {Wasm} */
let wasm;
let current = 0;
/** The endgame tables, or why there are none. @type {Promise<unknown>} */
let tables;

/** @param {Setup} setup */
function setUp({ module, flag }) {
  wasm = new Wasm(module, {
    // The flag is the number of the last job that is to stop.
    stopped: () => flag !== null && Atomics.load(flag, 0) >= current,
    report: (report) => postMessage({ id: current, report }),
  });
  tables = loadTables();
  tables.catch(() => {});
}

/** Fetches the endgame tables. Until they are there the engine plays without. */
async function loadTables() {
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
  await tables.catch(() => (tables = loadTables()));
}

/** @param {Job} job */
async function run({ id, request }) {
  current = id;
  try {
    await ready(request);
    postMessage({ id, answer: wasm.call("think", request) });
  } catch (error) {
    const broken = error instanceof Error && error.name === "Breakdown";
    postMessage({ id, error: error instanceof Error ? error.message : String(error), broken });
  }
}

onmessage = ({ data }) => (data.module ? setUp(data) : run(data));
