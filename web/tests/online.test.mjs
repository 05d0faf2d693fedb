// Two real browsers play a game to its end over a link, each with a reload and a lost connection, and a third watches.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { open, resign, says, site, square, turn } from "./browser.mjs";
import { exchange, friend, invited, invitedTo, joined, LINK, told, wire } from "./link.mjs";

/** A short game to its end: Red, who is White in the notation, takes all that Black has. */
const GAME =
  "12-16 24-19 10-15 19x10 7x14 22-17 3-7 17x10x3 2-7 3x12x19 4-8 23-18 9-14 18x9x2 11-16 19x12x3x10 1-6 2x9 5x14 10x17";

/** Makes a move, landing by landing. */
async function moved(page, text) {
  const plies = await page.locator("#moves [data-ply]").count();
  for (const number of text.split(/[-x]/)) await square(page, Number(number)).click();
  await page.waitForFunction((count) => document.querySelectorAll("#moves [data-ply]").length > count, plies);
}

/** What went wrong on the pages, other than connections that were cut on purpose. */
const troubles = (...pages) => pages.flatMap((page) => page.troubles).filter((text) => !/ERR_|WebSocket/.test(text));

test("two browsers play a game over a link, and a third watches", async () => {
  const [anna, ben, eve] = [await open(), await open(), await open()];
  const lines = new Map([[anna, await wire(anna)], [ben, await wire(ben)]]);
  const link = await invited(anna, "Anna");
  await joined(ben, link, "<b>Ben</b>");
  await anna.locator("#game[data-mode=play]").waitFor();
  await eve.goto(link);
  await told(eve, "You are watching.");
  assert.equal(await eve.getByRole("button", { name: "Resign" }).isVisible(), false);
  assert.ok(await anna.getByText("<b>Ben</b>").first().isVisible(), "names are text");
  for (const [ply, text] of GAME.split(" ").entries()) {
    const mover = ply % 2 === 0 ? anna : ben;
    assert.ok(await turn(mover));
    await moved(mover, text);
    if (ply === 3 || ply === 4) await mover.reload();
    if (ply === 7 || ply === 8) await lines.get(mover).cut();
  }
  const lists = [];
  for (const page of [anna, ben, eve]) {
    await page.locator("#end h2").waitFor();
    lists.push(await page.locator("#moves").textContent());
  }
  assert.equal(lists[0], lists[1]);
  assert.equal(lists[0], lists[2]);
  assert.match(await anna.locator("#end h2").textContent(), /You lose/);
  assert.match(await ben.locator("#end h2").textContent(), /You win/);

  await anna.getByRole("button", { name: "Rematch" }).click();
  await anna.locator("#end").getByText("You asked for another game; wait for the answer.").waitFor();
  await ben.getByRole("button", { name: "Play again" }).click();
  for (const page of [anna, ben]) await page.waitForURL((url) => LINK.test(url.href) && url.href !== link);
  const next = anna.url();
  await anna.goto(link);
  assert.match(await anna.locator("#end h2").textContent(), /You lose/);
  assert.equal(await anna.locator("#moves").textContent(), lists[0], "the game before can be looked at again");
  await anna.getByRole("button", { name: "Go to the next game" }).click();
  await anna.waitForURL(next);
  await ben.goto(site);
  await ben.getByText("My games over a link").waitFor();
  assert.match(await ben.locator(".friends:not(.calls) .entry").textContent(), /^With AnnaYou won\. Red wins: /);
  assert.match(await ben.locator(".calls .entry").textContent(), /^With AnnaYour move\. /, "what waits comes first");
  assert.deepEqual(troubles(anna, ben, eve), []);
});

test("a move that is made while the line is down is sent when it is up again, even after a reload, and the player is told", async () => {
  const anna = await open();
  const line = await wire(anna);
  await invited(anna, "Anna");
  const ben = await friend(anna);
  await line.down();
  await told(anna, "You are not connected.");
  await told(ben, "Anna is not connected.");
  await moved(anna, "11-15");
  assert.equal(await ben.locator("#moves [data-ply]").count(), 0);
  line.up();
  await ben.locator('#moves [data-ply="1"]').waitFor();
  await told(anna, "Ben is connected.");
  assert.equal(await anna.locator("#moves [data-ply]").count(), 1);
  await moved(ben, "22-18");
  await anna.locator('#moves [data-ply="2"]').waitFor();
  await line.down();
  await moved(anna, "15x22");
  await anna.reload();
  line.up();
  for (const page of [ben, anna]) await page.locator('#moves [data-ply="3"]').waitFor();
  assert.deepEqual(troubles(anna, ben), []);
});

test("a draw is offered and declined, a move taken back, and the clock shows tenths", async () => {
  const anna = await open();
  await invitedTo(anna, { colour: "black", name: "Anna", clock: { kind: "game", initial_ms: 9_000, increment_ms: 9_000 } });
  const ben = await friend(anna);
  await exchange(anna, ben, [11, 15], [22, 18]);
  assert.match(await anna.locator("#seat-bottom .clock").textContent(), /^0:\d\d(\.\d)?$/);
  await ben.getByRole("button", { name: "Offer draw" }).click();
  await ben.locator("#offers").getByText("You offered a draw.").waitFor();
  assert.match(await ben.locator("#live").textContent(), /You offered a draw\./);
  await anna.getByRole("button", { name: "Decline" }).click();
  await ben.locator("#offers:empty").waitFor({ state: "attached" });
  await ben.getByRole("button", { name: "Take back?" }).click();
  await ben.locator("#offers").getByText("You asked to take the move back.").waitFor();
  await anna.getByRole("button", { name: "Accept" }).click();
  for (const page of [anna, ben]) await page.waitForFunction(() => document.querySelectorAll("#moves [data-ply]").length === 1);
  await ben.waitForFunction(() => /^0:0\d\.\d$/.test(document.querySelector("#seat-bottom .clock").textContent));
  assert.deepEqual(troubles(anna, ben), []);
});

test("whoever looks back is not called to the board because the line was cut", async () => {
  const anna = await open();
  const line = await wire(anna);
  await invited(anna, "Anna");
  const ben = await friend(anna);
  await exchange(anna, ben, [11, 15], [22, 18]);
  await anna.locator("#back").click();
  await line.down();
  await told(anna, "You are not connected.");
  line.up();
  await told(anna, "Ben is connected.");
  await says(anna, "After move 1 of 2.");
});

test("the list of games over a link stays as it is while nothing happens", async () => {
  const page = await open();
  await invited(page, "Anna");
  await page.clock.install();
  await page.goto(site);
  await page.getByText("My games over a link").waitFor();
  await page.locator(".friends .entry a").focus();
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/games"));
  await page.clock.runFor(20_000);
  await answered;
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => document.activeElement.closest(".friends .entry") !== null), true);
});

test("the answer of the server does not cut one's own move short", async () => {
  const anna = await open({
    motion: true,
    script: () => {
      globalThis.cut = 0;
      const cancel = Animation.prototype.cancel;
      Animation.prototype.cancel = function () {
        if (this.playState === "running") globalThis.cut += 1;
        cancel.call(this);
      };
    },
  });
  await invited(anna, "Anna");
  const ben = await friend(anna);
  await exchange(anna, ben, [11, 15]);
  await anna.waitForTimeout(300);
  assert.equal(await anna.evaluate(() => globalThis.cut), 0);
  assert.match(await anna.locator("#live").textContent(), /^Black moves from 11 to 15\./);
});

test("an invitation is withdrawn, and whoever has its link open or opens it later is told", async () => {
  const [anna, ben, eve] = [await open(), await open(), await open()];
  const link = await invited(anna, "Anna");
  await ben.goto(link);
  await ben.getByRole("button", { name: "Join" }).focus();
  await anna.getByRole("button", { name: "Withdraw the invitation" }).focus();
  await anna.keyboard.press("Enter");
  await anna.waitForURL(site);
  await anna.locator("#game[data-mode=start]").waitFor();
  assert.deepEqual(await anna.evaluate(async () => (await fetch("/api/games")).json()), []);
  await ben.getByRole("heading", { name: "No game this time" }).waitFor();
  assert.equal(await ben.locator("#live").textContent(), "The invitation was withdrawn before the game started.");
  assert.equal(await ben.evaluate(() => document.activeElement.textContent), "Play something else");
  assert.equal(await ben.getByRole("button", { name: "Join" }).count(), 0);
  await eve.goto(link);
  await eve.getByText("The invitation was withdrawn before the game started.").waitFor();
  await ben.keyboard.press("Enter");
  await ben.waitForURL(site);
  assert.deepEqual(troubles(anna, ben), []);
});

test("an invitation that somebody has just taken is not withdrawn, and the inviter is told why", async () => {
  const anna = await open();
  const line = await wire(anna);
  const link = await invited(anna, "Anna");
  await line.down();
  await joined(await open(), link, "Ben");
  await anna.getByRole("button", { name: "Withdraw the invitation" }).click();
  await anna.getByText("Your opponent has joined, so the invitation can no longer be withdrawn.").waitFor();
  line.up();
  await anna.locator("#game[data-mode=play]").waitFor();
});

test("who withdraws an invitation while it is being taken is told at the board why not", async () => {
  const anna = await open();
  const link = await invited(anna, "Anna");
  await anna.route("**/api/games/*", async (route) => {
    await friend(anna, link);
    await route.continue();
  });
  await anna.getByRole("button", { name: "Withdraw the invitation" }).click();
  await anna.locator("#sentence", { hasText: "Your opponent has joined, so the invitation can no longer be withdrawn." }).waitFor();
});

test("who withdraws an invitation is not told on the way out that there is no game, nor that the line is cut", async () => {
  const anna = await open();
  // Keeps all that the page shows.
  await anna.addInitScript(() => {
    const seen = (globalThis.seen = []);
    new MutationObserver(() => seen.push(document.body?.innerText, document.getElementById("live")?.textContent)).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await anna.reload();
  const line = anna.waitForEvent("websocket");
  await invited(anna, "Anna");
  const closed = (await line).waitForEvent("close");
  let seen = "";
  await anna.route("**/api/games/*", async (route) => {
    const response = await route.fetch();
    await closed;
    seen = await anna.evaluate(() => globalThis.seen.join());
    await route.fulfill({ response });
  });
  await anna.getByRole("button", { name: "Withdraw the invitation" }).click();
  await anna.waitForURL(site);
  assert.match(seen, /Waiting for your friend/);
  assert.doesNotMatch(seen, /No game this time|withdrawn before|not connected/);
});

test("a reload while the server fails or is not to be reached keeps the game, which goes on as soon as it is back", async () => {
  const anna = await open();
  await invited(anna, "Anna");
  const ben = await friend(anna);
  await exchange(anna, ben, [11, 15]);
  await anna.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await anna.context().setOffline(true);
  await anna.reload();
  await told(anna, "You are not connected. Trying again…");
  assert.equal(await anna.getByRole("button", { name: "Play", exact: true }).isVisible(), false);
  await anna.context().setOffline(false);
  await anna.locator('#moves [data-ply="1"]').waitFor();
  await ben.route("**/api/games/*", (route) => route.fulfill({ status: 503, json: {} }));
  await ben.reload();
  await ben.locator('#moves [data-ply="1"]').waitFor();
  await moved(ben, "22-18");
  await anna.locator('#moves [data-ply="2"]').waitFor();
});

test("an invitation that could not be looked at is there once the server answers, and can be taken", async () => {
  const anna = await open();
  const link = await invited(anna, "Anna");
  const ben = await open();
  let failures = 1;
  await ben.route("**/api/games/*", (route) => (failures-- > 0 ? route.abort() : route.continue()));
  await joined(ben, link, "Ben");
  assert.equal(await ben.getByRole("button", { name: "Resign" }).isVisible(), true);
});

/** Writes down the pitch of every tone that the page makes. To be run in the page before its scripts. */
const ears = () => {
  globalThis.heard = [];
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...at) {
    globalThis.heard.push(Math.round(this.frequency.value));
    start.apply(this, at);
  };
};
const TURN_HZ = 392;
const LOW_HZ = 523;

/** Waits until a tone was heard. */
const hears = (page, hertz) => page.waitForFunction((hertz) => globalThis.heard.includes(hertz), hertz);

test("a sound and a mark in the title tell when the friend joins, when it is one's turn, and when the time runs low", async () => {
  const anna = await open({ script: ears });
  const link = await invitedTo(anna, { colour: "white", name: "Anna", clock: { kind: "game", initial_ms: 18_000, increment_ms: 0 } });
  // Browsers allow no sound before the first touch.
  await anna.getByRole("heading", { name: "Waiting for your friend" }).click();
  const ben = await friend(anna, link);
  await hears(anna, TURN_HZ);
  assert.equal(await anna.title(), "● Your friend is here: Crownhead");
  assert.equal(await ben.title(), "● Your move: Crownhead");
  await anna.evaluate(() => globalThis.heard.splice(0));
  await moved(ben, "11-15");
  await anna.waitForFunction(() => document.title === "● Your move: Crownhead");
  assert.equal(await ben.title(), "A game over a link: Crownhead");
  await hears(anna, TURN_HZ);
  await hears(anna, LOW_HZ);
  await anna.locator("#seat-bottom .clock.low").waitFor();
  assert.equal(await anna.locator("#seat-top .clock.low").count(), 0, "a clock that stands still is not urgent");
});

test("whoever comes too late to join is told, and watches", async () => {
  const anna = await open();
  const link = await invited(anna, "Anna");
  const eve = await open();
  await eve.goto(link);
  await eve.getByRole("button", { name: "Join" }).waitFor();
  assert.equal(await anna.locator(".presence").textContent(), "", "who may yet join does not watch");
  await friend(anna, link);
  await eve.getByText("Someone else joined first, so you are watching.").waitFor();
  await told(eve, "You are watching.");
  await told(anna, "1 person is watching.");
});

test("who withdraws an invitation is told so over the line if the answer is lost", async () => {
  const anna = await open();
  const line = anna.waitForEvent("websocket");
  await invited(anna, "Anna");
  const closed = (await line).waitForEvent("close");
  await anna.route("**/api/games/*", async (route) => {
    await route.fetch();
    await closed;
    await route.abort();
  });
  await anna.getByRole("button", { name: "Withdraw the invitation" }).click();
  await anna.getByRole("heading", { name: "No game this time" }).waitFor();
});

test("who leaves a game in the middle is asked, and told where it goes on", async () => {
  const anna = await open();
  const link = await invited(anna, "Anna");
  await friend(anna, link);
  await anna.getByRole("button", { name: "New game" }).click();
  await anna.getByRole("dialog").getByText("It goes on without you").waitFor();
  await anna.getByRole("button", { name: "Keep playing" }).click();
  assert.equal(anna.url(), link);
  await anna.getByRole("button", { name: "New game" }).click();
  await anna.getByRole("button", { name: "Leave" }).click();
  await anna.waitForURL(site);
  await anna.locator(".friends .entry a", { hasText: "Your move." }).click();
  await anna.waitForURL(link);
});

test("on a phone the end tells who is there, what was answered, and when the line is cut, and another game can be declined", async () => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const [anna, ben] = [await open(phone), await open(phone)];
  const line = await wire(anna);
  await joined(ben, await invited(anna, "Anna"), "Ben");
  await anna.locator("#game[data-mode=play]").waitFor();
  await resign(anna);
  await anna.locator("#end").getByText("Ben is connected.").waitFor();
  await anna.getByRole("button", { name: "Rematch" }).click();
  await ben.getByRole("button", { name: "Decline" }).click();
  await anna.locator("#end .told").waitFor();
  await line.down();
  await anna.locator("#end").getByText("You are not connected.").waitFor();
});

/** Refuses whatever a page asks for in its game, after a change of what it is told, and gives what it asked. */
async function refusing(page, change = (told) => told) {
  const asked = [];
  await page.routeWebSocket(/\/live\?/, (line) => {
    const server = line.connectToServer();
    server.onMessage((text) => line.send(JSON.stringify(change(JSON.parse(text)))));
    line.onMessage((text) => {
      const { type, id, command } = JSON.parse(text);
      if (type !== "command") return server.send(text);
      asked.push(command);
      line.send(JSON.stringify({ v: 1, type: "refused", id, error: "The server will not have it." }));
    });
  });
  return asked;
}

test("a piece that the server does not let move goes back, and a sentence says why", async () => {
  const anna = await open();
  const asked = await refusing(anna);
  await invited(anna, "Anna");
  await friend(anna);
  await square(anna, 11).click();
  await square(anna, 15).click();
  await says(anna, "The server will not have it.");
  assert.deepEqual(asked, [{ type: "move", move: "11-15" }]);
  assert.equal(await anna.locator("#moves [data-ply]").count(), 0);
  assert.ok(await turn(anna));
  await square(anna, 11).and(anna.locator(".can")).waitFor();
});

test("a player who has been away for long can be declared to have forfeited", async () => {
  const anna = await open();
  // To this page it is an hour later than it is, and the friend has just gone.
  const asked = await refusing(anna, (told) => {
    if (["welcome", "events"].includes(told.type)) told.now += 60 * 60_000;
    if (told.presence) told.presence.guest_away_since = Date.now();
    return told;
  });
  await invited(anna, "Anna");
  await friend(anna);
  await told(anna, "Ben has been away for a long time. You can claim the game.");
  await anna.getByRole("button", { name: "Claim forfeit" }).click();
  await says(anna, "The server will not have it.");
  assert.deepEqual(asked, [{ type: "claim_forfeit" }]);
});

/** Gives a page a snapshot in the place of every log, tells how many records it said that it had, and can cut its line. */
async function snapshots(page) {
  const log = [];
  const have = [];
  const lines = [];
  let isDown = false;
  await page.routeWebSocket(/\/live\?/, (line) => {
    if (isDown) return void line.close();
    have.push(Number(new URL(line.url()).searchParams.get("have")));
    const server = line.connectToServer();
    lines.push(line, server);
    server.onMessage((text) => {
      const told = JSON.parse(text);
      (told.records ?? []).forEach((record, i) => (log[told.seq + i] = record));
      const isLog = told.type === "welcome" && told.records.length > 0;
      line.send(isLog ? JSON.stringify({ ...told, seq: log.length, records: [], snapshot: snapshotOf(log) }) : text);
    });
    line.onMessage((text) => server.send(text));
  });
  return {
    have,
    async down() {
      isDown = true;
      await Promise.all(lines.splice(0).map((end) => end.close().catch(() => {})));
    },
    up: () => (isDown = false),
  };
}

/** The snapshot of a game without a clock that consists of moves. */
function snapshotOf(records) {
  const [first, ...rest] = records;
  const moves = rest.map(({ event }) => event.move);
  const { at } = records.at(-1);
  const turn = (first.event.seed + moves.length) % 2 ** 32;
  return { v: 1, seq: records.length, started_at: first.at, at, started: first.event, moves, silence: { since: at }, turn };
}

test("a game whose log is too long to send goes on from a snapshot", async () => {
  const anna = await open();
  await invited(anna, "Anna");
  const ben = await friend(anna);
  await exchange(anna, ben, [11, 15], [23, 18]);
  const { have } = await snapshots(anna);
  await anna.reload();
  await anna.locator('#moves [data-ply="2"]').waitFor();
  await told(anna, "Ben is connected.");
  await moved(anna, "8-11");
  await ben.locator('#moves [data-ply="3"]').waitFor();
  await moved(ben, "27-23");
  await anna.locator('#moves [data-ply="4"]').waitFor();
  await resign(anna);
  await anna.locator("#end h2").waitFor();
  await anna.getByRole("button", { name: "Review the game" }).click();
  const review = anna.locator("dialog.review");
  await review.getByText("27-23").first().waitFor();
  const saving = anna.waitForEvent("download");
  await review.getByRole("button", { name: "Save PDN" }).click();
  const pdn = await readFile(await (await saving).path(), "utf8");
  assert.match(pdn, /1\. 11-15 23-18 2\. 8-11 27-23 /);
  assert.match(pdn, new RegExp(`\\[Date "${new Date().getFullYear()}\\.`));
  assert.deepEqual(have, [0]);
  assert.deepEqual(troubles(anna), []);
});

test("a page that was away for long goes on from a snapshot", async () => {
  const anna = await open();
  await invited(anna, "Anna");
  const ben = await open({ storage: {} });
  const wired = await snapshots(ben);
  await joined(ben, anna.url(), "Ben");
  await exchange(anna, ben, [11, 15], [23, 18]);
  await wired.down();
  await told(ben, "You are not connected.");
  await moved(anna, "8-11");
  wired.up();
  await ben.locator('#moves [data-ply="3"]').waitFor();
  await moved(ben, "27-23");
  await anna.locator('#moves [data-ply="4"]').waitFor();
  assert.equal(wired.have.at(-1), 3);
  assert.deepEqual(troubles(ben), []);
});

/** What is heard by those who listen, each time that it changes. */
function announced(page) {
  return page.evaluate(() => {
    const live = document.getElementById("live");
    window.announced = [];
    new MutationObserver(() => window.announced.push(live.textContent)).observe(live, { childList: true, characterData: true, subtree: true });
  });
}

test("a move that the server cannot save yet says so until it is saved", async () => {
  const full = "The server cannot save moves at the moment; your move is waiting.";
  const anna = await open();
  let save = () => {};
  await anna.routeWebSocket(/\/live\?/, (line) => {
    const server = line.connectToServer();
    line.onMessage((text) => {
      const { type, id } = JSON.parse(text);
      if (type !== "command") return server.send(text);
      const wait = () => line.send(JSON.stringify({ v: 1, type: "waiting", id, notice: full }));
      wait();
      wait();
      save = () => server.send(text);
    });
  });
  await invited(anna, "Anna");
  const ben = await friend(anna);
  await told(anna, "Ben is connected.");
  await announced(anna);
  await square(anna, 11).click();
  await square(anna, 15).click();
  await told(anna, full);
  assert.equal(await anna.locator("#moves [data-ply]").count(), 1, "the move stays on the board");
  save();
  await told(anna, "Ben is connected.");
  await ben.locator('#moves [data-ply="1"]').waitFor();
  const heard = await anna.evaluate(() => window.announced);
  assert.equal(heard.filter((text) => text.includes("cannot save")).length, 1, heard.join("|"));
});

/** Lets a page believe that it is so much later, whenever the server tells the time. */
async function ahead(page, ms, change = () => {}) {
  await page.routeWebSocket(/\/live\?/, (line) => {
    const server = line.connectToServer();
    server.onMessage((text) => {
      const told = JSON.parse(text);
      if (told.now && told.type !== "ping") told.now += ms;
      change(told, line);
      line.send(JSON.stringify(told));
    });
    line.onMessage((text) => server.send(text));
  });
}

test("a silent opponent is asked whether they are still there", async () => {
  const anna = await open();
  // To this page it is much later than to the server, which refuses what comes too early.
  await ahead(anna, 11 * 60_000);
  await invited(anna, "Anna");
  const ben = await friend(anna);
  const ask = anna.getByRole("button", { name: "Still there?" });
  assert.equal(await ask.isVisible(), false, "it is her own turn");
  await square(anna, 11).click();
  await square(anna, 15).click();
  await ben.locator('#moves [data-ply="1"]').waitFor();
  await ask.waitFor();
  assert.equal(await anna.getByRole("button", { name: "Claim forfeit" }).isVisible(), false, "one button in one place");
  await ask.click();
  await says(anna, "You can ask once Red has been silent for 10 minutes.");
});

test("a player who is asked whether they are still there can say so", async () => {
  const anna = await open();
  const sent = [];
  await anna.routeWebSocket(/\/live\?/, (line) => {
    const server = line.connectToServer();
    server.onMessage((text) => {
      const told = JSON.parse(text);
      line.send(text);
      if (told.type !== "welcome" || told.records.length === 0) return;
      const record = { v: 1, at: told.now, event: { type: "still_there_asked", by: "white" } };
      line.send(JSON.stringify({ v: 1, type: "events", seq: 1, records: [record], now: told.now }));
    });
    line.onMessage((text) => {
      const { type, id, command } = JSON.parse(text);
      if (type !== "command") return server.send(text);
      sent.push(command);
      const record = { v: 1, at: Date.now() + 1_000, event: { type: "still_here", by: "black" } };
      line.send(JSON.stringify({ v: 1, type: "events", seq: 2, records: [record], now: Date.now() }));
      line.send(JSON.stringify({ v: 1, type: "ack", id, seq: 3 }));
    });
  });
  await invited(anna, "Anna");
  await friend(anna);
  const question = anna.locator(".offer", { hasText: "Are you still there? Make a move or say so" });
  await question.waitFor();
  assert.equal(await anna.title(), "● Are you still there? Crownhead");
  await question.getByRole("button", { name: "I'm here" }).click();
  await question.waitFor({ state: "detached" });
  assert.deepEqual(sent, [{ type: "still_here" }]);
});

test("a link to nothing says so", async () => {
  const page = await open();
  await page.goto(`${site}game/0123456789012345678901`);
  await page.getByRole("heading", { name: "No game this time" }).waitFor();
  await page.locator(".lobby").getByText("there is no such game").waitFor();
  assert.equal(await page.getByRole("button", { name: "Play", exact: true }).isVisible(), false);
});
