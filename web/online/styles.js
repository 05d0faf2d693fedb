/** The style sheet of games over a link, fetched with the first of their screens. */

import { dress } from "../dom.js";

await dress(new URL("./online.css", import.meta.url));
