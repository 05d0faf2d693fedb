/** The start sheet beside the board: the choices for a new game, such as opponent, level, colour and clock. */

import { disc, el, pills } from "./dom.js";

/** @import { Catalog, RulebookId, Side, Start } from "./types.js" */
/** @import { Choices } from "./store.js" */

/**
 * @typedef {object} Hooks
 * @property {(choices: Choices) => void} onChange
 * @property {() => void} onPlay
 * @property {() => void} onSetUp opens the position editor
 * @property {() => void} onOpen opens a game from a file
 * @property {() => void} onInvite invites a friend to a game over a link
 */

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/**
 * The colour that the choices result in.
 * @param {Choices} choices
 * @param {Catalog} catalog
 * @returns {Side | "random"}
 */
export function colourOf(choices, catalog) {
  const { colour_choices, usual_colour } = bookOf(choices, catalog);
  return colour_choices.find((choice) => choice === choices.colour) ?? usual_colour;
}

/**
 * The game that the choices describe.
 * @param {Choices} choices
 * @param {Catalog} catalog
 * @param {number} seed
 * @returns {Start}
 */
export function startOf(choices, catalog, seed) {
  const { against, level, minutes, increment, names, opening, position } = choices;
  const isAlone = against === "computer";
  return {
    rulebook: choices.rulebook,
    players: [
      { kind: "human", name: isAlone ? "" : names[0] },
      isAlone ? { kind: "computer", level } : { kind: "human", name: names[1] },
    ],
    colour: colourOf(choices, catalog),
    ...(minutes > 0 && { clock: { kind: "game", initial_ms: minutes * MINUTE_MS, increment_ms: increment * SECOND_MS } }),
    ...(opening !== "none" && !position && { opening }),
    ...(position && { position }),
    seed,
  };
}

/** The colour with a capital letter, for the beginning of a sentence or as a name. @param {string} colour */
export const capital = (colour) => colour.charAt(0).toUpperCase() + colour.slice(1);

/**
 * The chosen rule book; the first one if it no longer exists.
 * @param {{rulebook?: RulebookId}} choices
 * @param {Catalog} catalog
 */
export function bookOf({ rulebook }, catalog) {
  return catalog.rulebooks.find(({ id }) => id === rulebook) ?? /** @type {Catalog["rulebooks"][number]} */ (catalog.rulebooks[0]);
}

/** The start sheet. */
export class StartSheet {
  /**
   * @param {HTMLElement} root a form
   * @param {Catalog} catalog
   * @param {Choices} choices
   * @param {Hooks} hooks
   */
  constructor(root, catalog, choices, hooks) {
    this.root = root;
    this.catalog = catalog;
    this.choices = choices;
    this.hooks = hooks;
    /** Why the choices are invalid. */
    this.trouble = el("p", { class: "trouble", role: "alert" });
    this.play = el("button", { class: "filled", type: "submit" }, "Play");
    /** Games over a link in which it is the player's move. */
    this.calls = el("div", { class: "friends calls" });
    /** The other games over a link. */
    this.friends = el("div", { class: "friends" }, el("button", { type: "button", class: "invite-button", onclick: hooks.onInvite }, "Invite a friend"));
    root.addEventListener("submit", (event) => {
      event.preventDefault();
      hooks.onPlay();
    });
    this.#build(false);
  }

  /** @param {Partial<Choices>} change @param {boolean} rebuild do the questions change with it? */
  #choose(change, rebuild = false) {
    this.choices = { ...this.choices, ...change };
    if (rebuild) this.#build(true);
    this.hooks.onChange(this.choices);
  }

  /** Applies choices made elsewhere, and unfolds the part that shows them. @param {Partial<Choices>} change */
  choose(change) {
    this.root.querySelector("details")?.toggleAttribute("open", true);
    this.#choose(change, true);
  }

  /** @param {boolean} again */
  #build(again) {
    const isOpen = this.root.querySelector("details")?.open ?? this.#isUnusual();
    const focus = again && document.activeElement instanceof HTMLElement ? document.activeElement : null;
    const { against } = this.choices;
    this.root.replaceChildren(
      this.calls,
      pills("against", "Play against", [["computer", "Computer"], ["two", "Two players"]], against, (value) =>
        this.#choose({ against: /** @type {Choices["against"]} */ (value) }, true),
      ),
      against === "computer" ? this.#level() : this.#names(),
      this.#colour(),
      this.#more(isOpen),
      this.trouble,
      el("div", { class: "go" }, this.play),
      this.friends,
    );
    const { name, value } = /** @type {{name?: string, value?: string}} */ (focus ?? {});
    if (name) /** @type {HTMLElement | null} */ (this.root.querySelector(`[name="${name}"]${focus?.matches("[type=radio]") ? `[value="${value}"]` : ""}`))?.focus();
  }

  /** Would the folded part hide a choice that is not the default? */
  #isUnusual() {
    const { rulebook, minutes, opening, position } = this.choices;
    return rulebook !== "american" || minutes > 0 || opening !== "none" || position !== "";
  }

  #level() {
    const show = () => {
      const level = this.catalog.levels[this.choices.level - 1];
      name.textContent = level?.name ?? "";
      about.textContent = level?.summary ?? "";
      slider.setAttribute("aria-valuetext", `${level?.number}, ${level?.name}`);
    };
    const name = el("output", { class: "level-name" });
    const about = el("p", { class: "hint-text" });
    const slider = el("input", {
      type: "range", name: "level", min: 1, max: this.catalog.levels.length, value: this.choices.level, "aria-label": "How strong",
      oninput: () => {
        this.#choose({ level: Number(slider.value) });
        show();
      },
    });
    show();
    return el("div", { class: "level" }, el("div", { class: "row" }, el("span", { class: "legend" }, "How strong"), name), slider, about);
  }

  #names() {
    const field = (/** @type {0 | 1} */ i) => {
      const input = el("input", {
        name: `name-${i}`, "aria-label": `Name of player ${i + 1}`, placeholder: i === 0 ? "First player" : "Second player",
        maxlength: 32, value: this.choices.names[i], autocomplete: "off",
        oninput: () => {
          /** @type {[string, string]} */
          const names = [...this.choices.names];
          names[i] = input.value;
          this.#choose({ names });
        },
      });
      return input;
    };
    return el("div", { class: "names" }, field(0), field(1));
  }

  #colour() {
    const book = bookOf(this.choices, this.catalog);
    const legend = this.choices.against === "computer" ? "Your colour" : "First player's colour";
    if (book.colour_choices.length === 0) {
      return el("p", { class: "hint-text" }, "Colours are drawn for every game.");
    }
    /** @type {[string, string, Node][]} */
    const options = [
      ["black", capital(book.black), disc("black", book.black)],
      ["white", capital(book.white), disc("white", book.white)],
      ["random", "Random", el("span", { class: "both" }, disc("black", book.black), disc("white", book.white))],
    ];
    return pills("colour", legend, options, colourOf(this.choices, this.catalog), (value) =>
      this.#choose({ colour: /** @type {Choices["colour"]} */ (value) }),
    );
  }

  /** @param {boolean} isOpen */
  #more(isOpen) {
    const { rulebook, opening, position } = this.choices;
    const fen = el("input", {
      name: "position", value: position, placeholder: "B:W21-32:B1-12", spellcheck: "false", autocomplete: "off",
      oninput: () => this.#choose({ position: fen.value.trim() }),
    });
    const openings = this.catalog.openings.map(({ number, name, moves }) => [String(number), `${number}. ${moves.join(" ")}${name ? ` · ${name}` : ""}`]);
    return el(
      "details",
      { open: isOpen },
      el("summary", {}, "More options"),
      labelled("Rules", this.#select("rulebook", this.catalog.rulebooks.map(({ id, title }) => [id, title]), rulebook, (value) =>
        this.#choose({ rulebook: /** @type {Choices["rulebook"]} */ (value) }, true),
      )),
      el("p", { class: "hint-text" }, bookOf(this.choices, this.catalog).summary),
      labelled("Clock", this.#clock()),
      labelled("Opening", this.#select("opening", [["none", "Free choice"], ["random", "Three random moves"], ...openings], String(opening), (value) =>
        this.#choose({ opening: value === "none" || value === "random" ? value : Number(value) }),
      )),
      labelled("Position", fen),
      el(
        "div",
        { class: "row links" },
        el("button", { type: "button", class: "link", onclick: this.hooks.onSetUp }, "Set up a board"),
        el("button", { type: "button", class: "link", onclick: this.hooks.onOpen }, "Open a game file"),
      ),
    );
  }

  #clock() {
    const { minutes, increment } = this.choices;
    const presets = [["0,0", "None"]];
    for (const { clock, text } of this.catalog.clocks) {
      if (clock.kind === "game") presets.push([`${clock.initial_ms / MINUTE_MS},${clock.increment_ms / SECOND_MS}`, text]);
    }
    const isPreset = presets.some(([value]) => value === `${minutes},${increment}`);
    const select = this.#select("clock", [...presets, ["own", "Your own"]], isPreset ? `${minutes},${increment}` : "own", (value) => {
      const [m = 7, s = 1] = value === "own" ? [] : value.split(",").map(Number);
      this.#choose({ minutes: m, increment: s }, true);
    });
    if (isPreset) return select;
    const number = (/** @type {"minutes" | "increment"} */ key, /** @type {string} */ label, /** @type {number} */ min, /** @type {number} */ max) => {
      const input = el("input", {
        type: "number", name: key, "aria-label": label, min, max, value: this.choices[key],
        oninput: () => this.#choose({ [key]: Math.min(max, Math.max(min, Math.round(Number(input.value)) || min)) }),
        onchange: () => (input.value = String(this.choices[key])),
      });
      return input;
    };
    const own = [number("minutes", "Minutes", 1, 180), el("span", {}, "min +"), number("increment", "Seconds a move", 0, 180), el("span", {}, "s")];
    return el("span", { class: "own-clock" }, select, ...own);
  }

  /**
   * @param {string} name
   * @param {string[][]} options
   * @param {string} value
   * @param {(value: string) => void} onChange
   */
  #select(name, options, value, onChange) {
    const select = el(
      "select",
      { name, onchange: () => onChange(select.value) },
      ...options.map(([key, text = ""]) => el("option", { value: key, selected: key === value }, text)),
    );
    return select;
  }
}

/**
 * A control, or a group whose first control is the main one, with a label.
 * @param {string} text
 * @param {HTMLElement} control
 */
function labelled(text, control) {
  const isOne = control.matches("input, select");
  if (!isOne) control.firstElementChild?.setAttribute("aria-label", text);
  return el(isOne ? "label" : "div", { class: "labelled" }, el("span", { class: "legend" }, text), control);
}
