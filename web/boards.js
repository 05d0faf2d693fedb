/** The style sheet of the boards other than the usual one, fetched with the first of them that is shown. */

import { addStylesheet } from "./dom.js";

await addStylesheet(new URL("./boards.css", import.meta.url));
