// The core in the browser: the engine is the native one, it stops at once, and what passes is what types.d.ts says.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { PROGRAM, inPage } from "./browser.mjs";
import { stops } from "./stops.mjs";

const run = promisify(execFile);

test("the bench in the browser has the native signature", async () => {
  const { stdout } = await run(PROGRAM, ["bench", "--json"]);
  const native = JSON.parse(stdout);
  const here = await inPage(async ({ folder }) => {
    const { Thinker } = await import(`${folder}thinker.js`);
    return new Thinker().bench();
  });
  console.log(`bench: ${here.nodes} nodes in ${here.seconds.toFixed(2)} s, natively in ${native.seconds.toFixed(2)} s`);
  assert.equal(here.nodes, native.nodes);
});

for (const isolated of [true, false]) {
  test(`a search without end is stopped and the next one answered, ${isolated ? "with" : "without"} shared memory`, async () => {
    const { ends, answers } = await stops({ isolated, times: 3 });
    assert.deepEqual(ends, ["Stopped", "Stopped", "Stopped"]);
    assert.equal(answers.filter((move) => /^\d+-\d+$/.test(move)).length, 3, answers.join());
  });
}

for (const isRestored of [false, true]) {
  test(`a game whose core broke down goes on from its ${isRestored ? "snapshot and the records after it" : "log"}`, async () => {
    const { error, before, after } = await inPage(async ({ folder, argument: isRestored }) => {
      const [{ Core }, { Breakdown, Wasm }] = await Promise.all([import(`${folder}core.js`), import(`${folder}wasm.js`)]);
      const core = await Core.load();
      const human = { kind: "human" };
      let { game } = core.start({ players: [human, human], seed: 1 });
      if (isRestored) {
        const [{ at, event }] = game.log;
        game = core.restore({ v: 1, seq: 1, started_at: at, at, started: event, moves: [], silence: { since: at }, turn: 1 }).game;
      }
      game.send({ type: "move", move: "11-15" });
      const before = game.view.fen;
      const call = Wasm.prototype.call;
      Wasm.prototype.call = () => {
        Wasm.prototype.call = call;
        throw new Breakdown("Something went wrong inside the game: a test");
      };
      let error;
      try {
        game.send({ type: "move", move: "23-18" });
      } catch (caught) {
        error = caught.message;
      }
      const after = game.refresh().fen;
      return { error, before, after };
    }, isRestored);
    assert.equal(error, "Something went wrong inside the game: a test");
    assert.equal(after, before);
  });
}

/** What the core really answers. */
function samples() {
  return inPage(async ({ folder }) => {
    const { Core } = await import(`${folder}core.js`);
    const core = await Core.load();
    const human = { kind: "human", name: "Ann" };
    const clock = { kind: "game", initial_ms: 60_000, increment_ms: 0 };
    const { game, step } = core.start({ players: [human, { kind: "computer", level: 3 }], clock, seed: 1 });
    const steps = [step, game.send({ type: "hint" }), game.send({ type: "offer_draw" })];
    for (const type of ["resign", "rematch"]) steps.push(game.send({ type }));
    const jumps = core.start({ players: [human, human], position: "W:W18,22:B9,10,K14", seed: 1 });
    steps.push(jumps.step, jumps.game.send({ type: "move", move: "1-5" }));
    return { catalog: core.catalog, steps, position: core.position("B:WK32:BK1") };
  });
}

test("what the core answers is what types.d.ts says", async () => {
  const { catalog, steps, position } = await samples();
  const types = new URL("../types.js", import.meta.url).pathname;
  const constant = (name, type, value) => `export const ${name}: ${type} = ${JSON.stringify(value)};\n`;
  const text =
    `import type { Catalog, PositionRead, Step } from ${JSON.stringify(types)};\n` +
    constant("catalog", "Catalog", catalog) +
    constant("position", "PositionRead", position) +
    steps.map((step, i) => constant(`step${i}`, "Step", step)).join("");
  const folder = await mkdtemp(join(tmpdir(), "crownhead-types-"));
  try {
    const file = join(folder, "answers.ts");
    await writeFile(file, text);
    const tsc = createRequire(import.meta.url).resolve("typescript/package.json").replace("package.json", "bin/tsc");
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--moduleResolution", "bundler", "--module", "esnext"];
    await run(process.execPath, [tsc, ...options, file]).catch(({ stdout }) => assert.fail(stdout));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the recorded views are those of the core", async () => {
  const response = await fetch(await inPage(({ folder }) => `${folder}game.wasm`));
  const folder = await mkdtemp(join(tmpdir(), "crownhead-views-"));
  try {
    const wasm = join(folder, "game.wasm");
    await writeFile(wasm, new Uint8Array(await response.arrayBuffer()));
    const { stdout } = await run(process.execPath, [new URL("./record.mjs", import.meta.url).pathname, wasm]);
    const kept = await readFile(new URL("./views.json", import.meta.url), "utf8");
    assert.deepEqual(JSON.parse(stdout), JSON.parse(kept));
  } finally {
    await rm(folder, { recursive: true });
  }
});
