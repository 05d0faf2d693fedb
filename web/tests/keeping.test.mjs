// What the page keeps, what it reads and writes, and what it says when something goes wrong.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { LAN, moves, open, play, resign, says, site, turn } from "./browser.mjs";
import { renewable } from "./versions.mjs";

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

test("a new version waits for the next game and then goes on with that one", async () => {
  const { address, renew, isNewer } = await renewable(site);
  const page = await open({ address, choices: { level: 1 } });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  renew();
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    while (!registration.waiting) await new Promise((later) => setTimeout(later, 50));
  });
  await page.reload();
  await turn(page);
  assert.equal(await isNewer(page), false);
  await page.locator("html[data-update=ready]").waitFor();
  assert.equal(await page.locator("#moves button").count(), 2);

  const reloaded = page.waitForEvent("load");
  await page.locator("#new-game").click();
  await page.getByRole("dialog").getByRole("button", { name: "New game" }).click();
  await reloaded;
  await turn(page);
  assert.equal(await isNewer(page), true);
  assert.match(await page.locator("#seat-bottom").textContent(), /You/);
});

test("over plain http on a local network the game plays, without what browsers withhold there", async () => {
  const page = await open({ address: site.replace("127.0.0.1", LAN), choices: { level: 1 } });
  assert.deepEqual(await page.evaluate(() => [isSecureContext, crossOriginIsolated, "serviceWorker" in navigator]), [false, false, false]);
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await moves(page, [12, 16]);
  await turn(page);
  assert.equal(await page.locator("#moves button").count(), 2);
  assert.deepEqual(page.troubles.filter((trouble) => !trouble.includes("Cross-Origin-Opener-Policy")), []);
});

test("it can be installed: the manifest names pictures that are there", async () => {
  const manifest = await (await fetch(new URL("/manifest.webmanifest", site))).json();
  assert.deepEqual([manifest.display, manifest.start_url], ["standalone", "/"]);
  for (const { src, type } of manifest.icons) {
    const { status, headers } = await fetch(new URL(src, site));
    assert.deepEqual([status, headers.get("content-type")], [200, type]);
  }
});

test("a game goes out as PDN, comes back, and is stepped through and played on", async () => {
  const page = await open({ choices: two });
  await play(page);
  await moves(page, [11, 15], [22, 18], [15, 22]);
  await resign(page);
  const saved = async (screen) => {
    const download = page.waitForEvent("download");
    await screen.getByRole("button", { name: "Save PDN" }).click();
    return readFile(await (await download).path(), "utf8");
  };
  await page.clock.setFixedTime(new Date(2099, 11, 31));
  const pdn = await saved(page.locator("#end"));
  assert.match(pdn, /1\. 11-15 22-18 2\. 15x22/);
  assert.match(pdn, /\[Date "20[^9]\d\.\d\d\.\d\d"\]/, "the day of the game, not of the file");

  await page.locator("#games").click();
  await page.getByRole("button", { name: "Open a game file" }).click();
  await page.getByLabel("PDN text").fill(pdn.replace(/\[Date .*\]/, '[Date "1948.11.03"]'));
  await page.getByRole("button", { name: "Read" }).click();
  const review = page.locator("dialog.review");
  await review.waitFor();
  assert.match(await saved(review), /\[Date "1948\.11\.03"\]/);
  assert.equal(await review.locator(".piece").count(), 24);
  for (let i = 0; i < 3; i++) await review.getByRole("button", { name: "One move forward" }).click();
  assert.equal(await review.locator(".piece").count(), 23);
  assert.match(await review.locator(".review-sentence").textContent(), /Black jumps from 15 to 22/);
  await review.getByRole("button", { name: "Play on from here" }).click();
  await play(page);
  await says(page, /You must jump/);
});

/** Opens a text as a game to look through. */
async function reviewed(pdn) {
  const page = await open();
  await page.locator("#games").click();
  await page.getByRole("button", { name: "Open a game file" }).click();
  await page.getByLabel("PDN text").fill(pdn);
  await page.getByRole("button", { name: "Read" }).click();
  const review = page.locator("dialog.review");
  await review.locator(".worst h3").waitFor();
  return { page, review };
}

test("the look back marks the worst move, says what was better, and draws who stood better", async () => {
  const { review } = await reviewed("1. 11-15 23-18 2. 8-11 18-14 3. 9x18 24-19 4. 15x24 28x19 *");
  const worst = review.locator(".worst button");
  assert.match(await worst.first().textContent(), /^\d+\. … [\dx-]+\?[?!]?\S.*\d+[-x]\d+.*\.$/);
  assert.match(await review.locator(".worst p").textContent(), /^Accuracy: Black [\d.]+ %, Red [\d.]+ %\.$/);
  assert.equal(await review.locator(".blunder").count(), await worst.count());
  assert.equal(await review.locator(".review-moves .bad").count(), await worst.count());
  assert.match(await review.locator(".curve").getAttribute("points"), /^0\.0,/);
  await worst.first().click();
  assert.match(await review.locator(".review-sentence").textContent(), /^Red (moves|jumps) from/);
});

test("with few pieces left the look back knows the verdict and the distance", async () => {
  const { review } = await reviewed('[SetUp "1"] [FEN "W:WK14,K19:BK1"] 1. 14-9 1-6 2. 9x2 1-0');
  assert.match(await review.locator(".review-side").textContent(), /(Red|White) wins in \d+\./);
});

test("a game of a file is shown to its last move, also beyond a third repetition", async () => {
  const round = "1-6 32-27 6-1 27-32";
  const { review } = await reviewed(`[SetUp "1"] [FEN "B:WK32:BK1"] ${Array(5).fill(round).join(" ")} 1/2-1/2`);
  assert.equal(await review.locator(".review-moves button").count(), 20);
});

test("a game that is on is not left for a look back without asking", async () => {
  const page = await open({ choices: two });
  await play(page);
  await moves(page, [11, 15]);
  await page.locator("#games").click();
  await page.getByRole("button", { name: "Open a game file" }).click();
  await page.getByLabel("PDN text").fill("1. 12-16 22-18 2. 16-20 *");
  await page.getByRole("button", { name: "Read" }).click();
  const review = page.locator("dialog.review");
  const playOn = review.getByRole("button", { name: "Play on from here" });
  await playOn.click();
  const question = page.locator("dialog.question");
  assert.match(await question.textContent(), /counts as forfeited/);
  await question.getByRole("button", { name: "Keep playing" }).click();
  assert.equal(await page.locator("#game").getAttribute("data-mode"), "play");
  await playOn.click();
  await question.getByRole("button", { name: "Play on from here" }).click();
  await page.locator("#game[data-mode=start]").waitFor();
  assert.notEqual(await page.locator("[name=position]").inputValue(), "");
  await play(page);
  assert.equal(await page.evaluate(() => JSON.parse(localStorage["crownhead.choices"]).position), "");
});

test("the usual position from the editor leaves the chosen opening in force", async () => {
  const page = await open({ choices: { ...two, opening: 1, position: "B:W18,32:B14" } });
  await page.getByRole("button", { name: "Set up a board" }).click();
  await page.getByRole("button", { name: "Usual position" }).click();
  await page.getByRole("button", { name: "Use this position" }).click();
  await page.waitForFunction(() => document.querySelector("[name=position]").value === "");
  await play(page);
  assert.equal(await page.locator("#moves .given").count(), 3);
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
  await editor.getByLabel("The position as text").fill("B:W99:B1");
  await editor.getByLabel("The position as text").blur();
  assert.match(await editor.locator(".trouble").textContent(), /99/);
  assert.equal(await editor.getByRole("button", { name: "Use this position" }).isDisabled(), true);
  await editor.getByRole("button", { name: "Clear" }).click();
  await editor.locator('[data-square="14"]').click();
  await editor.getByText("Red king").click();
  await editor.locator('[data-square="18"]').click();
  await editor.getByRole("button", { name: "Use this position" }).click();
  await play(page);
  await says(page, "You must jump: 14.");
});

test("a clock of one's own shows what is played", async () => {
  const page = await open({ choices: { ...two, minutes: 7, increment: 1 } });
  const minutes = page.getByLabel("Minutes");
  await minutes.fill("500");
  await minutes.blur();
  assert.equal(await minutes.inputValue(), "180");
});

test("a damaged game is set aside and told", async () => {
  const page = await open({ storage: { "crownhead.game": '{"id":"x","log":[{"v":1}],"alive":1}' } });
  await page.locator(".toast", { hasText: "was set aside" }).waitFor();
  assert.equal(await page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("crownhead.damaged."))), true);
  await page.locator(".toast").getByRole("button", { name: "Close" }).click();
  await play(page);
});

test("a browser that keeps nothing still plays, and says so", async () => {
  const page = await open();
  await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("no", "SecurityError"); } }));
  await page.reload();
  await play(page);
  await page.locator(".toast", { hasText: "does not let the page save anything" }).waitFor();
  await moves(page, [11, 15]);
});

test("a full storage is told once, and the game goes on", async () => {
  const page = await open({
    choices: two,
    script: () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("no", "QuotaExceededError");
      };
    },
  });
  await play(page);
  await page.locator(".toast", { hasText: "storage is full" }).waitFor();
  await moves(page, [11, 15], [22, 18], [15, 22]);
  assert.equal(await page.locator(".toast").count(), 1);
  assert.equal(await page.locator("#moves button").count(), 3);
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

test("a worker that dies while it thinks is replaced and the computer moves", async () => {
  const page = await open({
    choices: { level: 1 },
    script: () => {
      globalThis.killed = 0;
      globalThis.Worker = class extends Worker {
        postMessage(message, ...rest) {
          super.postMessage(message, ...rest);
          if (message.request?.method !== "carry_out" || globalThis.killed++ > 0) return;
          this.terminate();
          this.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
        }
      };
    },
  });
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  assert.equal(await page.locator("#moves button").count(), 2);
  assert.equal(await page.evaluate(() => globalThis.killed), 2);
});

test("a worker that cannot be started is told, and can be asked again", async () => {
  const page = await open({ choices: { level: 1 } });
  await page.context().route("**/worker.js", (route) => route.abort());
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await play(page);
  await moves(page, [11, 15]);
  const note = page.locator(".toast", { hasText: "The computer stopped thinking" });
  await note.waitFor();
  await page.context().unroute("**/worker.js");
  await note.getByRole("button", { name: "Try again" }).click();
  await turn(page);
  assert.equal(await page.locator("#moves button").count(), 2);
});

test("a part of the page that cannot be loaded is told, and the game goes on", async () => {
  const page = await open({ choices: two, serviceWorkers: "block" });
  await play(page);
  await page.route("**/screens/*.js", (route) => route.abort());
  await page.locator("#how").click();
  await page.locator(".toast", { hasText: "could not be loaded. Try again when you are connected." }).waitFor();
  await moves(page, [11, 15]);
  assert.equal(await page.locator("#moves button").count(), 1);
});

test("a breakdown of the rules is told, and the game goes on from its log", async () => {
  const page = await open({
    choices: two,
    script: () => {
      const instance = WebAssembly.Instance;
      WebAssembly.Instance = function (...given) {
        const { exports } = new instance(...given);
        const core = () => {
          if (!globalThis.breaks) return exports.core();
          globalThis.breaks = false;
          throw new Error("a test");
        };
        return { exports: { ...exports, core } };
      };
    },
  });
  await play(page);
  await moves(page, [11, 15], [22]);
  await page.evaluate(() => (globalThis.breaks = true));
  await moves(page, [18]);
  await says(page, /^Something went wrong inside the game: .*a test/);
  await moves(page, [18]);
  assert.equal(await page.locator("#moves button").count(), 2);
});

test("a claim without the tables says what is missing", async () => {
  const page = await open({ choices: { ...two, rulebook: "numbered", position: "B:WK32:BK1" }, serviceWorkers: "block" });
  await page.context().route("**/tables/**", (route) => route.abort());
  await play(page);
  await page.getByRole("button", { name: "Claim draw" }).click();
  await page.locator(".toast", { hasText: "The endgame tables could not be loaded." }).waitFor();
});

test("a game that is deleted is asked for once, does not count, and does not come back", async () => {
  const page = await open({ choices: { level: 1 } });
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  await resign(page);
  await page.locator("#end h2").waitFor();
  await page.locator("#games").click();
  const dialog = page.locator("dialog.games");
  assert.match(await dialog.locator("table").textContent(), /001/);
  await dialog.getByRole("button", { name: "Delete the game" }).click();
  await page.locator("dialog.question").getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("Games that you finish are listed here.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Open a game file");
  await page.keyboard.press("Escape");
  await page.locator("#end").getByRole("button", { name: "New game" }).click();
  await page.locator("#seat-bottom", { hasText: "Red" }).waitFor();
  assert.equal(await page.evaluate(() => localStorage["crownhead.finished"]), "[]");
});

test("a second tab on the same game is told and may take it over", async () => {
  const page = await open({ choices: two });
  await play(page);
  await moves(page, [11, 15]);
  const other = await page.context().newPage();
  await other.goto(site);
  await other.locator(".toast", { hasText: "another tab" }).waitFor();
  await other.getByRole("button", { name: "Play here" }).click();
  await page.locator(".toast", { hasText: "another tab" }).waitFor();
  await moves(other, [22, 18]);
  assert.equal(await other.locator("#moves button").count(), 2);
  await moves(page, [23, 19]);
  assert.equal(await page.locator("#moves button").count(), 1);
});

test("two tabs that both begin a game are told of each other, and neither loses its own", async () => {
  const page = await open({ choices: two });
  const other = await page.context().newPage();
  await other.goto(site);
  await play(page);
  await moves(page, [11, 15]);
  await play(other);
  await moves(other, [9, 13]);
  const note = page.locator(".toast", { hasText: "started a game in another tab" });
  await note.getByRole("button", { name: "Play here" }).click();
  await other.locator(".toast", { hasText: "another tab" }).waitFor();
  await moves(page, [22, 18]);
  await page.reload();
  await page.locator("#moves button").nth(1).waitFor();
  assert.match(await page.locator("#moves").textContent(), /11-1522-18/);
});

test("a tab that does not play the saved game cannot clear it away", async () => {
  const page = await open({ choices: two });
  await play(page);
  await moves(page, [11, 15]);
  const other = await page.context().newPage();
  await other.goto(site);
  await other.locator(".toast", { hasText: "another tab" }).getByRole("button", { name: "Close" }).click();
  await other.locator("#new-game").click();
  await other.getByRole("dialog").getByRole("button", { name: "Change options" }).click();
  await says(other, "This game is being played in another tab.");
  await page.reload();
  await page.locator("#moves button").first().waitFor();
  assert.equal(await page.locator("#moves button").count(), 1);
});
