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

/** @param {Setup} setup */
function setUp({ module, flag }) {
  wasm = new Wasm(module, {
    // The flag is the number of the last job that is to stop.
    stopped: () => flag !== null && Atomics.load(flag, 0) >= current,
    report: (report) => postMessage({ id: current, report }),
  });
}

/** @param {Job} job */
function run({ id, request }) {
  current = id;
  try {
    postMessage({ id, answer: wasm.call("think", request) });
  } catch (error) {
    const broken = error instanceof Error && error.name === "Breakdown";
    postMessage({ id, error: error instanceof Error ? error.message : String(error), broken });
  }
}

onmessage = ({ data }) => (data.module ? setUp(data) : run(data));
