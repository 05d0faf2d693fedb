/** The dialog that invites a friend to a game over a link, and the terms of an invitation in words. */

import { disc, el, pills } from "../dom.js";
import { openDialog } from "../screens/dialog.js";
import { bookOf, capital } from "../start.js";
import { invite, pathOf } from "./api.js";
import { sentenceOf } from "../wasm.js";
import "./styles.js";

/** @import { Store } from "../store.js" */
/** @import { Catalog, RulebookId, Side } from "../types.js" */

/**
 * Asks what to play and opens the game's link.
 * @param {{catalog: Catalog, store: Store, rulebook: RulebookId, go: (path: string) => void}} services
 */
export function showInvite({ catalog, store, rulebook, go }) {
  /** @type {Side | "random"} */
  let colour = "random";
  const colours = el("div");
  const showColours = () => {
    const { colour_choices, black, white } = bookOf({ rulebook }, catalog);
    /** @type {[string, string, Node][]} */
    const options = [
      ["random", "Random", el("span", { class: "both" }, disc("black", black), disc("white", white))],
      ["black", `${capital(black)}, first`, disc("black", black)],
      ["white", capital(white), disc("white", white)],
    ];
    colours.replaceChildren(
      colour_choices.length === 0
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
  const clocks = el("select", { name: "clock" }, el("option", { value: "" }, "None"), ...catalog.clocks.map(({ text }, i) => el("option", { value: i }, text)));
  const name = el("input", { name: "name", value: store.linkName ?? "", maxlength: 32, autocomplete: "nickname" });
  const trouble = el("p", { class: "trouble", role: "alert" });
  const send = async () => {
    const clock = clocks.value ? catalog.clocks[Number(clocks.value)]?.clock : undefined;
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
