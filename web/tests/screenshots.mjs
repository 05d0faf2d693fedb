// Takes pictures of the main screens: node screenshots.mjs FOLDER [NAME …]. The tests need none of this; people look at them.
// Those of the README: node screenshots.mjs ../../docs/images game phone-dark
import { mkdir } from "node:fs/promises";
import { test } from "node:test";
import { moves, open, play, resign, turn } from "./browser.mjs";
import { exchange, friend, invite, invited, invitedTo, told, wire } from "./link.mjs";

const [folder = "pictures", ...wanted] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 };
const narrow = { viewport: { width: 320, height: 568 }, deviceScaleFactor: 2 };
const lying = { viewport: { width: 740, height: 360 }, deviceScaleFactor: 2 };
const tablet = { viewport: { width: 768, height: 1024 } };
const wide = { viewport: { width: 1440, height: 900 } };
const dark = { colorScheme: "dark" };

/** A game of two with a forced jump for Black. */
const middle = "B:W18,21,22,24,K5,28,29,30,31,32:B1,2,3,K27,8,9,12,14,15,20";
const jump = { choices: { against: "computer", level: 3, position: middle } };

/** A short game in which Red throws a man away and loses. */
const game = "[Black \"Ann\"] [White \"Bob\"] 1. 11-15 23-18 2. 8-11 18-14 3. 9x18 24-19 4. 15x24 22x8 5. 4x11 28x19 6. 5-9 25-22 7. 9-13 29-25 8. 11-15 19-16 9. 12x19 27-24 10. 19x28 32-27 1-0";

/** In the README, so small files. */
const SMALL = ["game", "phone-dark"];
const friends = { choices: { against: "two", names: ["Ann", "Bob"] } };

const pictures = {
  game: [{ ...wide, ...friends }, exchanged],
  "phone-dark": [{ ...phone, ...dark, ...friends }, exchanged],
  start: [wide, async () => {}],
  "start-dark": [{ ...wide, ...dark }, async () => {}],
  "start-tablet": [tablet, async () => {}],
  "start-phone": [phone, async () => {}],
  jump: [{ ...wide, ...jump }, forced],
  must: [{ ...wide, ...jump }, play],
  "must-ink": [{ ...wide, ...jump, options: { board: "ink" } }, play],
  "must-phone": [{ ...phone, ...jump }, play],
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
  "start-narrow": [narrow, async () => {}],
  "jump-narrow": [{ ...narrow, ...jump }, forced],
  "jump-lying": [{ ...lying, ...jump }, forced],
  "over-narrow": [narrow, resigned],
  "middle": [wide, begun],
  "middle-phone": [phone, begun],
  "more-options": [wide, more],
  "more-options-phone": [phone, more],
  "two-players": [wide, async (page) => page.getByText("Two players").click()],
  question: [wide, asked],
  "question-phone": [phone, asked],
  review: [wide, reviewed],
  "review-phone": [phone, reviewed],
  "review-dark": [{ ...wide, ...dark }, reviewed],
  games: [wide, listed],
  "games-phone": [phone, listed],
  options: [wide, async (page) => page.locator("#options").click()],
  "options-phone": [phone, async (page) => page.locator("#options").click()],
  how: [wide, async (page) => page.locator("#how").click()],
  "how-phone": [phone, async (page) => page.locator("#how").click()],
  editor: [wide, edited],
  "editor-phone": [phone, edited],
  "editor-narrow": [narrow, edited],
  open: [wide, opened],
  "open-phone": [phone, opened],
  ...everywhere("invite", invite),
  ...everywhere("waiting", (page) => invited(page, "Anna")),
  ...everywhere("join", async (page) => page.goto(await invited(await open(), "Anna")).then(() => page.locator(".lobby form").waitFor())),
  ...everywhere("link-game", linked),
  ...everywhere("link-offers", offered),
  ...everywhere("link-clocks", hurried),
  ...everywhere("link-down", cutOff),
  ...everywhere("link-over", yielded),
  ...everywhere("link-watch", watched),
  ...everywhere("link-days", (page) => invitedTo(page, { name: "Anna", colour: "black", clock: { kind: "move", limit_ms: 3 * 86_400_000 } }).then(() => friend(page))),
  ...everywhere("my-games", mine),
};

/** A screen on a desk and in a hand, by day and by night. */
function everywhere(name, go) {
  const looks = { "": wide, "-dark": { ...wide, ...dark }, "-phone": phone, "-phone-dark": { ...phone, ...dark } };
  return Object.fromEntries(Object.entries(looks).map(([look, context]) => [`${name}${look}`, [context, go]]));
}

async function linked(page) {
  await invited(page, "Anna");
  const ben = await friend(page);
  await exchange(page, ben, [11, 15], [23, 18], [8, 11], [18, 14]);
  return ben;
}

async function offered(page) {
  const ben = await linked(page);
  await ben.getByRole("button", { name: "Offer draw" }).click();
  await ben.getByRole("button", { name: "Take back?" }).click();
  await page.getByRole("button", { name: "Decline" }).nth(1).waitFor();
}

async function hurried(page) {
  await invitedTo(page, { name: "Anna", colour: "black", clock: { kind: "game", initial_ms: 12_000, increment_ms: 0 } });
  const ben = await friend(page);
  await exchange(page, ben, [11, 15], [23, 18]);
  await page.waitForTimeout(4000);
}

async function cutOff(page) {
  const line = await wire(page);
  await linked(page);
  await line.down();
  await told(page, "You are not connected.");
}

async function yielded(page) {
  const ben = await linked(page);
  await resign(ben);
  await page.locator("#end h2").waitFor();
  await page.waitForTimeout(600);
  await ben.getByRole("button", { name: "Rematch" }).click();
  await page.waitForTimeout(600);
}

async function watched(page) {
  const anna = await open();
  await linked(anna);
  await page.goto(anna.url());
  await told(page, "You are watching.");
}

async function mine(page) {
  await invited(page, "Anna");
  await page.goto(new URL("/", page.url()).href);
  const ben = await linked(page);
  await page.goto(new URL("/", page.url()).href);
  await invitedTo(page, { colour: "white" });
  await friend(page, page.url(), "Carla with quite a long name indeed");
  await ben.context().close();
  await page.goto(new URL("/", page.url()).href);
  await page.getByText("My games over a link").waitFor();
}

/** A few moves, some captured men, and a jump that is due. */
async function exchanged(page) {
  await play(page);
  const step = async (...path) => {
    await moves(page, path);
    await page.waitForTimeout(900);
  };
  for (const path of [[11, 15], [23, 18], [8, 11], [18, 14], [9, 18], [24, 19], [15, 24], [22, 8]]) await step(...path);
  await step(4);
}

async function more(page) {
  await page.locator("summary").click();
}

async function asked(page) {
  await play(page);
  await page.getByRole("button", { name: "Resign" }).click();
}

async function begun(page) {
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  await page.waitForTimeout(400);
  await page.locator("#board .can, #board .must").first().click();
}

async function edited(page) {
  await more(page);
  await page.getByRole("button", { name: "Set up a board" }).click();
}

async function opened(page) {
  await more(page);
  await page.getByRole("button", { name: "Open a game file" }).click();
}

async function reviewed(page) {
  await opened(page);
  await page.getByLabel("PDN text").fill(game);
  await page.getByRole("button", { name: "Read" }).click();
  await page.locator("dialog.review .worst h3").waitFor();
  for (let i = 0; i < 9; i++) await page.locator("dialog.review").getByRole("button", { name: "One move forward" }).click();
}

async function listed(page) {
  await resigned(page);
  await page.locator("#games").click();
}

async function forced(page) {
  await play(page);
  await page.locator("#board .must").first().click();
}

async function resigned(page) {
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  await resign(page);
  await page.locator("#end h2").waitFor();
}

test("pictures", async () => {
  for (const [name, [context, go]] of Object.entries(pictures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await open({ motion: true, ...context });
    await go(page);
    await page.waitForTimeout(400);
    const small = SMALL.includes(name) && { path: `${folder}/${name}.jpg`, type: "jpeg", quality: 85 };
    await page.screenshot(small || { path: `${folder}/${name}.png` });
    await page.context().close();
  }
});
