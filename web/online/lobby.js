/**
 * The sheets beside the board before a game over a link: the link to send for the inviter, the form to join for others,
 * and a sentence if there is no game.
 */

import { el } from "../dom.js";
import { copy } from "../screens/file.js";
import { join, linkOf } from "./api.js";
import { sentenceOf } from "../wasm.js";

/** @import { Core } from "../core.js" */
/** @import { Store } from "../store.js" */
/** @import { GameInfo } from "./api.js" */

/**
 * For the inviter.
 * @param {Core} core
 * @param {GameInfo} info
 * @param {() => Promise<void>} takeBack withdraws the invitation; throws a sentence on failure
 * @param {(sentence: string) => void} say beside the board
 */
export function inviterSheet(core, { id, start }, takeBack, say) {
  const link = linkOf(id);
  const field = el("input", { readonly: true, value: link, "aria-label": "The link", onfocus: () => field.select() });
  const done = el("p", { class: "hint-text", role: "status" });
  const copied = async () => {
    if (!(await copy(link))) field.focus();
    done.textContent = document.activeElement === field ? "Copy it from here." : "Link copied.";
  };
  const trouble = el("p", { class: "trouble", role: "alert" });
  const withdraw = async () => {
    try {
      await takeBack();
    } catch (error) {
      // If the friend was faster the game is on, and this sheet is gone.
      if (trouble.isConnected) trouble.textContent = sentenceOf(error);
      else say(sentenceOf(error));
    }
  };
  const onThisMachine = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return sheet(
    ["Waiting for your friend"],
    el("p", {}, "Send this link. The game begins when your friend opens it and presses Join."),
    el("div", { class: "link-field" }, field, el("button", { class: "filled", onclick: () => void copied() }, "Copy")),
    done,
    "share" in navigator && el("button", { class: "small", onclick: () => void navigator.share({ title: "A game of checkers", url: link }).catch(() => {}) }, "Share"),
    el("figure", {}, el("img", { src: `/api/games/${id}/qr`, alt: "The link as a QR code", width: 160, height: 160 }), el("figcaption", { class: "hint-text" }, "Or scan this with a phone.")),
    onThisMachine && el("p", { class: "hint-text" }, "This link works only on this computer. To play from other devices, start Crownhead with --host 0.0.0.0 and open it at this computer's network address."),
    el("p", { class: "hint-text" }, core.terms(start)),
    meanwhile(),
    el("button", { class: "link", onclick: () => void withdraw() }, "Withdraw the invitation"),
    trouble,
  );
}

/**
 * For everyone, until the server says what is at the link.
 * @param {HTMLElement} presence says whether the page is connected
 * @param {boolean} isLong may it take a long time?
 */
export function arrivalSheet(presence, isLong) {
  return sheet(["A game over a link"], presence, isLong && meanwhile());
}

function meanwhile() {
  return el("a", { class: "link", href: "/" }, "Play something else in the meantime");
}

/** For a game that will not begin. @param {string} sentence why @param {(path: string) => void} go */
export function withdrawnSheet(sentence, go) {
  return sheet(["No game this time"], el("p", {}, sentence), el("button", { class: "filled", onclick: () => go("/") }, "Play something else"));
}

/**
 * For a guest.
 * @param {Core} core
 * @param {Store} store
 * @param {GameInfo} info
 */
export function guestSheet(core, store, { id, start }) {
  const host = start.players[0].name;
  const name = el("input", { value: store.linkName ?? "", maxlength: 32, autocomplete: "nickname" });
  const trouble = el("p", { class: "trouble", role: "alert" });
  const take = async () => {
    try {
      await join(id, name.value);
      store.linkName = name.value;
    } catch (error) {
      trouble.textContent = sentenceOf(error);
    }
  };
  const form = el(
    "form",
    { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void take()) },
    el("label", { class: "asked" }, el("span", { class: "legend" }, "Your name (optional)"), name),
    trouble,
    el("button", { class: "filled" }, "Join"),
  );
  const title = host ? [el("bdi", {}, host), " invites you to a game"] : ["You are invited to a game"];
  return sheet(title, el("p", {}, core.terms(start)), form);
}

/** @param {(Node | string)[]} title @param {...(Node | string | false)} content */
function sheet(title, ...content) {
  return el("section", { class: "sheet lobby", "aria-labelledby": "lobby-title" }, el("h2", { id: "lobby-title" }, ...title), ...content);
}
