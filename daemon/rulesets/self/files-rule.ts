import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { block } from "../../../rules/answers.ts";
import type { BlockAnswer, Rule } from "../../../rules/types.ts";
import type { WireObject, WireValue } from "../../../wire/value.ts";
import { type Effect, effectsOf, fileActions } from "./file-effects.ts";
import { fileExamples } from "./files-rule.examples.ts";
import { byProcess } from "./own-threads.ts";
import type { Place, Protected } from "./places.ts";
import { folded, plainPath, relationTo } from "./relation.ts";

/**
 * What keeps the guard a guard is not altered from inside: the daemon's files, and those of the guard's own package, which the
 * client marks (`own_path`), since the daemon does not know where it is. Keys that sign or seal are not read either.
 */
export const filesRule = (itself: Protected): Rule => {
  const { places } = itself;
  const secrets = places.filter(({ isSecret }) => isSecret);
  return Object.freeze<Rule>({
    id: "interlock.self.files",
    actions: fileActions,
    phase: "call",
    evaluate({ action, args }) {
      for (const { argument, effect } of effectsOf(action, args)) {
        const refusal = refusalOf(args, argument, effect, changes(effect) ? places : secrets);
        if (refusal !== null) return refusal;
      }
      return undefined;
    },
    examples: fileExamples(itself),
  });
};

const refusalOf = (
  args: WireObject,
  argument: string,
  effect: Effect,
  places: readonly Place[],
): BlockAnswer | null => {
  if (changes(effect) && isOwn(args[`own_${argument}`], effect))
    return block("it would alter the guard of this process", { attributedTo: argument });
  for (const text of [args[`resolved_${argument}`], args[argument]]) {
    const path = absolutePath(text);
    if (path === null || !isNear(path, places)) continue;
    const hits = places.filter((candidate) => isHit(path, candidate, effect, args));
    // One that is meant itself says more than one that goes with its folder.
    const [hit] = [...hits.filter(isMeant(path)), ...hits];
    if (hit === undefined) continue;
    return block(`it would ${changes(effect) ? "alter" : "read"} ${hit.what}`, { attributedTo: argument });
  }
  return null;
};

const isMeant = (path: string) => (place: Place) => relationTo(path, place.path, place.extent) === "inside";

const changes = (effect: Effect): boolean => effect !== "reads" && effect !== "copies";

const isOwn = (mark: WireValue | undefined, effect: Effect): boolean =>
  mark === "inside" || (mark === "above" && effect === "removes");

/**
 * The path that the kernel will use, and the one that was written: a link in it may be what is protected. What is
 * relative has its resolved twin where the guard made the call; without one nobody here knows what it is relative to.
 */
const absolutePath = (value: WireValue | undefined): string | null => {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString() : value;
  return typeof text === "string" && text.startsWith("/") ? byProcess(folded(plainPath(text))) : null;
};

/** Most paths are not: that is all that a call costs. */
const isNear = (path: string, places: readonly Place[]): boolean => {
  for (const place of places) if (relationTo(path, place.path, place.extent) !== null) return true;
  return false;
};

const isHit = (path: string, place: Place, effect: Effect, args: WireObject): boolean => {
  const relation = relationTo(path, place.path, place.extent);
  if (relation === null) return false;
  if (relation === "inside") return place.extent !== "alone" || effect === "owns" || effect === "removes";
  if (effect === "removes") return true;
  // A folder of keys is copied with its keys.
  if (effect === "copies") return isRecursive(args);
  return effect === "merges" && isRecursive(args) && brings(args, relative(path, place.path));
};

const isRecursive = ({ options }: WireObject): boolean =>
  typeof options === "object" && options !== null && (options as WireObject).recursive !== false;

/** Is there something in the copied tree that would come to lie on the place? */
const brings = ({ path, resolved_path = path }: WireObject, at: string): boolean => {
  if (typeof resolved_path !== "string") return true;
  try {
    lstatSync(join(resolved_path, at));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
};
