/** The dialog that invites a friend to a game over a link, and the terms of an invitation in words. */

import { disc, el, pills } from "../dom.js";
import { openDialog } from "../screens/dialog.js";
import { bookOf, capital } from "../start.js";
import { invite, pathOf } from "./api.js";
import { sentenceOf } from "../wasm.js";
import "./styles.js";

/** @import { Store } from "../store.js" */
/** @import { Catalog, ClockRule, RulebookId, Side, Start } from "../types.js" */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** @type {ClockRule[]} */
const CLOCKS = [
  { kind: "game", initial_ms: 3 * MINUTE_MS, increment_ms: 2000 },
  { kind: "game", initial_ms: 5 * MINUTE_MS, increment_ms: 5000 },
  { kind: "game", initial_ms: 10 * MINUTE_MS, increment_ms: 10_000 },
  { kind: "move", limit_ms: DAY_MS },
  { kind: "move", limit_ms: 3 * DAY_MS },
  { kind: "move", limit_ms: 7 * DAY_MS },
];

/** A clock in words. @param {ClockRule} clock */
function clockWords(clock) {
  if (clock.kind === "game") return `${clock.initial_ms / MINUTE_MS} min + ${clock.increment_ms / 1000} s a move`;
  const days = clock.limit_ms / DAY_MS;
  return days === 1 ? "1 day a move" : `${days} days a move`;
}

/** What is played, in a sentence. @param {Start} start @param {Catalog} catalog */
export function termsOf({ rulebook, clock }, catalog) {
  const { title } = bookOf({ rulebook }, catalog);
  return `${title} rules, ${clock ? clockWords(clock) : "no clock"}.`;
}

/**
 * Asks what to play and opens the game's link.
 * @param {{catalog: Catalog, store: Store, rulebook: RulebookId, go: (path: string) => void}} services
 */
export function showInvite({ catalog, store, rulebook, go }) {
  /** @type {Side | "random"} */
  let colour = "random";
  const colours = el("div");
  const showColours = () => {
    const { colours: choice, black, white } = bookOf({ rulebook }, catalog);
    /** @type {[string, string, Node][]} */
    const options = [
      ["random", "Random", el("span", { class: "both" }, disc("black", black), disc("white", white))],
      ["black", `${capital(black)}, first`, disc("black", black)],
      ["white", capital(white), disc("white", white)],
    ];
    colours.replaceChildren(
      choice === "drawn"
        ? el("p", { class: "hint-text" }, "Colours are drawn for every game.")
        : pills("colour", "You play", options, colour, (value) => {
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
  const clocks = el("select", { name: "clock" }, el("option", { value: "" }, "None"), ...CLOCKS.map((clock, i) => el("option", { value: i }, clockWords(clock))));
  const name = el("input", { name: "name", value: store.linkName ?? "", maxlength: 32, autocomplete: "nickname" });
  const trouble = el("p", { class: "trouble", role: "alert" });
  const send = async () => {
    const clock = clocks.value ? CLOCKS[Number(clocks.value)] : undefined;
    try {
      const { id } = await invite({ rulebook, colour, name: name.value, ...(clock && { clock }) });
      store.linkName = name.value;
      go(pathOf(id));
    } catch (error) {
      trouble.textContent = sentenceOf(error);
    }
  };
  const form = el(
    "form",
    { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void send()) },
    colours,
    el("label", { class: "asked" }, el("span", { class: "legend" }, "Clock"), clocks),
    el("label", { class: "asked" }, el("span", { class: "legend" }, "Rules"), books),
    el("label", { class: "asked" }, el("span", { class: "legend" }, "Your name (optional)"), name),
    trouble,
    el("button", { class: "filled" }, "Make the link"),
  );
  const about = "You get a link to send to a friend. The first person to open it and press Join plays with you; anyone else can watch.";
  openDialog("Invite a friend", "invite", el("p", {}, about), form);
  showColours();
}
