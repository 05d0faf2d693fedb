/** The style sheet of the dialogs and screens, fetched with the first of them. */

import { addStylesheet } from "../dom.js";

await addStylesheet(new URL("../screens.css", import.meta.url));
