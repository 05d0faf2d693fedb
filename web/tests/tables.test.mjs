// The endgame tables on their way: a level waits for them, the highest does not, and nobody waits for ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./browser.mjs";

/** Level 6 plays another move here without the tables. */
const ENDING = { position: "B:WK10,15,21:BK12,13,14", level: 6, seed: 1 };
/** The highest level, on a clock that leaves it little time. */
const HIGHEST = { ...ENDING, level: 8, clock: { kind: "game", initial_ms: 2_000, increment_ms: 0 } };

/** A page whose tables are asked for through `onTable`, with what the tests use at hand. */
async function openWithTables(onTable) {
  const page = await open({ serviceWorkers: "block" });
  await page.context().route("**/tables/**", onTable);
  await page.evaluate(async () => {
    const folder = document.querySelector("script[type=module]").src.replace(/[^/]*$/, "");
    const [{ Core }, { Thinker }] = await Promise.all([import(`${folder}core.js`), import(`${folder}thinker.js`)]);
    const core = await Core.load();
    globalThis.Thinker = Thinker;
    globalThis.effectOf = ({ level, seed, ...start }) =>
      core.start({ players: [{ kind: "computer", level }, { kind: "human" }], seed, ...start }).step.effects[0];
  });
  return page;
}

/** The tables are `asked` for, and do not come before `release` is called. */
function heldBack() {
  let [release, heard] = [() => {}, () => {}];
  const released = new Promise((resolve) => (release = resolve));
  const asked = new Promise((resolve) => (heard = resolve));
  const onTable = (route) => {
    heard();
    return released.then(() => route.continue());
  };
  return { asked, release, onTable };
}

/** A worker that waits for the tables as long as a test may take. */
async function patient(route) {
  const response = await route.fetch();
  const text = await response.text();
  const body = text.replace(/PATIENCE_MS ?= ?(10_000|1e4)/, "PATIENCE_MS = 1e9");
  assert.notEqual(body, text);
  await route.fulfill({ response, body });
}

test("a level waits for the tables and plays by them, the highest does not wait", async () => {
  const { release, onTable } = heldBack();
  const page = await openWithTables(onTable);
  const early = await page.evaluate(
    async ([ending, highest]) => {
      globalThis.thinker = new Thinker();
      globalThis.waiting = thinker.carryOut(effectOf(ending));
      const early = [];
      waiting.then(() => early.push("level 6"));
      await new Thinker().carryOut(effectOf(highest)).then(() => early.push("level 8"));
      return early;
    },
    [ENDING, HIGHEST],
  );
  assert.deepEqual(early, ["level 8"]);
  release();
  const [first, again] = await page.evaluate(
    async (ending) => [await waiting, await thinker.carryOut(effectOf(ending))],
    ENDING,
  );
  assert.equal(first.move, again.move);
});

test("a level plays where the tables cannot be loaded, and asks for them again with the next move", async () => {
  let refused = 0;
  const page = await openWithTables((route) => (refused++, route.abort()));
  await page.evaluate(() => (globalThis.thinker = new Thinker()));
  const carryOut = () => page.evaluate(async (ending) => (await thinker.carryOut(effectOf(ending))).type, ENDING);
  assert.equal(await carryOut(), "computer_moved");
  const before = refused;
  assert.equal(await carryOut(), "computer_moved");
  assert.ok(before > 0 && refused > before, `${before} and ${refused} times`);
});

for (const isolated of [true, false]) {
  test(`a level that waits for the tables is stopped, and the next question answered, ${isolated ? "with" : "without"} shared memory`, { timeout: 60_000 }, async () => {
    const { asked, release, onTable } = heldBack();
    const page = await openWithTables(onTable);
    await page.context().route("**/worker.js", patient);
    await page.evaluate(
      ([ending, isolated]) => {
        if (!isolated) Object.defineProperty(globalThis, "crossOriginIsolated", { value: false });
        globalThis.thinker = new Thinker();
        globalThis.effect = effectOf(ending);
        globalThis.end = thinker.carryOut(effect).then(
          () => "answered",
          (error) => error.name,
        );
      },
      [ENDING, isolated],
    );
    await asked;
    const [end, lines] = await page.evaluate(async (position) => {
      thinker.stop({ work: "think", request: effect.request });
      const analysis = await thinker.analyse({ position, depth: 1 });
      return [await end, analysis.lines.length];
    }, ENDING.position);
    assert.equal(end, "Stopped");
    assert.ok(lines > 0);
    release();
  });
}
