/** The style sheet of games over a link, fetched with the first of their screens. */

import { el } from "../dom.js";

document.head.append(el("link", { rel: "stylesheet", href: new URL("./online.css", import.meta.url) }));
