import { blocked } from "../../ask.ts";
import { ownPromise } from "../../own-promise.ts";
import type { Guard } from "../ask.ts";
import type { FileSpec } from "./file-spec.ts";
import { openedPlace } from "./opened-place.ts";
import { mostQuestions, type Permitted } from "./permission.ts";

/**
 * Is what was opened what was judged? A link or a folder may have been swapped between the last look and the system call, or the file
 * renamed since. Then the guard is asked about where the descriptor is; it stays open meanwhile, so that an open's effects
 * happen once. @throws BlockedError, NotApprovedError
 */
export const judgeSync = (fd: number, spec: FileSpec, permitted: Permitted, guard: Guard): void => {
  let judged = judgedPlace(permitted);
  for (let asked = 0; ; asked++) {
    const place = whereElse(fd, spec, permitted, judged, asked);
    if (place === null) return;
    const { args } = guard.askSync(spec.action, viewAt(spec, permitted, place));
    if (args !== null) throw rewritten(spec);
    judged = place;
  }
};

/** The same without waiting; answers null at once where it is what was judged. */
export const judge = (fd: number, spec: FileSpec, permitted: Permitted, guard: Guard): Promise<void> | null => {
  const place = whereElse(fd, spec, permitted, judgedPlace(permitted), 0);
  return place === null ? null : judgeAgain(fd, spec, permitted, guard, place);
};

const judgeAgain = async (
  fd: number,
  spec: FileSpec,
  permitted: Permitted,
  guard: Guard,
  first: string,
): Promise<void> => {
  for (let place: string | null = first, asked = 1; place !== null; asked++) {
    const { args } = await ownPromise(guard.ask(spec.action, viewAt(spec, permitted, place)));
    if (args !== null) throw rewritten(spec);
    place = whereElse(fd, spec, permitted, place, asked);
  }
};

const judgedPlace = ({ resolved }: Permitted): string | null => resolved.resolved_path ?? null;

/** Null where the descriptor is what was judged last. */
const whereElse = (
  fd: number,
  spec: FileSpec,
  { runs }: Permitted,
  judged: string | null,
  asked: number,
): string | null => {
  const place = openedPlace(fd, runs[0], judged);
  if (place === null) throw blocked(spec.action, "where the opened file is cannot be told: it is not what was judged");
  if (place === judged) return null;
  if (asked === mostQuestions) throw blocked(spec.action, "the opened file is moved each time the guard is asked");
  return place;
};

const viewAt = (spec: FileSpec, { runs, resolved }: Permitted, place: string): Record<string, unknown> =>
  spec.project(runs, { ...resolved, resolved_path: place });

const rewritten = (spec: FileSpec): Error =>
  blocked(spec.action, "a link or folder on its path was swapped: what was opened is not what was judged");
