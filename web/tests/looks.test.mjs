// Every screen in both themes without an accessibility violation, and the figures that the page keeps to.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { moves, open, play, resign, square, turn } from "./browser.mjs";
import { exchange, friend, invite, invited } from "./link.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MAX_REQUESTS = 20;
const MAX_PAGE_BYTES = 50_000;
const MAX_WASM_BYTES = 300_000;
const MIN_TARGET_PX = 44;

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
    await page.getByRole("button", { name: "Review the game" }).click();
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
  invite: (page) => invite(page),
  "an invitation that waits": (page) => invited(page, "Anna"),
  "an invitation": async (page) => page.goto(await invited(await open(), "Anna")).then(() => page.locator(".lobby form").waitFor()),
  "a game over a link, with an offer": async (page) => {
    await invited(page, "Anna");
    const ben = await friend(page);
    await exchange(page, ben, [11, 15]);
    await ben.getByRole("button", { name: "Offer draw" }).click();
    await page.getByRole("button", { name: "Decline" }).waitFor();
  },
  "my games over a link": async (page) => {
    await invited(page, "Anna");
    await page.goto(new URL("/", page.url()).href);
    await page.getByText("My games over a link").waitFor();
  },
};

/** What is too small for a finger on the narrowest phone, what lies under something else there, and what is wider than its screen. */
async function misfits(page) {
  await page.setViewportSize({ width: 320, height: 568 });
  return page.evaluate((least) => {
    const scope = document.querySelector("dialog[open]") ?? document;
    const targets = [...scope.querySelectorAll("button, select, textarea, summary, input")].filter((target) => target.checkVisibility({ visibilityProperty: true }));
    const name = (target) => target.textContent || target.outerHTML;
    const small = targets
      .map((target) => ({ target, box: (target.type === "radio" ? target.nextElementSibling : target).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < least || box.height < least))
      .map(({ target, box }) => `${name(target)}: ${box.width} × ${box.height}`);
    const isReached = (target) => {
      const seen = target.type === "radio" ? target.parentElement : target;
      seen.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { x, y, width, height } = seen.getBoundingClientRect();
      return seen.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    };
    // What is under the result is not for now.
    const over = scope === document ? document.querySelector("#end:not([hidden])") : null;
    const hidden = targets.filter((target) => (over?.contains(target) ?? true) && !isReached(target)).map(name);
    const wide = [document.documentElement, ...document.querySelectorAll("dialog")].filter((box) => box.scrollWidth > 320);
    return { small, hidden, wide: wide.map((box) => `${box.className} ${box.scrollWidth}`) };
  }, MIN_TARGET_PX);
}

for (const colorScheme of ["light", "dark"]) {
  for (const [name, go] of Object.entries(screens)) {
    test(`no violation on the screen “${name}” in ${colorScheme}, and at 320 pixels all of it is in reach`, async () => {
      const page = await open({ colorScheme, choices: { level: 1 } });
      await go(page);
      await page.waitForTimeout(150);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(await misfits(page), { small: [], hidden: [], wide: [] });
    });
  }
}

for (const viewport of [{ width: 1280, height: 800 }, { width: 360, height: 740 }]) {
  test(`few requests and few bytes before the first move, and nothing shifts, at ${viewport.width} pixels`, async () => {
    const answers = [];
    // What the service worker fetches for later is not needed for the first move.
    const page = await open({
      viewport,
      motion: true,
      serviceWorkers: "block",
      onResponse: (response) => answers.push(response),
      script: () => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          // What moves because the player pressed something is no shift.
          for (const entry of list.getEntries()) globalThis.shift += entry.hadRecentInput ? 0 : entry.value;
        }).observe({ type: "layout-shift", buffered: true });
      },
    });
    await play(page);
    await moves(page, [11]);
    const before = [...answers];
    const bytes = async (pattern) => {
      const sizes = before.filter((answer) => pattern.test(answer.url())).map((answer) => answer.request().sizes());
      return (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    };
    const [text, wasm] = [await bytes(/\/$|\.(html|css|js)$/), await bytes(/\.wasm$/)];
    console.log(`before the first move: ${before.length} requests, ${text} bytes of HTML, CSS and JavaScript, ${wasm} of WebAssembly`);
    assert.ok(before.length <= MAX_REQUESTS, before.map((answer) => answer.url()).join("\n"));
    assert.ok(text > 0 && text <= MAX_PAGE_BYTES, String(text));
    assert.ok(wasm > 0 && wasm <= MAX_WASM_BYTES, String(wasm));
    const named = await page.locator("link[rel=modulepreload], script[type=module]").evaluateAll((all) => all.map((each) => each.href || each.src));
    assert.deepEqual(before.map((answer) => answer.url()).filter((url) => url.endsWith(".js")).sort(), named.sort());
    await moves(page, [15]);
    await page.waitForTimeout(800);
    assert.equal(await page.evaluate(() => globalThis.shift), 0);
  });
}

test("what is chosen under Options counts at once and is remembered", async () => {
  const page = await open();
  await page.locator("#options").click();
  await page.getByText("High contrast").click();
  await page.getByText("Dark", { exact: true }).click();
  await page.locator(".pick-numbers").getByText("On", { exact: true }).click();
  await page.reload();
  await page.locator("#board .piece").first().waitFor();
  assert.deepEqual(await page.evaluate(() => ({ ...document.documentElement.dataset })), { theme: "dark", board: "ink" });
  assert.equal(await page.locator("#board .number").first().isVisible(), true);
});

test("the states of a square differ by shape: none has the marks of another", async () => {
  const page = await open({ choices: { against: "two", position: "B:W18,32:B14,15,1" } });
  await play(page);
  const shape = (selector) =>
    page.locator(selector).first().evaluate((cell) => {
      const mark = getComputedStyle(cell.querySelector(".mark"));
      const corners = getComputedStyle(cell, "::after").content !== "none";
      const cross = getComputedStyle(cell.querySelector(".mark"), "::before").content !== "none";
      return JSON.stringify({ ring: mark.borderTopWidth, size: mark.width, corners, cross });
    });
  const shapes = [await shape("#board .must")];
  await square(page, 14).click();
  shapes.push(await shape("#board .jump"), await shape("#board .held"));
  await moves(page, [23]);
  shapes.push(await shape("#board .can"));
  await square(page, 32).click();
  shapes.push(await shape("#board .step"));
  assert.equal(new Set(shapes).size, 5, shapes.join("\n"));
});

for (const against of ["computer", "two"]) {
  for (const [width, height] of [[320, 568], [360, 740], [375, 667], [412, 915]]) {
    test(`all the questions are seen at once on ${width} × ${height}, against ${against}`, async () => {
      const page = await open({ viewport: { width, height }, choices: { against } });
      const covered = await page.locator("#start").evaluate((sheet) => {
        const play = sheet.querySelector(".go").getBoundingClientRect();
        return [...sheet.querySelectorAll("fieldset, .level, .names, summary")].filter((part) => part.getBoundingClientRect().bottom > play.top + 4).map((part) => part.className || part.textContent);
      });
      assert.deepEqual(covered, []);
    });
  }
}

for (const [width, height] of [[320, 568], [360, 740], [740, 360], [768, 1024], [1440, 900], [2560, 1440]]) {
  test(`the game fits on ${width} × ${height} without scrolling`, async () => {
    const page = await open({ viewport: { width, height }, choices: { against: "two" } });
    const fits = async (when) => {
      const box = await page.evaluate(() => ({ width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight }));
      assert.ok(box.width <= width && box.height <= height, `${when}: ${JSON.stringify(box)}`);
    };
    await play(page);
    await fits("at first");
    await page.getByRole("button", { name: "Offer draw" }).click();
    await page.locator(".offer").waitFor();
    await fits("with an offer");
    await page.getByRole("button", { name: "Decline" }).click();
    await fits("with a notice");
    await resign(page);
    await page.getByRole("button", { name: "Show the board" }).click();
    await fits("with the result put away");
  });
}
