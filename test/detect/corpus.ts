import { readFileSync } from "node:fs";
import type { CaseEvent } from "./judge.ts";

/** One case: what is asked, and whether it must be held (blocked, asked about or rewritten) or must pass. */
export interface Case {
  readonly id: string;
  /** All of them are judged; one that must be held is, when one of them is. */
  readonly events: readonly CaseEvent[];
  readonly expect: "held" | "passes";
  /** The kind of attack or of daily work, for the list of what is missed. */
  readonly kind: string;
  /** Why a wrong answer will never be mended. It counts all the same. */
  readonly never: string | null;
}

/** A corpus and what `npm run eval:detect` says of it. */
export interface DetectSet {
  /** As in the JSON: `commands`, `agent_egress`. */
  readonly name: string;
  /** From a file in its own format; without one, the copy in test/detect/data. */
  readonly load: (file?: string) => readonly Case[];
  readonly wanted: { readonly recall: number; readonly falsePositiveRate: number };
}

const data = (name: string): string => new URL(`data/${name}`, import.meta.url).pathname;

/**
 * A set kept as JSON lines: `{"event": {action, args, phase?}, "expect": "held" | "passes", "kind": "..."}`, and with `short` one
 * member (`"command": "..."`) in the event's place.
 */
export const linesSet = (
  name: string,
  wanted: DetectSet["wanted"],
  short: Readonly<Record<string, (text: string) => CaseEvent>> = {},
): DetectSet => ({
  name,
  wanted,
  load: (file = data(`${name}.jsonl`)) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) => (line.trim() === "" ? [] : [caseOf(JSON.parse(line), `${name}:${index + 1}`, short)])),
});

const caseOf = (
  line: Readonly<Record<string, unknown>>,
  id: string,
  short: Readonly<Record<string, (text: string) => CaseEvent>>,
): Case => {
  const shorthand = Object.keys(short).find((name) => typeof line[name] === "string");
  const event = shorthand === undefined ? (line.event as CaseEvent) : short[shorthand]?.(line[shorthand] as string);
  if (event === undefined || (line.expect !== "held" && line.expect !== "passes")) throw new Error(`${id}: no case`);
  return {
    id,
    events: [event],
    expect: line.expect,
    kind: typeof line.kind === "string" ? line.kind : "",
    never: typeof line.never === "string" ? line.never : null,
  };
};

/** A file of test/detect/data, as text. */
export const dataText = (name: string): string => readFileSync(data(name), "utf8");
