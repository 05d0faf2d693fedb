/** The style sheet of all boards but the default one, fetched when one of them is first shown. */

import { addStylesheet } from "./dom.js";

await addStylesheet(new URL("./boards.css", import.meta.url));
