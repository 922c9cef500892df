import { readFileSync } from "node:fs";
import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { settingsSchema } from "./schema.ts";
import type { FileSettings } from "./settings.ts";

const maxConfigBytes = 256 * 1024;

const refuse = (place: string, what: string): never => {
  throw new Refusal(ExitCode.refused, `${place}: ${what}`);
};

/** Reads one configuration file, strictly. Every refusal names the file, the line and the key. */
export const readConfigFile = (path: string): FileSettings => {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return refuse(path, `the configuration cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return parseConfig(path, text);
};

/** @param path used in messages only. */
export const parseConfig = (path: string, text: string): FileSettings => {
  if (text.length > maxConfigBytes) return refuse(path, `larger than ${maxConfigBytes} bytes`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, strict: true });
  const lineOf = (offset: number): string => `${path}:${lines.linePos(offset).line}`;
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) return refuse(lineOf(problem.pos[0]), problem.message.split("\n")[0] as string);
  if (document.contents === null) return {};
  if (!isMap(document.contents)) return refuse(`${path}:1`, "must be a list of settings, such as `unknown: block`");
  let written: unknown;
  try {
    written = document.toJS({ maxAliasCount: 0 });
  } catch {
    return refuse(path, "aliases are not allowed");
  }
  const parsed = settingsSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue === undefined) return refuse(path, "refused");
  const key = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const at = key === undefined ? issue.path : [...issue.path, key];
  const offset = offsetOf(document.contents, at as readonly (string | number)[]);
  const what = key === undefined ? `${at.join(".")}: ${issue.message}` : `unknown setting ${JSON.stringify(key)}`;
  return refuse(lineOf(offset), what);
};

/** Where the setting named by `path` stands in the text: its key, or the item of a list. */
const offsetOf = (root: Node, path: readonly (string | number)[]): number => {
  let node: unknown = root;
  let offset = root.range?.[0] ?? 0;
  for (const step of path) {
    let next: unknown = null;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === step);
      if (isScalar(pair?.key)) offset = pair.key.range?.[0] ?? offset;
      next = pair?.value ?? null;
    } else if (isSeq(node)) {
      next = node.items[step as number] ?? null;
      if (isNode(next)) offset = next.range?.[0] ?? offset;
    }
    node = next;
  }
  return offset;
};
