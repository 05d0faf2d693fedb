// The five rule books in the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { moves, open, play, says, square } from "./browser.mjs";

const two = (rulebook, more = {}) => ({ choices: { against: "two", rulebook, colour: "black", ...more } });
const result = (page) => page.locator("#end p").textContent();
const colours = (page) => page.locator("#board .piece").evaluateAll((pieces) => [...new Set(pieces.map((piece) => piece.dataset.kind))].sort());

test("every rule book is told in one sentence where it is chosen, and how to play it", async () => {
  const page = await open();
  await page.locator("summary").click();
  const titles = await page.locator("select[name=rulebook] option").allTextContents();
  assert.deepEqual(titles, ["American", "Win only", "Light squares", "Numbered", "Quick draw"]);
  const sentences = new Set();
  for (const title of titles) {
    await page.locator("select[name=rulebook]").selectOption(title);
    const told = await page.locator("details .hint-text").textContent();
    sentences.add(told);
    await page.locator("#how").click();
    assert.match(await page.locator(".rules").textContent(), new RegExp(`${title}: .*${told.slice(0, 20)}`));
    assert.equal(await page.locator(".rules .board").count(), 6);
    await page.goBack();
  }
  assert.equal(sentences.size, 5);
});

test("the boards of how to play say why a piece cannot move, and begin again", async () => {
  const page = await open();
  await page.locator("#how").click();
  const lesson = page.locator(".lesson", { hasText: "A man's jump" });
  await lesson.locator('[data-square="3"]').click();
  assert.equal(await lesson.locator("[role=status]").textContent(), "That man cannot move: another one has to jump.");
  for (const number of [14, 23]) await lesson.locator(`[data-square="${number}"]`).click();
  assert.equal(await lesson.locator(".piece").count(), 3);
  await page.waitForFunction(() => document.querySelectorAll(".lesson:nth-of-type(2) .piece").length === 4);
});

test("American: Black moves first on the dark squares and a repetition is a draw", async () => {
  const page = await open(two("american", { position: "B:WK32:BK1" }));
  await play(page);
  await says(page, "Black to move.");
  for (let i = 0; i < 2; i++) await moves(page, [1, 6], [32, 27], [6, 1], [27, 32]);
  assert.equal(await result(page), "Draw: the same position for the third time.");
});

test("Win only: Yellow moves first, no draw is offered, and both may leave a dead ending", async () => {
  const page = await open(two("win-only", { position: "B:WK32:BK1" }));
  await play(page);
  await says(page, "Yellow to move.");
  assert.deepEqual(await colours(page), ["black yellow", "white red"]);
  await page.getByRole("button", { name: "Offer draw" }).click({ force: true });
  await says(page, "There are no draws in Win only: one side must win.");
  for (let i = 0; i < 4; i++) await moves(page, [1, 6], [32, 27], [6, 1], [27, 32]);
  await says(page, "Yellow to move.");
  await page.getByRole("button", { name: "No result" }).click();
  await page.locator(".offer").getByRole("button", { name: "Accept" }).click();
  assert.equal(await result(page), "The game was left without a result.");
});

test("Light squares: the pieces stand on the light squares and the colours are drawn", async () => {
  const page = await open({ choices: { rulebook: "light", level: 1 } });
  assert.equal(await page.locator("#board.on-light").count(), 1);
  assert.match(await page.locator("#start").textContent(), /Colours are drawn for every game/);
  assert.equal(await page.locator("input[name=colour]").count(), 0);
  await play(page);
  assert.match(await page.locator("#seat-bottom").textContent(), /You(Black|Red)/);
});

test("Numbered: Red moves first on numbered squares, jumps are written with a dash, a claim is judged", async () => {
  const page = await open(two("numbered"));
  await play(page);
  await says(page, "Red to move.");
  assert.equal(await square(page, 11).locator(".number").isVisible(), true);
  await moves(page, [11, 15], [22, 18], [15, 22]);
  assert.equal(await page.locator("#moves button").last().textContent(), "15-22");
  await page.getByRole("button", { name: "Claim draw" }).click();
  await page.locator("#notice", { hasText: "The claim is refused" }).waitFor();
});

test("Numbered: a claim is granted where the tables prove a draw and refused where they do not", async () => {
  const claimed = async (position) => {
    const page = await open(two("numbered", { position }));
    await play(page);
    await page.getByRole("button", { name: "Claim draw" }).click();
    return page;
  };
  assert.equal(await result(await claimed("B:WK32:BK1")), "Draw: neither side can win any more.");
  const refused = await claimed("W:WK14,K19:BK1");
  await refused.locator("#notice", { hasText: "the tables show that this can still be won" }).waitFor();
});

test("Quick draw: the same position three times without a capture", async () => {
  const page = await open(two("quick", { position: "B:WK32:BK1" }));
  await play(page);
  for (let i = 0; i < 2; i++) await moves(page, [1, 6], [32, 27], [6, 1], [27, 32]);
  assert.equal(await result(page), "Draw: the same position for the third time.");
});

test("Quick draw: fifty moves each without a capture", async () => {
  // One king walks fourteen squares round and the other four, so that no position comes up three times in fifty moves.
  const [black, white] = [[1, 5, 9, 14, 10, 15, 11, 16, 12, 8, 3, 7, 2, 6], [32, 27, 24, 28]];
  const page = await open(two("quick", { position: "B:WK32:BK1" }));
  await play(page);
  const step = (walk, i) => [walk[i % walk.length], walk[(i + 1) % walk.length]];
  for (let i = 0; i < 50; i++) await moves(page, step(black, i), step(white, i));
  assert.equal(await result(page), "Draw: 50 moves each without a capture.");
});
