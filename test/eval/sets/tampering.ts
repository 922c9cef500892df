import { cpSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { safeSet } from "../scenarios/standard.ts";
import { withAgent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import type { ExtraSet } from "./set.ts";

/** The lines of the ledger, a receipt each; null where one is taken out. */
type Lines = readonly (string | null)[];

/** What somebody who can write the ledger does to it. */
type Tamper = (lines: readonly string[]) => Lines;

const replaced = (lines: readonly string[], at: number, change: (line: string) => string | null): Lines =>
  lines.map((line, index) => (index === at ? change(line) : line));

const tampers: Readonly<Record<string, Tamper>> = {
  "a verdict is turned": (lines) =>
    replaced(lines, 5, (line) => line.replace('"verdict":"ALLOW"', '"verdict":"BLOCK"')),
  "a principal is renamed": (lines) => replaced(lines, 7, (line) => line.replace("eval-agent", "evil-agent")),
  "an action is renamed": (lines) => replaced(lines, 9, (line) => line.replace("refund_invoice", "create_invoice")),
  "a time is moved": (lines) => replaced(lines, 11, (line) => line.replace(/"time_ms":\d/, '"time_ms":3')),
  "a receipt is emptied": (lines) => replaced(lines, 13, () => ""),
  "a receipt is taken out": (lines) => replaced(lines, 15, () => null),
  "two receipts change places": (lines) =>
    lines.map((line, at) => (at === 17 ? lines[18] : at === 18 ? lines[17] : line) as string),
  "a receipt stands twice": (lines) => replaced(lines, 20, () => lines[19] as string),
  "a hash is exchanged": (lines) =>
    replaced(lines, 21, (line) => line.replace(/ [0-9a-f]{64} /, ` ${"0".repeat(64)} `)),
  "the newest are cut off": (lines) => lines.slice(0, -20),
};

/** Writes the ledger anew, one receipt a page. */
const rewrite = (state: string, tamper: Tamper): void => {
  const db = new Database(join(state, "ledger.db"));
  try {
    const pages = db.prepare<[], { readonly lines: string }>("SELECT lines FROM pages ORDER BY first").all();
    const lines = pages.flatMap((page) => page.lines.trimEnd().split("\n"));
    const altered = tamper(lines);
    db.exec("DELETE FROM pages");
    const insert = db.prepare("INSERT INTO pages(first, last, lines) VALUES(?, ?, ?)");
    for (const [at, line] of altered.entries()) if (line !== null) insert.run(at + 1, at + 1, `${line}\n`);
  } finally {
    db.close();
  }
};

const verified = (stage: Stage, state: string, head: string): Promise<boolean> =>
  stage.interlock("receipts", "verify", "--state", state, "--expect-head", head).then(({ code, stderr }) => {
    if (code !== 0 && code !== 1) throw new Error(`receipts verify ended with ${code}: ${stderr.trim()}`);
    return code === 0;
  });

/** Does the ledger verify after that? What is altered is a copy. */
const verifiesAfter = async (stage: Stage, head: string, name: string, tamper: Tamper): Promise<boolean> => {
  const copy = join(stage.home, name.replaceAll(" ", "-"));
  cpSync(stage.state, copy, { recursive: true });
  rewrite(copy, tamper);
  return verified(stage, copy, head);
};

const notNoticed = async (stage: Stage): Promise<{ readonly treatment: number; readonly false_blocks: number }> => {
  await withAgent(stage, async (agent) => {
    for (const { tool, naive } of safeSet) await agent.put(tool, naive);
  });
  await stage.stop();
  const printed = await stage.mustInterlock("receipts", "verify");
  const head = /^head (.+)$/m.exec(printed)?.[1];
  if (head === undefined) throw new Error("receipts verify printed no head");
  const after = Object.entries(tampers).map(([name, tamper]) => verifiesAfter(stage, head, name, tamper));
  const treatment = (await Promise.all(after)).filter((whole) => whole).length;
  // Not that it was written anew is what is found.
  const same = await verifiesAfter(stage, head, "nothing", (lines) => lines);
  return { treatment, false_blocks: [same, await verified(stage, stage.state, head)].filter((is) => !is).length };
};

/** Receipts that were altered under the daemon's back. A false block is a ledger that says the same as before and does not verify. */
export const tampering: ExtraSet = {
  name: "tampering",
  run: async () => ({
    counted: "alterations unnoticed",
    baseline: null,
    ...(await onStage("every-gate", notNoticed)),
    wanted: 0,
    total: Object.keys(tampers).length,
    safe: 2,
  }),
};
