/** The style sheet of the screens, fetched with the first of them. */

import { dress } from "../dom.js";

await dress(new URL("../screens.css", import.meta.url));
