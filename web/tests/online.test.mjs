// Two real browsers play a game to its end over a link, each with a reload and a lost connection, and a third watches.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, site, turn } from "./browser.mjs";

const LINK = /\/game\/[0-9A-Za-z]{22}$/;

/** Invites with a name and gives the link. */
async function invited(page, name) {
  await page.getByRole("button", { name: "Invite a friend" }).click();
  const dialog = page.locator("dialog.invite");
  await dialog.getByText("first").click();
  await dialog.getByLabel("Your name").fill(name);
  await dialog.getByRole("button", { name: "Make the link" }).click();
  await page.waitForURL(LINK);
  await page.locator("dialog.link img").waitFor();
  return page.url();
}

/** Opens the link as somebody and joins. */
async function joined(page, link, name) {
  await page.goto(link);
  await page.locator("dialog.join").getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Join" }).click();
  await page.locator("#table[data-mode=play]").waitFor();
}

/** Makes the first move that can be made. */
async function moved(page) {
  const plies = await page.locator("#moves [data-ply]").count();
  await page.locator("#board .must, #board .can").first().click();
  while (await page.locator("#board .step, #board .jump").count()) {
    await page.locator("#board .step, #board .jump").first().click();
  }
  await page.waitForFunction((count) => document.querySelectorAll("#moves [data-ply]").length > count, plies);
}

/** Cuts the connection for a moment, as a tunnel does. */
async function cut(page) {
  await page.context().setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await page.context().setOffline(false);
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
}

test("two browsers play a game over a link, and a third watches", async () => {
  const [anna, ben, eve] = [await open(), await open(), await open()];
  const link = await invited(anna, "Anna");
  await joined(ben, link, "<b>Ben</b>");
  await anna.locator("#table[data-mode=play]").waitFor();
  await eve.goto(link);
  await eve.getByText("You are watching.").first().waitFor();
  assert.equal(await eve.getByRole("button", { name: "Resign" }).isVisible(), false);
  assert.ok(await anna.getByText("<b>Ben</b>").first().isVisible(), "names are text");
  let mover = anna;
  let other = ben;
  for (let ply = 0; ply < 300 && (await turn(mover)); ply++) {
    await moved(mover);
    if (ply === 3 || ply === 4) await mover.reload();
    if (ply === 7 || ply === 8) await cut(mover);
    [mover, other] = [other, mover];
    if (ply === 12) {
      // One of them gives up before their eyes hurt.
      await mover.getByRole("button", { name: "Resign" }).click();
      await mover.locator("dialog.question").getByRole("button", { name: "Resign" }).click();
      break;
    }
  }
  const lists = [];
  for (const page of [anna, ben, eve]) {
    await page.locator("#end h2").waitFor();
    lists.push(await page.locator("#moves").textContent());
  }
  assert.equal(lists[0], lists[1]);
  assert.equal(lists[0], lists[2]);
  assert.match(await mover.locator("#end h2").textContent(), /You lose/);

  await mover.getByRole("button", { name: "Rematch" }).click();
  await other.getByRole("button", { name: "Accept" }).click();
  for (const page of [anna, ben]) await page.waitForURL((url) => LINK.test(url.href) && url.href !== link);
  await ben.goto(site);
  await ben.getByText("My games over a link").waitFor();
  assert.deepEqual([anna.troubles, ben.troubles, eve.troubles].flat().filter((text) => !/ERR_|WebSocket/.test(text)), []);
});

test("a link to nothing says so", async () => {
  const page = await open();
  await page.goto(`${site}game/0123456789012345678901`);
  await page.getByText("there is no such game").waitFor();
});
