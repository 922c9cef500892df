import type { StopFile } from "../../stops/stop-file.ts";
import type { StopView } from "../stop-service.ts";
import { quotedText, safeName } from "./safe-text.ts";
import { isoText } from "./time-text.ts";

/** `st_...: by operator:ann since <time>: "why"`. */
export const stopLine = ({ stop_id, begun_by, begun_ms, reason, is_written }: StopView): string =>
  `${stop_id}: by ${safeName(begun_by)} since ${isoText(begun_ms)}${why(reason)}${is_written ? "" : "; not in the store yet, so that only this daemon knows"}`;

export const stopFileLine = ({ uid, since_ms, reason }: StopFile, path: string): string => {
  const who = uid === null ? "" : ` of uid ${uid}`;
  const since = since_ms === null ? "" : ` since ${isoText(since_ms)}`;
  return `the file ${path}${who}${since}${why(reason)}`;
};

const why = (reason: string): string => (reason === "" ? "" : `: ${quotedText(reason)}`);
