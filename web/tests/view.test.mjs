// The view logic of the page, without a browser: what is drawn and how a touch is answered, from recorded views.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { change } from "../board/motion.js";
import { place, scene, selection, squareAt, touch } from "../board/scene.js";
import { seatWords, trayCount } from "../panel.js";
import { fenOf } from "../screens/fen.js";
import { height } from "../screens/graph.js";
import { colourOf, startOf } from "../start.js";
import { Store } from "../store.js";

const { views, catalog } = JSON.parse(readFileSync(new URL("./views.json", import.meta.url), "utf8"));
const lit = (view, hand) => selection(view, hand).targets.map(({ square }) => square);
const at = (drawn, square) => drawn.squares.find((entry) => entry.square === square);

/** What browsers call localStorage. */
class FakeStorage {
  setItem(key, text) {
    this[key] = text;
  }
  getItem(key) {
    return this[key] ?? null;
  }
  removeItem(key) {
    delete this[key];
  }
}

test("every square has its place from both sides", () => {
  for (const bottom of ["black", "white"]) {
    for (let square = 1; square <= 32; square++) {
      const { row, column } = place(square, bottom);
      assert.equal(squareAt(row, column, bottom), square);
    }
  }
  assert.deepEqual(place(29, "white"), { row: 7, column: 0 });
  assert.equal(squareAt(0, 0, "white"), null);
  assert.equal(squareAt(8, 1, "white"), null);
});

test("a piece that can move is marked and a forced one must jump", () => {
  assert.deepEqual([at(scene(views.start, []), 11).can, at(scene(views.start, []), 1).can], [true, false]);
  const forced = scene(views.forced, []);
  assert.equal(at(forced, 15).must, true);
  assert.equal(at(forced, 15).label, "15, black man, must jump");
  assert.equal(at(forced, 9).can, false);
});

test("a piece in hand lights up its squares and goes down again", () => {
  const { hand, move } = touch(views.start, [], 11);
  assert.deepEqual([hand, move], [[11], null]);
  assert.deepEqual(lit(views.start, hand), [15, 16]);
  assert.equal(at(scene(views.start, hand), 15).label, "15, empty, move here");
  assert.deepEqual(touch(views.start, hand, 11).hand, []);
  assert.deepEqual(touch(views.start, hand, 20).hand, []);
  assert.equal(touch(views.start, hand, 15).move.move, "11-15");
});

test("a piece that may not move says why", () => {
  assert.equal(touch(views.forced, [], 9).say, "That man cannot move: another one has to jump.");
  assert.deepEqual(touch(views.forced, [15], 9).hand, []);
});

test("a multiple jump goes landing by landing and is carried through", () => {
  const { hand, move } = touch(views.double, [2], 11);
  assert.deepEqual([hand, move], [[2, 11], null]);
  const midway = scene(views.double, hand);
  assert.equal(midway.pieces.find((piece) => piece.square === 7).ghost, true);
  assert.equal(midway.pieces.find((piece) => piece.square === 11).held, true);
  assert.deepEqual(touch(views.double, hand, 32), { hand, move: null, say: "The jump goes on: 18." });
  assert.equal(touch(views.double, hand, 18).move.move, "2x11x18");
});

test("the last square of a jump is enough where it is clear", () => {
  assert.equal(touch(views.double, [2], 18).move.move, "2x11x18");
  assert.equal(touch(views.fork, [2], 20).move.move, "2x11x20");
  assert.deepEqual(lit(views.fork, [2]).sort(), [11, 18, 20]);
});

test("a circle may be walked either way round", () => {
  assert.deepEqual(lit(views.circle, [3]).sort((a, b) => a - b), [3, 10, 12]);
  assert.equal(touch(views.circle, [3, 12, 19, 10], 3).move.move, "3x12x19x10x3");
});

test("a move is seen from where the hand has carried it", () => {
  const [move] = views.double.moves[0].moves;
  assert.deepEqual(change([], [], move, 1), {
    walks: [{ path: [11, 18], jumps: true, crowns: false }],
    leave: [{ square: 7, leg: 0 }, { square: 15, leg: 0 }],
    come: [],
  });
});

test("taking a move back slides the piece home", () => {
  const [after, before] = [scene(views.forced, []).pieces, scene(views.start, []).pieces];
  const { walks, leave, come } = change(after, before, null);
  assert.deepEqual(walks.map(({ path }) => path).sort(), [[15, 11], [18, 22]]);
  assert.deepEqual([leave, come], [[], []]);
});

test("turning the board round keeps every label with its square", () => {
  const [one, other] = [scene(views.forced, []), scene(views.forced, [], { flipped: true })];
  assert.equal(other.bottom, "white");
  for (const { square, label } of one.squares) assert.equal(at(other, square).label, label);
});

test("players are called what people call them", () => {
  assert.deepEqual(seatWords(views.start, "black", catalog), { name: "You", about: "Black" });
  assert.deepEqual(seatWords(views.start, "white", catalog), { name: "Computer", about: "Casual" });
  assert.deepEqual(seatWords(views.names, "black", catalog), { name: "Ann", about: "Black" });
  assert.deepEqual(seatWords(views.names, "white", catalog), { name: "Red", about: "" });
});

test("a disc that crowns a king is not in the tray", () => {
  const view = structuredClone(views.king);
  view.players.white.captured = { men: 3, kings: 0 };
  assert.equal(trayCount(view, "black"), 2);
  assert.equal(trayCount(views.king, "black"), 0);
});

const choices = new Store(() => new FakeStorage()).choices;

test("the rule book says the colour unless one is chosen", () => {
  const of = (rulebook, colour = null) => colourOf({ ...choices, rulebook, colour }, catalog);
  assert.deepEqual([of("american"), of("win-only"), of("light")], ["black", "random", "random"]);
  assert.deepEqual([of("win-only", "white"), of("light", "white")], ["white", "random"]);
});

test("choices make a start", () => {
  const start = startOf({ ...choices, level: 5, minutes: 3, increment: 2, opening: 7 }, catalog, 9);
  assert.deepEqual(start.players[1], { kind: "computer", level: 5 });
  assert.deepEqual(start.clock, { kind: "game", initial_ms: 180_000, increment_ms: 2_000 });
  assert.equal(start.opening, 7);
  const two = startOf({ ...choices, against: "two", names: ["Ann", ""], opening: "random", position: "B:WK1:BK32" }, catalog, 9);
  assert.deepEqual(two.players, [{ kind: "human", name: "Ann" }, { kind: "human", name: "" }]);
  assert.equal(two.opening, undefined);
});

const finished = (id, winner) => ({ id, at: 1, rulebook: "american", level: 3, you: "black", names: ["a", "b"], winner, score: winner === "black" ? "1-0" : "0-1", sentence: "", plies: 1 });

test("finished games are listed, counted and taken off again", () => {
  const store = new Store(() => new FakeStorage());
  store.finish(finished("one", "black"), []);
  store.finish(finished("two", "white"), []);
  store.finish(finished("one", "black"), []);
  assert.deepEqual(store.finished.map(({ id }) => id), ["one", "two"]);
  assert.deepEqual(store.tallies, { 3: { wins: 1, draws: 0, losses: 1 } });
  store.unfinish("one");
  assert.equal(store.log("one"), null);
  assert.deepEqual(store.tallies, { 3: { wins: 0, draws: 0, losses: 1 } });
});

test("what does not fit any more still counts", () => {
  const store = new Store(() => new FakeStorage());
  for (let i = 0; i < 405; i++) store.finish(finished(`game ${i}`, "black"), []);
  assert.equal(store.finished.length, 400);
  assert.equal(store.tallies[3].wins, 405);
  assert.equal(store.log("game 0"), null);
});

test("a browser that keeps nothing is told once and goes on", () => {
  const told = [];
  const store = new Store(() => {
    throw new Error("refused");
  });
  store.onTrouble = (sentence) => told.push(sentence);
  store.game = { id: "x", log: [], alive: 1 };
  store.game = { id: "y", log: [], alive: 1 };
  assert.equal(store.game.id, "y");
  assert.equal(told.length, 1);
  assert.match(told[0], /does not let the page save anything/);
});

test("a damaged game is set aside and not lost", () => {
  const storage = new FakeStorage();
  storage.setItem("crownhead.game", "{half");
  const store = new Store(() => storage);
  assert.equal(store.game, null);
  assert.equal(store.isDamaged, true);
  store.setAside();
  assert.equal(store.isDamaged, false);
  assert.equal(store.aside[0][1], "{half");
});

test("a damaged game is set aside also where there is no room for two", () => {
  const storage = new FakeStorage();
  storage.setItem("crownhead.game", "{half");
  storage.setItem = function (key, text) {
    if ("crownhead.game" in this) throw new Error("full");
    this[key] = text;
  };
  new Store(() => storage).setAside();
  assert.equal(new Store(() => storage).aside[0][1], "{half");
});

test("a position is written as FEN", () => {
  assert.equal(fenOf("white", [{ square: 9, side: "black", king: true }, { square: 3, side: "black", king: false }]), "W:W:B3,K9");
});

test("the graph rises with the winning chances of Black and stays inside", () => {
  const [won, better, even, lost] = [1, 0.75, 0.5, 0].map(height);
  assert.ok(0 < won && won < better && better < even && even < lost && lost < 2 * even);
  assert.equal(even - won, lost - even);
});
