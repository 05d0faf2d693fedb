// Games over a link: how people invite, join and move, and how their line to the server is cut.
import { open, square } from "./browser.mjs";

export const LINK = /\/game\/[0-9A-Za-z]{22}$/;

/** Opens the form. */
export async function invite(page) {
  await page.getByRole("button", { name: "Invite a friend" }).click();
  await page.locator("dialog.invite").waitFor();
}

/** Invites with a name, to play Black, and gives the link. */
export async function invited(page, name) {
  await invite(page);
  const dialog = page.locator("dialog.invite");
  await dialog.getByText("Black, first").click();
  await dialog.getByLabel("Your name").fill(name);
  await dialog.getByRole("button", { name: "Make the link" }).click();
  await page.waitForURL(LINK);
  await page.locator(".lobby img").waitFor();
  return page.url();
}

/** Invites to something that the form does not offer, such as a very short clock. */
export async function invitedTo(page, terms) {
  const id = await page.evaluate(async (terms) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(terms) };
    return (await (await fetch("/api/games", init)).json()).id;
  }, terms);
  await page.goto(new URL(`/game/${id}`, page.url()).href);
  await page.locator(".lobby img").waitFor();
  return page.url();
}

/** Opens the link as somebody and joins. */
export async function joined(page, link, name) {
  await page.goto(link);
  await page.locator(".lobby").getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Join" }).click();
  await page.locator("#game[data-mode=play]").waitFor();
}

/** Somebody at the other end of the link, who has joined. */
export async function friend(page, link = page.url(), name = "Ben") {
  const other = await open({ storage: {} });
  await joined(other, link, name);
  await page.locator("#game[data-mode=play]").waitFor();
  return other;
}

/** Makes moves of the two in turn: each is a list of squares. */
export async function exchange(first, second, ...paths) {
  let [mover, other] = [first, second];
  for (const path of paths) {
    for (const number of path) await square(mover, number).click();
    await other.locator(`#moves [data-ply="${1 + paths.indexOf(path)}"]`).waitFor();
    [mover, other] = [other, mover];
  }
}

/** Waits until it is told who is there, and whether the line is up, in such words. */
export function told(page, hasText) {
  return page.locator(".presence", { hasText }).waitFor();
}

/** Lets the line of a page to its game be cut. To be called before the page comes to its link. */
export async function wire(page) {
  const lines = [];
  let isDown = false;
  await page.routeWebSocket(/\/live\?/, (line) => {
    if (isDown) return void line.close();
    lines.push([line, line.connectToServer()]);
  });
  const hangUp = () => Promise.all(lines.splice(0).flat().map((end) => end.close().catch(() => {})));
  return {
    /** Cuts it once; it comes back by itself. */
    cut: hangUp,
    /** Cuts it for good. */
    async down() {
      isDown = true;
      await hangUp();
    },
    up() {
      isDown = false;
    },
  };
}
