/** DOM helpers: elements, SVG, toasts, focus, and lazy loading of modules and style sheets. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element with attributes, listeners (`onclick: …`) and children. Skips children and attributes that are `null`,
 * `undefined` or `false`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  return /** @type {any} */ (filled(document.createElement(tag), attributes, children));
}

/**
 * The same for an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {any} */ (filled(document.createElementNS(SVG, tag), attributes, children));
}

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return children.filter((child) => child !== null && child !== undefined && child !== false);
}

/**
 * The element with this id, which must be in index.html.
 * @param {string} id
 */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Adds a style sheet, and waits until it is loaded or has failed.
 * @param {URL} href
 */
export function addStylesheet(href) {
  const link = el("link", { rel: "stylesheet", href });
  return new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}

/**
 * Loads a module and uses it. If it cannot be loaded, a toast says so.
 * @template Part, Result
 * @param {() => Promise<Part>} load
 * @param {(part: Part) => Result} use
 * @returns {Promise<Awaited<Result> | null>}
 */
export async function loadPart(load, use) {
  const part = await load().catch(() => null);
  if (part) return await use(part);
  toast("That part of the page could not be loaded. Try again when you are connected.");
  return null;
}

/**
 * Asks a question in a dialog. The first answer cancels, the last one confirms.
 * @param {string} question
 * @param {string[]} answers
 * @returns {Promise<string | undefined>} the answer that was given
 */
export async function ask(question, answers) {
  const answer = await loadPart(() => import("./screens/dialog.js"), (dialogs) => dialogs.ask(question, answers));
  return answer ?? answers[0];
}

/**
 * Shows a toast until it is closed, with buttons for its actions.
 * @param {string} sentence
 * @param {Record<string, () => void>} [actions]
 */
export function toast(sentence, actions = {}) {
  const buttons = Object.entries({ ...actions, Close: () => {} }).map(([label, action]) =>
    el("button", { class: "small", onclick: () => (box.remove(), action()) }, label),
  );
  const box = el("div", { class: "toast" }, el("p", {}, sentence), ...buttons);
  // An open dialog covers everything else, so the toast goes into it.
  const header = [...document.querySelectorAll("dialog[open] header")].at(-1);
  if (header) header.after(el("div", { role: "alert" }, box));
  else byId("toasts").append(box);
}

/**
 * Moves the focus to an element if the focused one is gone.
 * @param {string} selector
 */
export function refocus(selector) {
  const { activeElement: active } = document;
  if (active && active !== document.body && active.checkVisibility({ visibilityProperty: true })) return;
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus({ preventScroll: true });
}

/** The square of the main board that has the tab stop. */
export const BOARD_STOP = "#board [tabindex='0']";

/**
 * An icon from the page's SVG symbols.
 * @param {string} name
 */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("use", { href: `#${name}` }));
}

/**
 * A disc as on the board. The two sides also differ in pattern: rings and a star.
 * @param {"black" | "white"} side
 * @param {string} colour
 * @param {boolean} king
 */
export function disc(side, colour, king = false) {
  const pattern = side === "black" ? "rings" : "star";
  return svg(
    "svg",
    { class: `disc ${pattern} ${colour}${king ? " king" : ""}`, viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("use", { class: "shadow", href: "#shadow" }),
    svg("g", { class: "body" }, svg("use", { class: "first", href: `#man-${pattern}` }), king && crown(side)),
  );
}

/**
 * The second disc of a king, with the crown.
 * @param {"black" | "white"} side
 */
export function crown(side) {
  return svg("g", { class: "second" }, svg("use", { href: `#king-${side === "black" ? "rings" : "star"}` }));
}

/**
 * A group of radio buttons, shown side by side.
 * @param {string} name
 * @param {string} legend
 * @param {[string, string, Node?][]} options value, text, drawing
 * @param {string} value
 * @param {(value: string) => void} onChange
 */
export function pills(name, legend, options, value, onChange) {
  const pill = (/** @type {[string, string, Node?]} */ [key, text, drawing]) =>
    el(
      "label",
      {},
      el("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onChange(key) }),
      el("span", {}, drawing, text),
    );
  return el("fieldset", { class: `pills pick-${name}` }, el("legend", { class: "legend" }, legend), ...options.map(pill));
}

/**
 * Scrolls a list, but not the page, until an entry is visible.
 * @param {HTMLElement} list
 * @param {HTMLElement} entry
 */
export function reveal(list, entry) {
  const [outer, inner] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
  list.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
}
