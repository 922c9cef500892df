import type { Counted } from "../suite.ts";

/** Names of tests, and whether they passed. A test that was skipped is in none. */
export type Results = ReadonlyMap<string, boolean>;

const indent_spaces = 4;
const point = /^( *)(not ok|ok)\b(?: \d+)?(?: - | |$)(.*)$/;
const heading = /^( *)# Subtest: (.*)$/;

/**
 * Reads TAP, subtests by indentation. A name is the path of names that lead to it; of equal names the second has `(2)`. Lines that are
 * no TAP are passed over: programs print what they like.
 */
export const tapResults = (text: string, counted: Counted): Results => {
  const results = new Map<string, boolean>();
  const times = new Map<string, number>();
  const names: string[] = [];
  let deepest = 0;
  let yaml: string | null = null;
  let isAfterPoint = false;
  for (const line of text.split("\n")) {
    if (yaml !== null) {
      if (line === `${yaml}...`) yaml = null;
      continue;
    }
    if (isAfterPoint && line.trim() === "---") {
      yaml = line.slice(0, line.indexOf("-"));
      continue;
    }
    isAfterPoint = false;
    const title = heading.exec(line);
    if (title !== null) {
      const depth = depthOf(title[1]);
      names.length = depth;
      names[depth] = title[2] ?? "";
      deepest = depth;
      continue;
    }
    const found = point.exec(line);
    if (found === null) continue;
    isAfterPoint = true;
    const depth = depthOf(found[1]);
    const { description, directive } = parts(found[3] ?? "");
    const isSubtest = names.length > depth;
    const hasInside = deepest > depth;
    const isTest = counted === "results" ? !hasInside : isSubtest || depth === 0;
    deepest = depth;
    const path = [...names.slice(0, depth), description].join(" > ");
    names.length = Math.min(names.length, depth);
    if (!isTest || directive === "skip") continue;
    const count = (times.get(path) ?? 0) + 1;
    times.set(path, count);
    results.set(count === 1 ? path : `${path} (${count})`, found[2] === "ok" || directive === "todo");
  }
  return results;
};

const depthOf = (spaces = ""): number => Math.floor(spaces.length / indent_spaces);

/** `description # SKIP reason`, `description # time=3ms`. */
const parts = (text: string): { readonly description: string; readonly directive: "skip" | "todo" | null } => {
  const at = text.lastIndexOf(" # ");
  const directive = at < 0 ? "" : text.slice(at + 3).toLowerCase();
  if (directive.startsWith("skip")) return { description: text.slice(0, at), directive: "skip" };
  if (directive.startsWith("todo")) return { description: text.slice(0, at), directive: "todo" };
  return { description: directive.startsWith("time=") ? text.slice(0, at) : text, directive: null };
};
