/** The panel around the board: the two players, the status line, the move list and the buttons. */

import { BOARD_STOP, byId, disc, el, fill, icon, refocus, reveal } from "./dom.js";
import { other } from "./board/scene.js";
import { capital } from "./start.js";

/** @import { ButtonName, Catalog, Offer, Seat, Side, View } from "./types.js" */

/**
 * The callbacks of the panel.
 * @typedef {object} Actions
 * @property {(name: ButtonName | "flip") => void} press
 * @property {(offer: Offer, accept: boolean) => void} answer
 * @property {() => void} stillHere
 * @property {(plies: number) => void} look
 * @property {(text: string) => string | null} type returns why the move was refused
 * @property {() => void} result shows the result again
 * @property {(ms: number) => string} clockText formats the remaining time
 */

/** @type {{name: ButtonName | "flip", label: string, icon: string}[]} */
const BUTTONS = [
  { name: "undo", label: "Undo", icon: "undo" },
  { name: "redo", label: "Redo", icon: "redo" },
  { name: "hint", label: "Hint", icon: "hint" },
  { name: "ask_takeback", label: "Take back?", icon: "undo" },
  { name: "offer_draw", label: "Offer draw", icon: "draw" },
  { name: "claim_draw", label: "Claim draw", icon: "claim" },
  { name: "abandon", label: "No result", icon: "abandon" },
  { name: "claim_forfeit", label: "Claim forfeit", icon: "claim" },
  { name: "ask_still_there", label: "Still there?", icon: "claim" },
  { name: "resign", label: "Resign", icon: "resign" },
  { name: "flip", label: "Flip", icon: "flip" },
];

/** The player's own pending offers. @type {Record<Offer, string>} */
const ASKED = {
  draw: "You offered a draw.",
  abandon: "You asked to leave the game without a result.",
  takeback: "You asked to take the move back.",
  rematch: "You asked for another game; wait for the answer.",
};

/** A running clock with less time is shown in red. */
const LOW_MS = 20_000;

/**
 * The number of a side's discs beside the board: those captured, minus those that crown its kings.
 * @param {View} view
 * @param {Side} side
 */
export function trayCount(view, side) {
  const { men, kings } = view.players[other(side)].captured;
  const crowned = view.pieces.filter((piece) => piece.side === side && piece.king).length;
  return Math.max(0, men + kings - crowned);
}

/**
 * The text for a player.
 * @param {View} view
 * @param {Side} side
 * @param {Catalog} catalog
 */
export function seatWords(view, side, catalog) {
  const { name, colour, level } = view.players[side];
  const shownColour = capital(colour);
  if (level !== null) return { name, about: catalog.levels[level - 1]?.name ?? "" };
  const isAlone = view.players[other(side)].level !== null;
  if (name === shownColour) return isAlone ? { name: "You", about: shownColour } : { name, about: "" };
  return { name, about: shownColour };
}

/** The panel. */
export class Panel {
  /** @type {View | null} */
  #view = null;
  #said = "";
  #listed = "";
  #offered = "";
  /** What the seats show, so that they are redrawn only when it changes. @type {WeakMap<HTMLElement, string>} */
  #seated = new WeakMap();
  #ticking = 0;
  /** On one screen, or over a link. @type {"screen" | "link"} */
  place = "screen";
  /** When the clocks of the view were read. */
  #readAt = 0;

  /**
   * @param {Catalog} catalog
   * @param {Actions} actions
   */
  constructor(catalog, actions) {
    this.catalog = catalog;
    this.actions = actions;
    this.seats = { top: byId("seat-top"), bottom: byId("seat-bottom") };
    this.typed = /** @type {HTMLInputElement} */ (byId("typed"));
    byId("buttons").append(...BUTTONS.map((button) => this.#newButton(button)));
    byId("moves").addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target.closest("[data-ply]") : null;
      if (target instanceof HTMLElement) actions.look(Number(target.dataset.ply));
    });
    byId("back").addEventListener("click", () => actions.look((this.#view?.shown ?? 0) - 1));
    byId("forth").addEventListener("click", () => actions.look((this.#view?.shown ?? 0) + 1));
    this.typed.addEventListener("keydown", (event) => this.#onTyped(event));
    this.typed.addEventListener("blur", () => this.#closeTyped());
  }

  /**
   * Shows a view.
   * @param {View} view
   * @param {Side} bottom
   */
  update(view, bottom) {
    this.#view = view;
    this.#said = "";
    this.#readAt = performance.now();
    this.#seat(this.seats.top, view, other(bottom));
    this.#seat(this.seats.bottom, view, bottom);
    this.#sentence();
    this.#moves(view);
    this.#buttons(view);
    clearInterval(this.#ticking);
    if (view.wake_at !== null) this.#ticking = window.setInterval(() => this.#tick(), 100);
  }

  /** Updates which buttons are enabled. @param {View} view */
  refreshButtons(view) {
    this.#buttons(view);
  }

  /** Shows a sentence until the next event. @param {string} sentence */
  say(sentence) {
    this.#said = sentence;
    this.#sentence();
    this.announce(sentence);
  }

  /** Announces a text to screen readers. @param {string} text */
  announce(text) {
    const live = byId("live");
    // Screen readers skip a text that has not changed.
    live.textContent = live.textContent === text ? `${text}\u00a0` : text;
  }

  /** The pending offers, for the player who answers and the one who waits. @param {View} view */
  offers({ offers, you }) {
    const isMine = (/** @type {Side} */ by) => this.place === "link" && by === you;
    return offers.filter(({ by, answerable }) => answerable || isMine(by)).map((each) => (each.answerable ? each : { ...each, sentence: ASKED[each.offer] }));
  }

  /** The place of a side's captured discs. @param {Side} side @returns {DOMRect | null} */
  tray(side) {
    const tray = document.querySelector(`.tray[data-of="${side}"]`);
    return tray?.getBoundingClientRect() ?? null;
  }

  /** Opens the field for a typed move. @param {string} text */
  type(text) {
    this.typed.hidden = false;
    this.typed.value = text;
    this.typed.focus();
  }

  /**
   * @param {HTMLElement} root
   * @param {View} view
   * @param {Side} side
   */
  #seat(root, view, side) {
    const seat = view.players[side];
    const { name, about } = seatWords(view, side, this.catalog);
    const isTurn = view.turn === side;
    const clock = seat.clock && this.actions.clockText(seat.clock.left_ms);
    root.classList.toggle("turn", isTurn);
    const { men, kings } = seat.captured;
    const turn = isTurn && (view.thinking ? "is thinking" : "to move");
    const shown = [side, seat.colour, name, about, turn, trayCount(view, other(side)), men + kings, clock].join("|");
    if (this.#seated.get(root) === shown) return;
    this.#seated.set(root, shown);
    fill(
      root,
      disc(side, seat.colour),
      el("bdi", { class: "name" }, name),
      el("span", { class: "about" }, about),
      turn && el("span", { class: "quiet" }, turn),
      this.#tray(view, other(side)),
      clock && el("span", { class: "clock", role: "timer", "data-side": side }, clock),
    );
  }

  /** @param {View} view @param {Side} of */
  #tray(view, of) {
    const { men, kings } = view.players[other(of)].captured;
    const discs = Array.from({ length: trayCount(view, of) }, () => disc(of, view.players[of].colour));
    const words = men + kings === 0 ? "" : `, has captured ${men + kings}`;
    return el("span", { class: "tray", "data-of": of }, ...discs, el("span", { class: "quiet" }, words));
  }

  #tick() {
    const passed = performance.now() - this.#readAt;
    for (const clock of document.querySelectorAll(".clock")) {
      const side = /** @type {Side} */ (/** @type {HTMLElement} */ (clock).dataset.side);
      const time = this.#view?.players[side].clock;
      if (!time) continue;
      const left = Math.max(0, time.left_ms - (time.running ? passed : 0));
      clock.classList.toggle("low", time.running && left < LOW_MS);
      const text = this.actions.clockText(left);
      if (clock.textContent !== text) clock.textContent = text;
    }
  }

  #sentence() {
    const view = this.#view;
    if (!view) return;
    const isBack = view.shown < view.list.length;
    const back = `After ${view.shown === 0 ? "no move" : `move ${view.shown}`} of ${view.list.length}.`;
    byId("sentence").textContent = this.#said || (isBack ? back : view.status);
    byId("status").classList.toggle("urgent", !this.#said && view.your_turn && view.must_jump.length > 0);
    byId("notice").textContent = this.#said ? "" : (view.notice ?? "");
    this.#offers(view);
  }

  /** Draws the pending offers, and the button that shows the result again. @param {View} view */
  #offers(view) {
    const { outcome, still_there: question } = view;
    const open = this.offers(view);
    const offered = [...open.map(({ sentence }) => sentence), question?.sentence, outcome?.sentence].join("|");
    if (offered === this.#offered) return;
    this.#offered = offered;
    const small = (/** @type {string} */ label, /** @type {() => void} */ onclick) => el("button", { class: "small", onclick }, label);
    const answers = open.map(({ offer, sentence, answerable }) =>
      el(
        "div",
        { class: "offer" },
        el("span", {}, sentence),
        answerable && small("Accept", () => this.actions.answer(offer, true)),
        answerable && small("Decline", () => this.actions.answer(offer, false)),
      ),
    );
    const stillHere = question?.answerable && small("I'm here", this.actions.stillHere);
    const asked = question && el("div", { class: "offer" }, el("span", {}, question.sentence), stillHere);
    const hadFocus = byId("offers").contains(document.activeElement);
    fill(byId("offers"), asked, ...answers, outcome && small("Result", this.actions.result));
    if (hadFocus) refocus(BOARD_STOP);
  }

  /** @param {View} view */
  #moves(view) {
    const list = byId("moves");
    const listed = view.list.map(({ text }) => text).join(" ");
    if (listed !== this.#listed || !list.firstChild) {
      this.#listed = listed;
      /** @type {Map<number, HTMLElement>} */
      const rows = new Map();
      view.list.forEach(({ number, side, text, given }, i) => {
        const row = rows.get(number) ?? el("li", {}, el("span", { class: "count" }, `${number}.`));
        rows.set(number, row);
        if (row.childElementCount === 1 && side === "white") row.append(el("span", { class: "none" }, "…"));
        row.append(el("button", { "data-ply": i + 1, class: given ? "given" : null, tabindex: "-1" }, text));
      });
      list.replaceChildren(...rows.values());
    }
    for (const button of list.querySelectorAll("[data-ply]")) {
      const isShown = Number(/** @type {HTMLElement} */ (button).dataset.ply) === view.shown;
      if (isShown) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      button.setAttribute("tabindex", isShown ? "0" : "-1");
      // Deferred, so that one move causes only one layout.
      if (isShown) requestAnimationFrame(() => reveal(list, /** @type {HTMLElement} */ (button)));
    }
    byId("opening").textContent = view.opening ? view.opening.name : "";
    byId("back").toggleAttribute("disabled", view.shown === 0);
    byId("forth").toggleAttribute("disabled", view.shown === view.list.length);
  }

  /** @param {View} view */
  #buttons(view) {
    for (const element of byId("buttons").querySelectorAll("button")) {
      const name = /** @type {ButtonName | "flip"} */ (element.dataset.name);
      if (name === "flip") continue;
      const { exists, enabled, why_not } = view.buttons[name];
      element.hidden = !exists;
      element.setAttribute("aria-disabled", String(!enabled));
      element.title = why_not ?? "";
    }
  }

  /** @param {typeof BUTTONS[number]} button */
  #newButton({ name, label, icon: drawing }) {
    return el("button", { "data-name": name, onclick: () => this.actions.press(name) }, icon(drawing), el("span", {}, label));
  }

  /** @param {KeyboardEvent} event */
  #onTyped(event) {
    if (event.key === "Escape") this.#closeTyped();
    if (event.key !== "Enter") return;
    const refusal = this.actions.type(this.typed.value.trim());
    if (refusal) this.say(refusal);
    else this.#closeTyped();
  }

  #closeTyped() {
    const hadFocus = document.activeElement === this.typed;
    this.typed.hidden = true;
    if (hadFocus) refocus(BOARD_STOP);
  }
}
