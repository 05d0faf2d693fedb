/**
 * Before a game over a link: the link to send for the inviter, the way in for everybody else, and a word if there will be no
 * game. In the place of the start sheet.
 */

import { el } from "../dom.js";
import { copy } from "../screens/file.js";
import { join, linkOf } from "./server.js";
import { sentenceOf } from "../wasm.js";

/** @import { Table } from "../table.js" */
/** @import { Standing } from "./server.js" */

/**
 * For the inviter.
 * @param {Table} table
 * @param {Standing} standing
 * @param {() => Promise<void>} takeBack withdraws the invitation; what goes wrong is thrown as a sentence
 */
export function inviterSheet(table, { id, start }, takeBack) {
  const link = linkOf(id);
  const field = el("input", { readonly: true, value: link, "aria-label": "The link", onfocus: () => field.select() });
  const done = el("p", { class: "hint-text", role: "status" });
  const copied = async () => {
    if (!(await copy(link))) field.focus();
    done.textContent = document.activeElement === field ? "Copy it from the field." : "The link is copied.";
  };
  const trouble = el("p", { class: "trouble", role: "alert" });
  const withdraw = async () => {
    try {
      await takeBack();
    } catch (error) {
      // If the friend was faster the game is on, and this sheet is gone.
      if (trouble.isConnected) trouble.textContent = sentenceOf(error);
      else table.panel.say(sentenceOf(error));
    }
  };
  const onThisMachine = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return sheet(
    ["Waiting for your friend"],
    el("p", {}, "Send this link. The game begins when your friend opens it and presses Join."),
    el("div", { class: "link-field" }, field, el("button", { class: "filled", onclick: () => void copied() }, "Copy")),
    done,
    "share" in navigator && el("button", { class: "small", onclick: () => void navigator.share({ title: "A game of checkers", url: link }).catch(() => {}) }, "Share"),
    el("figure", {}, el("img", { src: `/api/games/${id}/qr`, alt: "The link as a QR code", width: 160, height: 160 }), el("figcaption", { class: "hint-text" }, "Or point a phone at this.")),
    onThisMachine && el("p", { class: "hint-text" }, "This link only works on this computer. For others, start Crownhead with --host 0.0.0.0 and open it by this computer's address in the network."),
    el("p", { class: "hint-text" }, table.core.terms(start)),
    meanwhile(),
    el("button", { class: "link", onclick: () => void withdraw() }, "Withdraw the invitation"),
    trouble,
  );
}

/**
 * For everybody, until the server tells what is at the link.
 * @param {HTMLElement} line whether one is connected
 * @param {boolean} isLong may it take long?
 */
export function arrivalSheet(line, isLong) {
  return sheet(["A game over a link"], line, isLong && meanwhile());
}

function meanwhile() {
  return el("a", { class: "link", href: "/" }, "Play something else meanwhile");
}

/** For whoever waited for a game that will not be. @param {string} sentence why */
export function withdrawnSheet(sentence) {
  return sheet(["No game this time"], el("p", {}, sentence), el("button", { class: "filled", onclick: () => location.assign("/") }, "Play something else"));
}

/**
 * For a guest.
 * @param {Table} table
 * @param {Standing} standing
 */
export function guestSheet(table, { id, start }) {
  const host = start.players[0].name;
  const name = el("input", { value: table.store.linkName ?? "", maxlength: 32, autocomplete: "nickname" });
  const trouble = el("p", { class: "trouble", role: "alert" });
  const take = async () => {
    try {
      await join(id, name.value);
      table.store.linkName = name.value;
    } catch (error) {
      trouble.textContent = sentenceOf(error);
    }
  };
  const form = el(
    "form",
    { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void take()) },
    el("label", { class: "asked" }, el("span", { class: "legend" }, "Your name, if you like"), name),
    trouble,
    el("button", { class: "filled" }, "Join"),
  );
  const title = host ? [el("bdi", {}, host), " invites you to a game"] : ["You are invited to a game"];
  return sheet(title, el("p", {}, table.core.terms(start)), form);
}

/** @param {(Node | string)[]} title @param {...(Node | string | false)} content */
function sheet(title, ...content) {
  return el("section", { class: "sheet lobby", "aria-labelledby": "lobby-title" }, el("h2", { id: "lobby-title" }, ...title), ...content);
}
