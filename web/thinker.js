/**
 * The page's interface to the engine worker: a queue of requests, each of which can be stopped, and a new worker when
 * one dies.
 */

import { CoreError } from "./wasm.js";

/** @import { Analysis, AnalyseRequest, Command, Effect, GameReview, ReviewedPosition, Work } from "./types.js" */

/** The error of a request that was stopped before it was answered. */
export class Stopped extends Error {
  name = "Stopped";
}

/** The delay before a worker starts, so that the page can first paint its reaction to a click. */
const START_MS = 30;
/** How often a request is repeated if the worker dies during it. */
const RETRIES = 1;

/**
 * @typedef {object} Job
 * @property {number} id
 * @property {object} request
 * @property {string} key identifies it, so that it can be stopped
 * @property {((report: any) => void) | undefined} onReport
 * @property {(answer: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {number} retries
 */

/** The engine, behind a queue of requests. */
export class Thinker {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Job[]} the first one is in progress */
  #jobs = [];
  /** The job that the worker is doing, if any. @type {number | null} */
  #busy = null;
  #ids = 0;
  /** The engine, from the first worker that has compiled it. @type {WebAssembly.Module | null} */
  #module = null;
  /** @type {Int32Array | null} */
  #flag = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;

  /**
   * Carries out an effect of a game: `think`, `find_hint`, `judge_offer` or `adjudicate`. The answer is the command to
   * send to the game.
   * @param {Effect} effect
   * @returns {Promise<Command>}
   */
  async carryOut(effect) {
    const key = "request" in effect ? workKey(effect.type, effect.request) : "";
    const { command } = await this.#ask({ method: "carry_out", effect }, key);
    return command;
  }

  /**
   * Stops the work that an effect `stop` names.
   * @param {{work: Work, request: number}} effect
   */
  stop({ work, request }) {
    const key = workKey(work, request);
    for (const job of this.#jobs.filter((job) => job.key === key)) this.#stop(job);
  }

  /** Stops everything. */
  stopAll() {
    for (const job of [...this.#jobs]) this.#stop(job);
  }

  /**
   * Analyses a position; `onReport` is called after each depth.
   * @param {AnalyseRequest} request
   * @param {{onReport?: (analysis: Analysis) => void, signal?: AbortSignal}} options
   * @returns {Promise<Analysis>}
   */
  analyse(request, { onReport, signal } = {}) {
    return this.#ask({ method: "analyse", ...request }, "", onReport, signal);
  }

  /**
   * Reviews a game; `onReport` is called for each position, from the first to the last.
   * @param {AnalyseRequest} request
   * @param {{onReport?: (position: ReviewedPosition) => void, signal?: AbortSignal}} options
   * @returns {Promise<GameReview>}
   */
  review(request, { onReport, signal } = {}) {
    return this.#ask({ method: "review", ...request }, "", onReport, signal);
  }

  /**
   * The fixed search whose node count is the engine's bench signature.
   * @returns {Promise<{nodes: number, seconds: number}>}
   */
  bench() {
    return this.#ask({ method: "bench" }, "");
  }

  /** Clears the hash table, as before a new game. */
  clear() {
    return this.#ask({ method: "clear" }, "");
  }

  /**
   * @param {object} request
   * @param {string} key
   * @param {((report: any) => void)} [onReport]
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  #ask(request, key, onReport, signal) {
    return new Promise((resolve, reject) => {
      const job = { id: ++this.#ids, request, key, onReport, resolve, reject, retries: RETRIES };
      if (signal?.aborted) return reject(new Stopped());
      signal?.addEventListener("abort", () => this.#stop(job), { once: true });
      this.#jobs.push(job);
      if (this.#worker) this.#next();
      else setTimeout(() => this.#next(), START_MS);
    });
  }

  /** Gives the worker the first job if it is free. */
  #next() {
    const job = this.#jobs[0];
    if (!job || this.#busy !== null) return;
    this.#worker ??= this.#newWorker();
    this.#busy = job.id;
    this.#worker.postMessage({ id: job.id, request: job.request });
  }

  /** @param {Job} job */
  #stop(job) {
    if (!this.#jobs.includes(job)) return;
    this.#jobs = this.#jobs.filter((other) => other !== job);
    job.reject(new Stopped());
    if (this.#busy !== job.id) return;
    if (this.#flag) {
      // The worker checks the flag many times a second and answers with its result so far, which is ignored.
      Atomics.store(this.#flag, 0, job.id);
      // While it waits for the tables, it reads messages instead.
      this.#worker?.postMessage({ stop: job.id });
    } else {
      this.#replace();
    }
  }

  #newWorker() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.postMessage({ module: this.#module, flag: this.#flag });
    worker.onmessage = ({ data }) => this.#heard(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#died(event.message || "it could not be started");
    };
    return worker;
  }

  /**
   * @param {{id: number, answer?: any, report?: any, error?: string, broken?: boolean, module?: WebAssembly.Module}} message
   */
  #heard({ id, answer, report, error, broken, module }) {
    if (module) return (this.#module = module);
    const job = this.#jobs.find((job) => job.id === id);
    if (report) return job?.onReport?.(report);
    if (broken) return this.#died(error ?? "");
    this.#busy = null;
    this.#jobs = this.#jobs.filter((other) => other !== job);
    if (error === undefined) job?.resolve(answer);
    else job?.reject(new CoreError(error));
    this.#next();
  }

  /**
   * Replaces a worker that died. Its request is repeated, unless it has already been.
   * @param {string} reason
   */
  #died(reason) {
    const job = this.#jobs.find((job) => job.id === this.#busy);
    if (job && job.retries-- === 0) {
      this.#jobs = this.#jobs.filter((other) => other !== job);
      job.reject(new CoreError(`The computer stopped thinking: ${reason}`));
    }
    this.#replace();
  }

  #replace() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#busy = null;
    this.#next();
  }
}

/**
 * @param {string} work
 * @param {number} request
 */
function workKey(work, request) {
  return `${work} ${request}`;
}
