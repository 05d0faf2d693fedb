/** The style sheet of games over a link, fetched with the first of their screens. */

import { addStylesheet } from "../dom.js";

await addStylesheet(new URL("./online.css", import.meta.url));
