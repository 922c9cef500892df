import { seek } from "../../scan/seek.ts";
import { detectSecrets } from "./detect.ts";

/**
 * A place that may be shown. Names of members are written by whoever wrote the arguments: a place that has a secret in it is told
 * without it.
 */
export const shownPlace = (place: string): string =>
  place.length <= maxPlaceCharacters && seek(place, { phase: "call", name: "" }, detectSecrets).length === 0
    ? place
    : "a member whose name holds a secret, or is long";

const maxPlaceCharacters = 160;
