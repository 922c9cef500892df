import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { protectedBy } from "../../paths/place.ts";
import type { FileUse, Member } from "../../paths/protected/index.ts";
import { changing } from "../../paths/protected/member.ts";
import { opensForWriting, type ToolUse, toolUse, usesOf } from "../../paths/tool-use.ts";
import { workingFolders } from "../../paths/working-folder.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import { protectedExamples } from "./examples.ts";
import { everyTool, isNetwork, type PathText, pathTexts } from "./path-texts.ts";
import type { Settings } from "./settings.ts";
import { undecided } from "./undecided.ts";

/** Links of this many characters of paths are followed in one call. Each step is looked up in the file system, and others wait meanwhile. */
const maxFollowedCharacters = 32_768;
const maxPieces = 64;

/** Protected places among the arguments of any tool: by an argument's name, and by a text that is evidently a path. */
export const protectedPaths = (settings: Settings): DefinedRule =>
  defineRule({
    id: "paths.protected",
    actions: everyTool,
    phase: "call",
    evaluate({ action, args }) {
      const texts = pathTexts(action, args);
      if (texts === null) return escalate("it has more arguments than are looked through");
      const use = opensForWriting(action, args.flags) ? "writes" : toolUse(action);
      const folders = workingFolders(args, settings.directory);
      let left = maxFollowedCharacters;
      let doubt: EscalateAnswer | undefined;
      for (const text of texts) {
        // What a host of the network serves is no file of this machine.
        if (isNetwork(text.text)) continue;
        left -= text.text.length;
        const answer = judge(use, text, left >= 0, folders, settings);
        if (answer?.kind === "block") return answer;
        doubt ??= answer;
      }
      if (left < 0) doubt ??= escalate("it names more files than are looked up");
      return doubt;
    },
    examples: undecided(protectedExamples, settings),
  });

const judge = (
  use: ToolUse,
  text: PathText,
  follows: boolean,
  folders: readonly (string | null)[],
  settings: Settings,
): BlockAnswer | EscalateAnswer | undefined => {
  let found: Member | null = null;
  for (const folder of folders) found ??= memberIn(text, use, follows, folder, settings);
  if (found === null) return undefined;
  const why = `it is ${found.what}; one that is meant is named in the option allow`;
  const options = { attributedTo: text.place };
  return found.answer === "block" ? block(why, options) : escalate(why, options);
};

const memberIn = (
  { text, place, kind }: PathText,
  use: ToolUse,
  follows: boolean,
  directory: string | null,
  { protecting }: Settings,
): Member | null => {
  const look = (piece: string, uses: readonly FileUse[]): Member | null =>
    protectedBy(
      {
        text: piece,
        uses,
        directory,
        isShell: false,
        follows: follows && (kind === "path" || (kind === "reference" && piece.includes("/"))),
      },
      protecting,
    );
  for (const piece of piecesOf(text, kind)) {
    // A pattern for names asks for what it names, whatever the tool then does.
    const found = look(piece, kind === "pattern" ? reading : use === "unknown" ? reading : usesOf(use, place));
    if (found !== null) return found;
    const changed = use === "unknown" && kind !== "pattern" ? look(piece, changing) : null;
    if (changed !== null) return { ...changed, answer: "escalate" };
  }
  return null;
};

const reading: readonly FileUse[] = ["read", "list"];

/** `a.txt, .env` is a list to some tools, and `resource=/etc/passwd` a filter. */
const piecesOf = (text: string, kind: PathText["kind"]): readonly string[] =>
  kind === "other" || !/[,;=\s]/.test(text.trim())
    ? [text]
    : [text, ...text.split(/[,;=\s]/, maxPieces).filter((piece) => piece !== "")];
