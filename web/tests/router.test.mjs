// Addresses: every screen has one, links, back and forward lead from screen to screen, and each address loads alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { moves, open, play, site, turn } from "./browser.mjs";
import { exchange, friend, invited } from "./link.mjs";

const path = (page) => new URL(page.url()).pathname;
const board = (page) => page.locator("#game:not([hidden]) #board .piece").first().waitFor();
const rules = (page) => page.locator("main.rules").waitFor();

/** Marks the page, to tell whether it was loaded again. */
const mark = (page) => page.evaluate(() => (globalThis.isMarked = true));
const isMarked = (page) => page.evaluate(() => globalThis.isMarked === true);

test("the rules open at their address, and back and forward lead between them and the game", async () => {
  const page = await open({ choices: { level: 1 } });
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  await mark(page);
  await page.locator("#how").click();
  await rules(page);
  assert.deepEqual([path(page), await page.title()], ["/rules/american", "How to play: American: Crownhead"]);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "How to play");
  assert.equal(await page.locator("#game").isVisible(), false);
  assert.equal(await page.locator("#how").getAttribute("aria-current"), "page");
  await page.goBack();
  await board(page);
  assert.deepEqual([path(page), await page.title()], ["/", "Play checkers: Crownhead"]);
  assert.equal(await page.locator("main.rules").count(), 0);
  assert.equal(await page.locator("#moves button").count(), 2, "the game goes on");
  await page.goForward();
  await rules(page);
  await page.locator(".rules nav").getByText("Numbered").click();
  await page.waitForURL("**/rules/numbered");
  assert.equal(await page.locator(".rules .number").first().isVisible(), true);
  await page.locator("#play").click();
  await board(page);
  assert.ok(await turn(page));
  assert.equal(await isMarked(page), true, "nothing was loaded again");
  assert.deepEqual(page.troubles, []);
});

test("the rules of the chosen rule book are the ones that open", async () => {
  const page = await open({ choices: { rulebook: "win-only" } });
  await page.locator("#how").click();
  await rules(page);
  assert.equal(path(page), "/rules/win-only");
  assert.match(await page.locator("main.rules").textContent(), /Yellow and Red have twelve men each/);
});

test("an address loads alone, and leads home", async () => {
  const page = await open();
  await page.goto(new URL("/rules/quick", site).href);
  await rules(page);
  assert.equal(await page.title(), "How to play: Quick draw: Crownhead");
  assert.equal(await page.locator("#game").isVisible(), false);
  await page.getByRole("link", { name: "Crownhead" }).click();
  await board(page);
  assert.equal(path(page), "/");
  assert.deepEqual(page.troubles, []);
});

test("without a network every known address opens", async () => {
  const page = await open();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await page.goto(new URL("/rules/light", site).href);
  await rules(page);
  assert.match(await page.locator("main.rules").textContent(), /on the light squares/);
  await page.goBack();
  await board(page);
});

test("a game over a link is left by the back button and opened again by its entry, and the local game is still there", async () => {
  const anna = await open({ choices: { against: "two" } });
  await play(anna);
  await moves(anna, [9, 13]);
  await anna.locator("#new-game").click();
  await anna.getByRole("button", { name: "Change options" }).click();
  const link = await invited(anna, "Anna");
  await mark(anna);
  const ben = await friend(anna);
  await exchange(anna, ben, [11, 15]);
  await anna.goBack();
  await anna.locator("#start").waitFor();
  assert.equal(await anna.locator(".presence, .lobby").count(), 0, "nothing of the game stays behind");
  await ben.locator(".presence", { hasText: "Anna is not connected." }).waitFor();
  await play(anna);
  await moves(anna, [9, 13]);
  await anna.goForward();
  await anna.locator('#moves [data-ply="1"]', { hasText: "11-15" }).waitFor();
  await ben.locator(".presence", { hasText: "Anna is connected." }).waitFor();
  await anna.goBack();
  await anna.locator('#moves [data-ply="1"]', { hasText: "9-13" }).waitFor();
  await anna.goto(link);
  await anna.locator('#moves [data-ply="1"]', { hasText: "11-15" }).waitFor();
  assert.deepEqual(anna.troubles.filter((text) => !/ERR_|WebSocket/.test(text)), []);
});

test("a dialog closes when its link leads to another screen", async () => {
  const anna = await open();
  await invited(anna, "Anna");
  await anna.locator(".bar h1 a").click();
  await anna.locator("#start").waitFor();
  await anna.locator("#games").click();
  await anna.locator("dialog.games .friends a").click();
  await anna.getByRole("heading", { name: "Waiting for your friend" }).waitFor();
  assert.equal(await anna.locator("dialog").count(), 0);
});

test("a screen that cannot be fetched leaves the page and its address as they are", async () => {
  const page = await open({ serviceWorkers: "block" });
  await page.route("**/screens/rules.js", (route) => route.abort());
  await page.locator("#how").click();
  await page.locator(".toast", { hasText: "could not be loaded" }).waitFor();
  assert.equal(path(page), "/");
  assert.ok(await page.locator("#start").isVisible());
  await page.unroute("**/screens/rules.js");
  await page.locator("#how").click();
  await rules(page);
});

test("an address that nothing belongs to says so and leads home", async () => {
  const page = await open();
  const answer = await page.goto(new URL("/nothing/here", site).href);
  assert.equal(answer.status(), 404);
  await page.getByRole("heading", { name: "There is nothing at this address." }).waitFor();
  await page.getByRole("link", { name: "Play checkers" }).click();
  await board(page);
  const api = await fetch(new URL("/api/nothing", site), { headers: { accept: "text/html" } });
  assert.deepEqual([api.status, api.headers.get("content-type")], [404, "application/json"]);
});
