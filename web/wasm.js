/**
 * The interface to the WebAssembly modules: a request goes in as JSON, an answer comes out as JSON.
 * Used by the page and by its worker; it does not depend on the kind of request.
 */

/** An error whose message is a sentence for the player. */
export class CoreError extends Error {
  name = "CoreError";
}

/** The module panicked or trapped during a call; a new instance is needed. */
export class Breakdown extends CoreError {
  name = "Breakdown";
}

/** The sentence of an error. @param {unknown} error */
export function sentenceOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The callbacks that the module imports.
 * @typedef {{stopped?: () => boolean, report?: (report: any) => void}} Page
 */

/**
 * Fetches and compiles a module.
 * @param {URL} url
 */
export async function load(url) {
  if (typeof WebAssembly !== "object") {
    throw new CoreError("This browser has no WebAssembly, which the game needs. Any recent browser has it.");
  }
  const response = await fetch(url).catch((cause) => {
    throw new CoreError("The game could not be loaded. Try again when you are connected.", { cause });
  });
  if (!response.ok) throw new CoreError(`The game could not be loaded (${response.status}). Try again in a moment.`);
  return WebAssembly.compileStreaming(response);
}

/** One instance of a module. */
export class Wasm {
  /** @type {any} */
  #exports;
  #panic = "";
  #decoder = new TextDecoder();
  #encoder = new TextEncoder();

  /**
   * @param {WebAssembly.Module} module
   * @param {Page} page
   */
  constructor(module, page = {}) {
    const imports = {
      now: () => performance.now(),
      stopped: () => (page.stopped?.() ? 1 : 0),
      report: (/** @type {number} */ address, /** @type {number} */ length) =>
        page.report?.(JSON.parse(this.#read(address, length))),
      panicked: (/** @type {number} */ address, /** @type {number} */ length) => {
        this.#panic = this.#read(address, length);
      },
    };
    this.#exports = new WebAssembly.Instance(module, { page: imports }).exports;
  }

  /**
   * Calls one of the exports. Throws a sentence on failure.
   * @param {"core" | "think"} name
   * @param {object} request
   * @returns {any}
   */
  call(name, request) {
    return this.#answer(this.#exchange(name, this.#encoder.encode(JSON.stringify(request))));
  }

  /**
   * Loads an endgame table file into the engine.
   * @param {Uint8Array} file
   */
  loadTable(file) {
    return this.#answer(this.#exchange("load_table", file));
  }

  /** @param {string} text */
  #answer(text) {
    const answer = JSON.parse(text);
    if (answer.error) throw new CoreError(answer.error);
    return answer;
  }

  /**
   * @param {string} name
   * @param {Uint8Array} bytes
   */
  #exchange(name, bytes) {
    try {
      const address = this.#exports.reserve(bytes.length);
      new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
      const length = this.#exports[name]();
      return this.#read(this.#exports.answer(), length);
    } catch (error) {
      throw new Breakdown(`Something went wrong inside the game: ${this.#panic || error}`, { cause: error });
    }
  }

  /**
   * @param {number} address
   * @param {number} length
   */
  #read(address, length) {
    return this.#decoder.decode(new Uint8Array(this.#exports.memory.buffer, address, length));
  }
}
