// What the page keeps, what it reads and writes, and what it says when something goes wrong.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { moves, open, play, sentence, site, turn } from "./browser.mjs";

const two = { against: "two" };

test("after one visit the page opens and plays without a network", async () => {
  const page = await open({ choices: { level: 1 } });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await page.reload();
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  assert.equal(await page.locator("#moves button").count(), 2);
});

test("a game goes out as PDN, comes back, and is stepped through and played on", async () => {
  const page = await open({ choices: two });
  await play(page);
  await moves(page, [11, 15], [22, 18], [15, 22]);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  const download = page.waitForEvent("download");
  await page.locator("#end").getByRole("button", { name: "Save PDN" }).click();
  const pdn = await readFile(await (await download).path(), "utf8");
  assert.match(pdn, /1\. 11-15 22-18 2\. 15x22/);

  await page.locator("#games").click();
  await page.getByRole("button", { name: "Open a game file" }).click();
  await page.getByLabel("PDN text").fill(pdn);
  await page.getByRole("button", { name: "Read" }).click();
  const review = page.locator("dialog.review");
  await review.waitFor();
  assert.equal(await review.locator(".piece").count(), 24);
  for (let i = 0; i < 3; i++) await review.getByRole("button", { name: "One move forth" }).click();
  assert.equal(await review.locator(".piece").count(), 23);
  assert.match(await review.locator(".review-sentence").textContent(), /Black jumps from 15 to 22/);
  await review.getByRole("button", { name: "Play on from here" }).click();
  await play(page);
  assert.match(await sentence(page), /You must jump/);
});

test("text that is no game is refused in words", async () => {
  const page = await open();
  await page.locator("#games").click();
  await page.getByRole("button", { name: "Open a game file" }).click();
  await page.getByLabel("PDN text").fill("Dear Sir");
  await page.getByRole("button", { name: "Read" }).click();
  assert.match(await page.locator("dialog .trouble").textContent(), /There is no game in this text/);
});

test("the editor refuses what cannot be and starts what can", async () => {
  const page = await open();
  await page.locator("summary").click();
  await page.getByRole("button", { name: "Set up a board" }).click();
  const editor = page.locator("dialog.editor");
  await editor.getByRole("button", { name: "Clear" }).click();
  assert.notEqual(await editor.locator(".trouble").textContent(), "");
  assert.equal(await editor.getByRole("button", { name: "Use this position" }).isDisabled(), true);
  await editor.locator('[data-square="14"]').click();
  await editor.getByText("Red king").click();
  await editor.locator('[data-square="18"]').click();
  await editor.getByRole("button", { name: "Use this position" }).click();
  await play(page);
  assert.equal(await sentence(page), "You must jump: 14.");
});

test("a damaged game is set aside and told", async () => {
  const page = await open({ storage: { "crownhead.game": '{"id":"x","log":[{"v":1}],"alive":1}' } });
  await page.locator(".note", { hasText: "was set aside" }).waitFor();
  assert.equal(await page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("crownhead.damaged."))), true);
  await page.locator(".note").getByRole("button", { name: "Close" }).click();
  await play(page);
});

test("a browser that keeps nothing still plays, and says so", async () => {
  const page = await open();
  await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("no", "SecurityError"); } }));
  await page.reload();
  await play(page);
  await page.locator(".note", { hasText: "keeps nothing" }).waitFor();
  await moves(page, [11, 15]);
});

test("a browser without WebAssembly is told so", async () => {
  const page = await open();
  await page.addInitScript(() => delete window.WebAssembly);
  await page.reload();
  await page.locator("#start", { hasText: "has no WebAssembly" }).waitFor();
});

test("a worker that dies is replaced and thinking goes on", async () => {
  const page = await open({ choices: { level: 1 } });
  let blocked = 0;
  await page.route("**/worker.js", (route) => (blocked++ === 0 ? route.abort() : route.continue()));
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  assert.equal(await page.locator("#moves button").count(), 2);
});

test("a second tab on the same game is told and may take it over", async () => {
  const page = await open({ choices: two });
  await play(page);
  await moves(page, [11, 15]);
  const other = await page.context().newPage();
  await other.goto(site);
  await other.locator(".note", { hasText: "another tab" }).waitFor();
  await other.getByRole("button", { name: "Play here" }).click();
  await page.locator(".note", { hasText: "another tab" }).waitFor();
  await moves(other, [22, 18]);
  assert.equal(await other.locator("#moves button").count(), 2);
  await moves(page, [23, 19]);
  assert.equal(await page.locator("#moves button").count(), 1);
});
