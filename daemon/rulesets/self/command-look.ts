import { block } from "../../../rules/answers.ts";
import { type CommandArgument, commandsIn } from "../../../rules/shell/command-arguments.ts";
import { Unparseable } from "../../../rules/shell/parse.ts";
import type { Command, Script } from "../../../rules/shell/script.ts";
import type { Word } from "../../../rules/shell/word.ts";
import type { BlockAnswer, RuleEvent } from "../../../rules/types.ts";
import { alterationOf } from "./altering-programs.ts";
import { type Folders, pathsOf, wordRelation, writesOut } from "./command-places.ts";
import { decidesAsOperator } from "./operator-programs.ts";
import type { Place, Protected } from "./places.ts";
import { folded } from "./relation.ts";
import { signalsDaemon } from "./signalling-programs.ts";

/** The answer to a command that is worth a look. Imported by the rule when there is one: few calls need a reader of shells, and every start would wait for it. */
export const lookAt = async (
  { action, args }: RuleEvent,
  itself: Protected,
  cwd: string | null,
): Promise<BlockAnswer | undefined> => {
  let commands: readonly CommandArgument[];
  try {
    commands = await commandsIn(action, args);
  } catch (error) {
    if (!(error instanceof Unparseable)) throw error;
    return block("it cannot be parsed, and may alter what guards this process", { attributedTo: "command" });
  }
  for (const { name, script } of commands) {
    const reason = refusalOf(script, itself, cwd);
    if (reason !== null) return block(reason, { attributedTo: name });
  }
  return undefined;
};

const refusalOf = ({ commands, redirects }: Script, itself: Protected, cwd: string | null): string | null => {
  const { places } = itself;
  for (const { target, directories, writes } of redirects) {
    const place = named([target], foldersOf(directories, cwd), places, ({ isPrivate }) => writes || isPrivate);
    if (place !== null) return reasonFor(place);
  }
  for (const command of commands) {
    const reason = touches(command, places, foldersOf(command.directories, cwd));
    if (reason !== null) return reason;
  }
  return signalsDaemon(commands, itself) ? "it would signal the daemon" : null;
};

const reasonFor = ({ what, isPrivate }: Place): string => (isPrivate ? `it names ${what}` : `it would alter ${what}`);

const foldersOf = (directories: Folders, cwd: string | null): Folders =>
  directories.map((directory) => directory ?? cwd);

/** Why a command must not run; null where nothing is against it. */
const touches = ({ name, args }: Command, places: readonly Place[], folders: Folders): string | null => {
  if (decidesAsOperator({ name, args })) return "it would decide as an operator";
  const lower = args.map(({ text }) => folded(text));
  const written = places.find((place) => place.isPrivate && lower.some((text) => writesOut(text, place)));
  if (written !== undefined) return reasonFor(written);
  const { alters, removes, owns } = alterationOf({ name, args });
  const place =
    named(args, folders, places, ({ isPrivate }) => isPrivate, "certainly") ??
    named(alters, folders, places, ({ extent }) => extent !== "alone") ??
    named(owns, folders, places, ({ extent }) => extent === "alone");
  if (place !== null) return reasonFor(place);
  return holds(removes, folders, places) ? "it would alter a folder that holds what guards this process" : null;
};

const named = (
  words: readonly Word[],
  folders: Folders,
  places: readonly Place[],
  counts: (place: Place) => boolean,
  certainty: "certainly" | "may" = "may",
): Place | null => {
  const paths = words.flatMap((word) => pathsOf(word, folders));
  const hit = places.find(
    (place) => counts(place) && paths.some((path) => wordRelation(path, place, certainty) === "inside"),
  );
  return hit ?? null;
};

const holds = (words: readonly Word[], folders: Folders, places: readonly Place[]): boolean => {
  const paths = words.flatMap((word) => pathsOf(word, folders));
  return places.some((place) => paths.some((path) => wordRelation(path, place, "certainly") !== null));
};
