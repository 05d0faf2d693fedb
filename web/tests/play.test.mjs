// Whole games on the real page: by mouse, keyboard and finger, and everything a player can do on the way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { moves, open, play, says, square, turn, wholeGame } from "./browser.mjs";

const results = /^(You win|You lose|A draw)\.$/;
const two = { against: "two" };

test("a whole game against level 1 by mouse", async () => {
  const page = await open({ choices: { level: 1 } });
  await play(page);
  assert.match(await wholeGame(page, (target) => target.click()), results);
  assert.deepEqual(page.troubles, []);
});

test("a whole game by touch at phone size", async () => {
  const page = await open({ choices: { level: 1 }, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  assert.match(await wholeGame(page, (target) => target.tap()), results);
  const scrolls = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
  assert.equal(scrolls, false);
});

test("the first move may be made on the board of the start screen", async () => {
  const page = await open({ choices: { level: 1 } });
  await moves(page, [11, 15]);
  await page.locator("#game[data-mode=play]").waitFor();
  await turn(page);
  assert.equal(await page.locator("#moves button").count(), 2);
  const drawn = await open({ choices: { level: 1, colour: "random" } });
  await moves(drawn, [11, 15]);
  assert.equal(await drawn.locator("#game[data-mode=start]").count(), 1);
});

test("at 320 pixels a finger beside a piece still means it", async () => {
  const page = await open({ choices: two, viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true });
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  const reach = 21.5;
  for (const [dx, dy] of [[reach, 0], [-reach, 0], [0, reach], [0, -reach]]) {
    const box = await square(page, 10).boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy);
    assert.equal(await page.locator("#board .square.held").getAttribute("data-square"), "10", `${dx}, ${dy}`);
    await square(page, 10).tap();
    assert.equal(await page.locator("#board .held").count(), 0);
  }
});

/** Goes to a square with the arrows and presses Enter. */
async function walkTo(page, target) {
  const wanted = await target.getAttribute("data-square");
  for (let steps = 0; steps < 20; steps++) {
    const key = await page.evaluate((number) => {
      const [here, there] = [document.activeElement, document.querySelector(`#board [data-square="${number}"]`)].map((cell) => ({
        row: [...cell.parentElement.parentElement.children].indexOf(cell.parentElement),
        place: [...cell.parentElement.children].indexOf(cell),
      }));
      if (here.row !== there.row) return here.row < there.row ? "ArrowDown" : "ArrowUp";
      if (here.place !== there.place) return here.place < there.place ? "ArrowRight" : "ArrowLeft";
      return "Enter";
    }, wanted);
    await page.keyboard.press(key);
    if (key === "Enter") return;
  }
  throw new Error("the arrows do not get there");
}

/** What the focus is on: the board, or the words of a button. */
const focused = (page) => page.evaluate(() => (document.activeElement.closest("#board") ? "the board" : document.activeElement.textContent));

test("a whole game by keyboard alone", async () => {
  const page = await open({ choices: { level: 1 } });
  while ((await focused(page)) !== "Play") await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("#game[data-mode=play]").waitFor();
  assert.match(await wholeGame(page, (target) => walkTo(page, target)), results);
  assert.equal(await focused(page), "New game");
});

test("the focus goes where the player goes, and the result can be opened again", async () => {
  const page = await open({ choices: two });
  const press = async (name, scope = page) => {
    await scope.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  await press("Play");
  assert.equal(await focused(page), "the board");
  await moves(page, [11, 15]);
  await press("Offer draw");
  await press("Decline");
  assert.equal(await focused(page), "the board");
  await press("New game");
  await press("Change options", page.getByRole("dialog"));
  await page.locator("#game[data-mode=start]").waitFor();
  assert.equal(await focused(page), "Play");
  await page.keyboard.press("Enter");
  await press("Resign");
  await press("Resign", page.getByRole("dialog"));
  await page.locator("#end h2").waitFor();
  assert.equal(await page.getByRole("button", { name: "Result" }).isVisible(), false);
  await press("Show the board");
  assert.equal(await focused(page), "the board");
  await press("Result");
  await page.locator("#end").waitFor();
  assert.equal(await focused(page), "New game");
  await page.keyboard.press("Enter");
  await page.locator("#end").waitFor({ state: "hidden" });
  assert.equal(await focused(page), "the board");
});

test("Escape lets go of a piece, and closes a dialog also from a board in it", async () => {
  const page = await open();
  await page.locator("#how").click();
  await page.locator(".rules [data-square='14']").first().focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".rules .piece.held").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".rules .piece.held").count(), 0);
  await page.goBack();
  await page.locator("summary").click();
  await page.getByRole("button", { name: "Set up a board" }).click();
  await page.locator("dialog.editor [data-square='14']").focus();
  await page.keyboard.press("Escape");
  await page.locator("dialog.editor").waitFor({ state: "detached" });
});

test("moves are typed and announced", async () => {
  const page = await open({ choices: two });
  await play(page);
  await square(page, 11).focus();
  await page.keyboard.type("11-15");
  await page.keyboard.press("Enter");
  assert.match(await page.locator("#live").textContent(), /Black moves from 11 to 15\. Red to move\./);
  await page.keyboard.type("24-25");
  await page.keyboard.press("Enter");
  await says(page, /24|25/);
});

test("a piece is lifted, let go of with Escape, and dragged", async () => {
  const page = await open({ choices: two });
  await play(page);
  await square(page, 11).click();
  assert.equal(await page.locator("#board .piece.held").count(), 1);
  assert.equal(await page.locator("#board .step").count(), 2);
  await square(page, 11).focus();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#board .piece.held").count(), 0);
  await square(page, 11).dragTo(square(page, 16));
  await says(page, "Red to move.");
});

test("a forced multiple jump goes landing by landing with ghosts and is carried through", async () => {
  const page = await open({ choices: { ...two, position: "B:W7,15,32:B2,12" } });
  await play(page);
  await says(page, "Black must jump: 2.");
  await square(page, 12).click();
  await says(page, "That man cannot move: another one has to jump.");
  await moves(page, [2, 11]);
  assert.equal(await page.locator("#board .piece.ghost").count(), 1);
  await square(page, 12).click();
  await says(page, "The jump goes on: 18.");
  await square(page, 18).click();
  assert.equal(await page.locator("#board .piece").count(), 3);
  assert.equal(await page.locator("#moves button").last().textContent(), "2x11x18".replace("x11", ""));
});

test("a jump that was begun goes on through a flip, an arrow, a click on the moves and a typed move", async () => {
  const page = await open({ choices: { ...two, position: "B:W7,15,32:B2,12" } });
  await play(page);
  await moves(page, [2, 11]);
  const held = () => page.locator("#board .square.held").getAttribute("data-square");
  await page.getByRole("button", { name: "Flip" }).click();
  assert.equal(await held(), "11");
  await page.keyboard.press("ArrowLeft");
  await says(page, "The jump goes on: 18.");
  await page.keyboard.type("12-16");
  await page.keyboard.press("Enter");
  await says(page, "The jump goes on: 18.");
  assert.equal(await held(), "11");
  await square(page, 18).click();
  assert.equal(await page.locator("#moves button").count(), 1);
});

test("a piece stays in hand when a hint is found", async () => {
  const page = await open({ choices: { level: 1 } });
  await play(page);
  await page.getByRole("button", { name: "Hint" }).click();
  await square(page, 11).click();
  await page.locator("#board .shaft").waitFor({ state: "attached" });
  assert.equal(await page.locator("#board .piece.held").count(), 1);
  assert.match(await page.locator("#live").textContent(), /^Hint: \d+-\d+\./);
});

test("a disc that is carried when the game ends lies on its square again", async () => {
  const page = await open({ choices: { ...two, minutes: 1 / 30 } });
  await play(page);
  const box = await square(page, 11).boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 80, box.y + 80);
  assert.equal(await page.locator("#board .carried").count(), 1);
  await page.locator("#end h2").waitFor();
  await page.mouse.up();
  assert.equal(await page.locator("#board .carried").count(), 0);
  assert.equal(await page.locator("#board .piece[style*=carry]").count(), 0);
});

test("a clock does not jump back when the board is flipped or looked back on", async () => {
  const page = await open({ choices: { ...two, minutes: 1 } });
  await play(page);
  await moves(page, [11, 15]);
  await page.waitForFunction(() => document.querySelector("#seat-top .clock").textContent !== "1:00");
  for (const press of ["#back", "#forth", "[data-name=flip]"]) {
    const text = await page.evaluate((button) => (document.querySelector(button).click(), document.querySelector(".turn .clock").textContent), press);
    assert.notEqual(text, "1:00", press);
  }
});

test("undo takes back both moves at level 3 and is refused at level 8", async () => {
  const page = await open({ choices: { level: 3 } });
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  assert.equal(await page.locator("#moves button").count(), 2);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await page.locator("#moves button").count(), 0);
  await page.getByRole("button", { name: "Redo" }).click();
  assert.equal(await page.locator("#moves button").count(), 2);

  const hard = await open({ choices: { level: 8, minutes: 1 } });
  await play(hard);
  await moves(hard, [11, 15]);
  // Playwright waits for buttons that say that they are off; a person does not.
  await hard.getByRole("button", { name: "Undo" }).click({ force: true });
  await says(hard, "Undo is off at the hardest level.");
});

test("resigning asks once, says why, and a new game begins with the colours exchanged", async () => {
  const page = await open({ choices: { level: 1 } });
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  await page.getByRole("button", { name: "Resign" }).click();
  assert.equal(await page.locator("#question").textContent(), "Do you resign? Red wins.");
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await page.locator("#end h2").waitFor();
  assert.equal(await page.locator("#end p").textContent(), "Red wins: Black resigned.");
  await page.locator("#end").getByRole("button", { name: "New game" }).click();
  await page.locator("#seat-bottom", { hasText: "You" }).waitFor();
  assert.match(await page.locator("#seat-bottom").textContent(), /Red/);
});

test("leaving a game in the middle asks once and counts as forfeited", async () => {
  const page = await open({ choices: { level: 1 } });
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  await page.locator("#new-game").click();
  assert.match(await page.locator("#question").textContent(), /counts as forfeited/);
  await page.getByRole("dialog").getByRole("button", { name: "New game" }).click();
  await page.waitForFunction(() => document.querySelector("#seat-bottom").textContent.includes("Red"));
  await page.locator("#games").click();
  assert.match(await page.locator(".entry").first().textContent(), /Black forfeited the game/);
});

test("a game that is left in the middle may be followed by other options", async () => {
  const page = await open({ choices: { level: 1 } });
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  await page.locator("#new-game").click();
  await page.getByRole("dialog").getByRole("button", { name: "Change options" }).click();
  await page.locator("#game[data-mode=start]").waitFor();
  await page.locator("#games").click();
  assert.match(await page.locator("dialog.games table").textContent(), /001/);
});

test("the computer answers an offer of a draw as the position is", async () => {
  const offered = async (position) => {
    const page = await open({ choices: { level: 3, position, colour: "black" } });
    await play(page);
    await page.getByRole("button", { name: "Offer draw" }).click();
    return page;
  };
  const even = await offered("B:WK32:BK1");
  assert.equal(await even.locator("#end p").textContent(), "Draw: both players agreed.");
  const lost = await offered("B:WK14,K19,K23:BK1");
  await lost.locator("#notice", { hasText: "The computer declines the draw." }).waitFor();
});

test("a man that reaches the far row is a king two discs high, and the turn is over", async () => {
  const page = await open({ motion: true, choices: { ...two, position: "B:W21,15:B26,10" } });
  await play(page);
  await moves(page, [10, 19]);
  await page.locator("#moves button").waitFor();
  await moves(page, [21, 17], [26, 31]);
  assert.match(await page.locator("#live").textContent(), /The man becomes a king\. Red to move\./);
  assert.equal(await page.locator("#board .disc.king .second").count(), 1);
  assert.equal(await page.locator("#board .disc.king .second").isVisible(), true);
});

/** Counts the sounds of a page. */
const counted = () => {
  globalThis.sounds = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...time) {
    globalThis.sounds += 1;
    start.apply(this, time);
  };
};

for (const [sound, motion] of [[true, true], [true, false], [false, true]]) {
  test(`sounds are ${sound ? "made" : "off"}, ${motion ? "with" : "without"} motion`, async () => {
    const page = await open({ motion, choices: two, options: { sound }, script: counted });
    await play(page);
    await moves(page, [11, 15]);
    await page.waitForTimeout(500);
    assert.equal((await page.evaluate(() => globalThis.sounds)) > 0, sound);
  });
}

test("nothing is made to sound that would have to wait for the first touch", async () => {
  const page = await open({ choices: two, script: counted });
  // What steers the page here counts as a touch.
  await page.evaluate(() => Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false } }));
  await play(page);
  await moves(page, [11, 15]);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => globalThis.sounds), 0);
});

test("a hint is drawn and gone with the next move", async () => {
  const page = await open({ choices: { level: 1 } });
  await play(page);
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator("#board .shaft").waitFor({ state: "attached" });
  await moves(page, [11, 15]);
  assert.equal(await page.locator("#board .shaft").count(), 0);
});

test("looking back shows the board of then and returns", async () => {
  const page = await open({ choices: two });
  await play(page);
  await moves(page, [11, 15], [22, 18], [15, 22]);
  const pieces = () => page.locator("#board .piece").count();
  assert.equal(await pieces(), 23);
  await page.locator("#moves button").first().click();
  assert.equal(await pieces(), 24);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await pieces(), 23);
  await says(page, /Red must jump/);
});

test("two at one screen give names, play in turn, flip and agree on a draw", async () => {
  const page = await open({ choices: two });
  await page.getByLabel("Name of player 1").fill("Ann");
  await page.getByLabel("Name of player 2").fill("Bob");
  await play(page);
  assert.match(await page.locator("#seat-bottom").textContent(), /Ann/);
  await moves(page, [11, 15], [23, 19]);
  await page.getByRole("button", { name: "Flip" }).click();
  assert.match(await page.locator("#seat-bottom").textContent(), /Bob/);
  await page.getByRole("button", { name: "Offer draw" }).click();
  await page.locator(".offer").getByRole("button", { name: "Accept" }).click();
  await page.locator("#end h2").waitFor();
  assert.equal(await page.locator("#end p").textContent(), "Draw: both players agreed.");
});

test("a clock runs and its end is the end", async () => {
  const page = await open({ choices: { ...two, minutes: 1 / 30 } });
  await play(page);
  await page.locator("#end h2").waitFor();
  assert.equal(await page.locator("#end p").textContent(), "Red wins: Black ran out of time.");
});

test("a reload in the middle of a game goes on with it", async () => {
  const page = await open({ choices: { level: 1 } });
  await play(page);
  await moves(page, [11, 15]);
  await turn(page);
  const before = await page.locator("#moves").textContent();
  await page.reload();
  await turn(page);
  assert.equal(await page.locator("#moves").textContent(), before);
});
