// A real browser on the real page: starts the program and Chromium, and knows how a person plays on the board.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, afterEach } from "node:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const PROGRAM = process.env.CROWNHEAD ?? new URL("../../target/debug/crownhead", import.meta.url).pathname;

/** Where the page is: a server of our own on a free port, unless CROWNHEAD_URL names one. */
async function served() {
  if (process.env.CROWNHEAD_URL) return process.env.CROWNHEAD_URL;
  const data = await mkdtemp(join(tmpdir(), "crownhead-"));
  const server = spawn(PROGRAM, ["serve", "--port", "0", "--no-open", "--data", data], { stdio: ["ignore", "pipe", "inherit"] });
  after(() => server.kill());
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  return line.match(/http:\S+/)[0];
}

export const site = await served();
/** A name that browsers do not trust as they trust this machine, as on a local network over plain http. */
export const LAN = "lan.test";
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", `--host-resolver-rules=MAP ${LAN} 127.0.0.1`] });
after(() => browser.close());
/** What was opened in a test is closed after it, so that nothing goes on thinking. */
const opened = [];
afterEach(() => Promise.all(opened.splice(0).map((profile) => profile.close())));
/** Only something that never happens takes so long; the machine may have other work. */
const PATIENCE_MS = 60_000;

/**
 * A fresh browser profile with the page open. Without `motion` nothing is animated, so that tests do not wait.
 * `choices` and `options` are what the page remembers from last time; `script` runs before those of the page.
 */
export async function open({ motion = false, choices, options, storage, script, onResponse, address = site, ...context } = {}) {
  const profile = await browser.newContext({ reducedMotion: motion ? "no-preference" : "reduce", viewport: { width: 1280, height: 800 }, ...context });
  const kept = { ...(choices && { "crownhead.choices": choices }), ...(options && { "crownhead.options": options }), ...storage };
  await profile.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) {
      localStorage[key] ??= typeof value === "string" ? value : JSON.stringify(value);
    }
  }, kept);
  opened.push(profile);
  if (script) await profile.addInitScript(script);
  const page = await profile.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.troubles.push(message.text()));
  if (onResponse) page.on("response", onResponse);
  await page.goto(address);
  await page.locator("#board .piece").first().waitFor();
  return page;
}

/** Runs a function in a fresh page with the folder that its files are in and one more argument. */
export async function inPage(work, argument) {
  const page = await open();
  const folder = await page.evaluate(() => document.querySelector("script[type=module]").src.replace(/[^/]*$/, ""));
  const result = await page.evaluate(work, { folder, argument });
  assert.deepEqual(page.troubles, []);
  return result;
}

/** Presses Play. */
export async function play(page) {
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator("#game[data-mode=play]").waitFor();
}

export const square = (page, number) => page.locator(`#board [data-square="${number}"]`);

/** Waits until the sentence beside the board is this one, or fits. */
export async function says(page, expected) {
  const said = page.locator("#sentence");
  await said
    .and(page.getByText(expected, { exact: true }))
    .waitFor({ state: "attached", timeout: 10_000 })
    .catch(async () => assert.fail(`it says "${await said.textContent()}", not ${expected}`));
}

/** Makes moves by clicks: each is a list of squares. */
export async function moves(page, ...paths) {
  for (const path of paths) for (const number of path) await square(page, number).click();
}

/** Waits until a person may move or the game is over, and tells whether it goes on. */
export async function turn(page) {
  await page.waitForFunction(() => document.querySelector("#board .can, #board .must") || document.querySelector("#end:not([hidden])"));
  return (await page.locator("#end").isHidden()) && (await page.locator("#board .can, #board .must").count()) > 0;
}

/** Gives the game up, and confirms it. */
export async function resign(page) {
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
}

/** Plays a whole game with the first move that can be made; `hit` touches a square. */
export async function wholeGame(page, hit) {
  for (let turns = 0; turns < 150 && (await turn(page)); turns++) {
    await hit(page.locator("#board .must, #board .can").first());
    while (await page.locator("#board .step, #board .jump").count()) {
      await hit(page.locator("#board .step, #board .jump").first());
    }
  }
  return page.locator("#end h2").textContent();
}
