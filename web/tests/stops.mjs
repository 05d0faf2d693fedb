// A search that is stopped while it thinks, and the next question after it.
import { inPage } from "./browser.mjs";

/**
 * Stops an endless search several times. Tells how each of them ended, and how long the next answer took from the stop.
 * Without `isolated` the browser shares no memory with its workers.
 */
export function stops({ isolated, times }) {
  return inPage(
    async ({ folder, argument: { isolated, times } }) => {
      if (!isolated) Object.defineProperty(globalThis, "crossOriginIsolated", { value: false });
      const { Thinker } = await import(`${folder}thinker.js`);
      const thinker = new Thinker();
      const position = "B:W21-32:B1-12";
      const [ends, waits, answers] = [[], [], []];
      for (let i = 0; i < times; i++) {
        const stop = new AbortController();
        await new Promise((searching) => {
          const options = { signal: stop.signal, onReport: searching };
          thinker.analyse({ position }, options).then(
            () => ends.push("found"),
            (error) => ends.push(error.name),
          );
        });
        const begun = performance.now();
        stop.abort();
        const { lines } = await thinker.analyse({ position, depth: 1 });
        waits.push(performance.now() - begun);
        answers.push(lines[0].move);
      }
      return { ends, waits, answers };
    },
    { isolated, times },
  );
}
