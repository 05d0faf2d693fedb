/** The style sheet of the boards other than the usual one, fetched with the first of them that is shown. */

import { dress } from "./dom.js";

await dress(new URL("./boards.css", import.meta.url));
