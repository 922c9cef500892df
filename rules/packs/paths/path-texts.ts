import type { WireObject } from "../../../wire/value.ts";
import { type ArgumentClass, argumentClass, pathShape } from "../../paths/argument-class.ts";
import { isPatchName, patchedFiles } from "../../paths/patched-files.ts";
import { bareName } from "../../paths/tool-use.ts";
import { textsOf } from "../../scan/texts.ts";
import { isUnnamed } from "../../unnamed-argument.ts";

/** A text of a call's arguments that names a file, or may. */
export interface PathText {
  readonly place: string;
  readonly text: string;
  readonly kind: Exclude<ArgumentClass, "prose">;
}

/** Null: there is more than is looked at. */
export const pathTexts = (action: string, args: WireObject): readonly PathText[] | null => {
  const before = known.get(args);
  if (before?.action === action) return before.texts;
  const texts = read(action, args);
  if (Object.isFrozen(args)) known.set(args, { action, texts });
  return texts;
};

const known = new WeakMap<WireObject, { readonly action: string; readonly texts: readonly PathText[] | null }>();

/** Longer is no path; a text of several lines is none either, but for white space around it. */
const maxCharacters = 4_096;

const read = (action: string, args: WireObject): readonly PathText[] | null => {
  const { texts, isCutShort } = textsOf(args);
  if (isCutShort) return null;
  const found: PathText[] = [];
  const unnamed = isUnnamed(args);
  for (const { place, text, kind, name } of texts) {
    if (kind === "name") {
      // `files: {".git/hooks/x": "..."}`: a name is a path where its holder is one of files, or where it has the shape.
      if (
        /[/\\]|^\./.test(text) &&
        text.length <= maxCharacters &&
        (isHolderOfFiles(place, text) || pathShape(text) !== null)
      )
        found.push({ place, text, kind: "path" });
      continue;
    }
    // Folders that programs are looked for in; nobody opens them for their names.
    if (/(?:^|\.)(?:env|environment|envVars|env_vars)\.[A-Z_]{0,32}PATH$/.test(place)) continue;
    if (isPatchName(name)) {
      const files = patchedFiles(text);
      if (files === null) return null;
      for (const file of files) found.push({ place, text: file, kind: "path" });
    }
    if (text.length > maxCharacters) continue;
    const ofName = unnamed && place === "input" ? "path" : argumentClass(name);
    const what = name === "pattern" && globs.test(bareName(action)) ? "pattern" : ofName;
    if (what === "prose") continue;
    if (what === "other") {
      const path = pathShape(text);
      if (path !== null) found.push({ place, text: path, kind: "other" });
    } else if (!isNetwork(text) && !/[\n\r]/.test(text.trim())) found.push({ place, text, kind: what });
    else if (isNetwork(text)) found.push({ place, text, kind: "other" });
  }
  return found;
};

const isHolderOfFiles = (place: string, name: string): boolean => {
  const holder = place.slice(0, -(name.length + 1));
  return argumentClass(holder.slice(Math.max(holder.lastIndexOf("."), holder.lastIndexOf("]")) + 1)) === "path";
};

/** Tools whose `pattern` is for names of files, not for what is in them. */
const globs = /glob|search_?files|find_?files|list_?files|file_?search|find_?by_?name/i;

/** A URL that leads to another machine. */
export const isNetwork = (text: string): boolean => /^(?:https?|wss?|ftp|data|mailto):/i.test(text);

/** A rule of this pack looks at every tool's arguments. */
export const everyTool: readonly string[] = Object.freeze(["*"]);
