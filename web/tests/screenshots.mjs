// Takes pictures of the main screens: node screenshots.mjs FOLDER. The tests need none of this; people look at them.
import { mkdir } from "node:fs/promises";
import { test } from "node:test";
import { moves, open, play, turn } from "./browser.mjs";

const folder = process.argv[2] ?? "pictures";
await mkdir(folder, { recursive: true });
const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 };
const tablet = { viewport: { width: 768, height: 1024 } };
const wide = { viewport: { width: 1440, height: 900 } };
const dark = { colorScheme: "dark" };

/** A game of two with a forced jump for Black. */
const middle = "B:W18,21,22,24,K5,28,29,30,31,32:B1,2,3,K27,8,9,12,14,15,20";
const jump = { choices: { against: "computer", level: 3, position: middle } };

const pictures = {
  start: [wide, async () => {}],
  "start-dark": [{ ...wide, ...dark }, async () => {}],
  "start-tablet": [tablet, async () => {}],
  "start-phone": [phone, async () => {}],
  jump: [{ ...wide, ...jump }, forced],
  "jump-tablet-dark": [{ ...tablet, ...dark, ...jump }, forced],
  "jump-phone-dark": [{ ...phone, ...dark, ...jump }, forced],
  over: [wide, resigned],
  "over-phone": [phone, resigned],
  numbered: [{ ...wide, choices: { rulebook: "numbered" } }, play],
  light: [{ ...wide, choices: { rulebook: "light", against: "two" } }, play],
  "win-only": [{ ...wide, choices: { rulebook: "win-only", against: "two", minutes: 5, increment: 3 } }, play],
  ink: [{ ...wide, ...jump, options: { board: "ink" } }, forced],
  night: [{ ...wide, ...dark, ...jump, options: { board: "night" } }, forced],
  slate: [{ ...wide, ...jump, options: { board: "slate" } }, forced],
  green: [{ ...wide, ...jump, options: { board: "green" } }, forced],
  review: [wide, async (page) => {
    await resigned(page);
    await page.getByRole("button", { name: "Look through the game" }).click();
    await page.waitForTimeout(2500);
  }],
  games: [wide, async (page) => {
    await resigned(page);
    await page.locator("#games").click();
  }],
};

async function forced(page) {
  await play(page);
  await page.locator("#board .must").first().click();
}

async function resigned(page) {
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await page.locator("#end h2").waitFor();
}

test("pictures", async () => {
  for (const [name, [context, go]] of Object.entries(pictures)) {
    const page = await open({ motion: true, ...context });
    await go(page);
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.context().close();
  }
});
