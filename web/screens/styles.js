/** The style sheet of the screens, fetched with the first of them. */

import { el } from "../dom.js";

const link = el("link", { rel: "stylesheet", href: new URL("../screens.css", import.meta.url) });
await new Promise((resolve) => {
  link.onload = link.onerror = resolve;
  document.head.append(link);
});
