// Every screen in both themes without an accessibility violation, and the figures that the page keeps to.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { moves, open, play, turn } from "./browser.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MAX_REQUESTS = 20;
const MAX_PAGE_BYTES = 50_000;

/** What axe finds, in one line each. */
async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}

/** How to come to each screen from the start. */
const screens = {
  start: async () => {},
  "more options": (page) => page.locator("summary").click(),
  "two players": (page) => page.getByText("Two players").click(),
  game: async (page) => {
    await play(page);
    await moves(page, [11, 15]);
    await turn(page);
    await page.locator("#board .can, #board .must").first().click();
  },
  question: async (page) => {
    await play(page);
    await page.getByRole("button", { name: "Resign" }).click();
  },
  end: async (page) => {
    await screens.question(page);
    await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
    await page.locator("#end h2").waitFor();
  },
  review: async (page) => {
    await screens.end(page);
    await page.getByRole("button", { name: "Look through the game" }).click();
    await page.locator("dialog.review").waitFor();
  },
  games: async (page) => {
    await screens.end(page);
    await page.locator("#games").click();
  },
  options: (page) => page.locator("#options").click(),
  "how to play": (page) => page.locator("#how").click(),
  editor: async (page) => {
    await page.locator("summary").click();
    await page.getByRole("button", { name: "Set up a board" }).click();
  },
  "open a game": async (page) => {
    await page.locator("summary").click();
    await page.getByRole("button", { name: "Open a game file" }).click();
  },
};

for (const colorScheme of ["light", "dark"]) {
  for (const [name, go] of Object.entries(screens)) {
    test(`no violation on the screen “${name}” in ${colorScheme}`, async () => {
      const page = await open({ colorScheme, choices: { level: 1 } });
      await go(page);
      await page.waitForTimeout(150);
      assert.deepEqual(await violations(page), []);
      await page.context().close();
    });
  }
}

test("few requests and few bytes before the first move, and nothing shifts", async () => {
  const page = await open({ motion: true });
  const requests = [];
  const sizes = [];
  page.on("response", (response) => {
    requests.push(response.url());
    if (/\/$|\.(html|css|js)$/.test(response.url())) {
      // Pressed as the server presses it, whatever this one does.
      sizes.push(response.body().then((body) => brotliCompressSync(body).length));
    }
  });
  await page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      // What moves because the player pressed something is no shift.
      for (const entry of list.getEntries()) globalThis.shift += entry.hadRecentInput ? 0 : entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.reload();
  await page.locator("#board .piece").first().waitFor();
  await play(page);
  await moves(page, [11]);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  console.log(`before the first move: ${requests.length} requests, ${bytes} bytes of HTML, CSS and JavaScript`);
  assert.ok(requests.length <= MAX_REQUESTS, requests.join("\n"));
  assert.ok(bytes <= MAX_PAGE_BYTES, String(bytes));
  await moves(page, [15]);
  await page.waitForTimeout(800);
  assert.equal(await page.evaluate(() => globalThis.shift), 0);
});

for (const [width, height] of [[320, 568], [360, 740], [740, 360], [768, 1024], [1440, 900], [2560, 1440]]) {
  test(`the game fits on ${width} × ${height} without scrolling`, async () => {
    const page = await open({ viewport: { width, height } });
    await play(page);
    const box = await page.evaluate(() => ({ width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight }));
    assert.ok(box.width <= width && box.height <= height, JSON.stringify(box));
  });
}
