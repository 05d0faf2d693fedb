// Records views of the real core for the tests that need no browser: node record.mjs PATH/game.wasm > views.json
import { readFileSync } from "node:fs";
import { Core } from "../core.js";

const core = new Core(new WebAssembly.Module(readFileSync(process.argv[2])));
const human = { kind: "human" };

/** The view after some moves. */
function view(start, ...moves) {
  const { game } = core.start({ players: [human, human], seed: 1, ...start });
  for (const move of moves) {
    const { refusal } = game.send({ type: "move", move });
    if (refusal) throw new Error(refusal);
  }
  return game.view;
}

const views = {
  start: view({ players: [human, { kind: "computer", level: 3 }] }),
  forced: view({}, "11-15", "22-18"),
  double: view({ position: "B:W7,15,32:B2" }),
  fork: view({ position: "B:W7,15,16,32:B2" }),
  circle: view({ position: "B:W7,8,15,16,32:BK3" }),
  king: view({ position: "B:W21,32:BK1,12" }),
  names: view({ players: [{ ...human, name: "Ann" }, { ...human, name: "" }] }),
};
const { levels, rulebooks, clocks } = core.catalog;
process.stdout.write(`${JSON.stringify({ views, catalog: { levels, rulebooks, clocks } })}\n`);
