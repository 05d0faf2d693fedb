/** The style sheet of the screens, fetched with the first of them. */

import { addStylesheet } from "../dom.js";

await addStylesheet(new URL("../screens.css", import.meta.url));
