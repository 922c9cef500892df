import { seek } from "../../scan/seek.ts";
import { detectSecrets } from "./detect.ts";

/**
 * A place that may be shown. Names of members are written by whoever wrote the arguments: one that is no plain name, or that holds
 * a secret or the number of something, is not repeated.
 */
export const shownPlace = (place: string): string =>
  plain.test(place) && !numbers.test(place) && seek(place, { phase: "call", name: "" }, detectSecrets).length === 0
    ? place
    : "a member whose name is not shown";

const plain = /^[\w$.[\] -]{0,160}$/;
/** Six digits, or groups of three and more, may be of a card or a person. */
const numbers = /[0-9]{6}|[0-9]{3}[ -][0-9]{2}/;
