/** The invitation: what to play, and then the link to send. */

import { el, pills } from "../dom.js";
import { openDialog } from "../screens/dialog.js";
import { copy } from "../screens/file.js";
import { sentenceOf } from "../table.js";
import { invite, linkOf } from "./server.js";
import "./styles.js";

/** @import { Table } from "../table.js" */
/** @import { ClockRule, RulebookId, Side } from "../types.js" */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NAME = "crownhead.name";

/** @type {[string, ClockRule | null][]} */
const CLOCKS = [
  ["None", null],
  ["3 min + 2 s", { kind: "game", initial_ms: 3 * MINUTE_MS, increment_ms: 2000 }],
  ["5 min + 5 s", { kind: "game", initial_ms: 5 * MINUTE_MS, increment_ms: 5000 }],
  ["10 min + 10 s", { kind: "game", initial_ms: 10 * MINUTE_MS, increment_ms: 10_000 }],
  ["1 day a move", { kind: "move", limit_ms: DAY_MS }],
  ["3 days a move", { kind: "move", limit_ms: 3 * DAY_MS }],
  ["7 days a move", { kind: "move", limit_ms: 7 * DAY_MS }],
];

/** The name that this browser gives. */
export function myName() {
  try {
    return localStorage[NAME] ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name */
export function keepName(name) {
  try {
    localStorage[NAME] = name;
  } catch {
    // Then it is asked again next time.
  }
}

/** This browser has games over a link from now on. */
export function noteOnline() {
  try {
    localStorage["crownhead.online"] = "1";
  } catch {
    // Then the list is not shown.
  }
}

/** Asks what to play and opens the game's link. @param {Table} table */
export function showInvite(table) {
  const { catalog } = table.core;
  let { rulebook } = table.sheet.choices;
  /** @type {Side | "random"} */
  let colour = "random";
  const colours = el("div");
  const showColours = () => {
    const book = catalog.rulebooks.find(({ id }) => id === rulebook);
    const names = (/** @type {string} */ word) => word[0]?.toUpperCase() + word.slice(1);
    colours.hidden = book?.colours === "drawn";
    colours.replaceChildren(
      pills("colour", "You play", [["random", "Random"], ["black", `${names(book?.black ?? "")}, first`], ["white", names(book?.white ?? "")]], colour, (value) => {
        colour = /** @type {Side | "random"} */ (value);
      }),
    );
  };
  const books = el(
    "select",
    {
      name: "rulebook",
      onchange: () => {
        rulebook = /** @type {RulebookId} */ (books.value);
        showColours();
      },
    },
    ...catalog.rulebooks.map(({ id, title }) => el("option", { value: id, selected: id === rulebook }, title)),
  );
  const clocks = el("select", { name: "clock" }, ...CLOCKS.map(([text], i) => el("option", { value: i }, text)));
  const name = el("input", { name: "name", value: myName(), maxlength: 32, autocomplete: "nickname" });
  const trouble = el("p", { class: "trouble", role: "alert" });
  const send = async () => {
    keepName(name.value);
    const clock = CLOCKS[Number(clocks.value)]?.[1];
    try {
      const { id } = await invite({ rulebook, colour, name: name.value, ...(clock && { clock }) });
      noteOnline();
      location.assign(linkOf(id));
    } catch (error) {
      trouble.textContent = sentenceOf(error);
    }
  };
  openDialog(
    "Invite a friend",
    "invite",
    el("p", {}, "You get a link to send. Whoever opens it and presses Join plays with you; all others watch."),
    colours,
    el("label", { class: "field" }, el("span", { class: "legend" }, "Rules"), books),
    el("label", { class: "field" }, el("span", { class: "legend" }, "Clock"), clocks),
    el("label", { class: "field" }, el("span", { class: "legend" }, "Your name, if you like"), name),
    trouble,
    el("button", { class: "filled", onclick: () => void send() }, "Make the link"),
  );
  showColours();
}

/** The link, to be sent. @param {string} id */
export function linkCard(id) {
  const link = linkOf(id);
  const done = el("span", { role: "status" });
  const onThisMachine = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return el(
    "div",
    { class: "link-card" },
    el("p", {}, "Send this link to your friend. The game starts when they press Join."),
    el("input", { readonly: true, value: link, "aria-label": "The link", onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select() }),
    el("div", { class: "row" }, el("button", { class: "small", onclick: () => void copy(link).then((isDone) => (done.textContent = isDone ? "Copied." : "Copy it by hand.")) }, "Copy the link"), done),
    el("img", { src: `/api/games/${id}/qr`, alt: "The link as a QR code", width: 180, height: 180 }),
    onThisMachine && el("p", { class: "hint-text" }, "This address is only seen on this computer. For others, start Crownhead with --host 0.0.0.0 and open it by the computer's own address."),
  );
}
