import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ApprovalBook, approving } from "./testing/approving-daemon.ts";
import { scripted } from "./testing/asking.ts";
import { judging, type ScriptedDaemon } from "./testing/scripted-daemon.ts";

const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string);

test("the first program prints what stands below it", async () => {
  const daemon = await scripted(
    judging(({ args, phase }) =>
      phase === "call" && args.eur > 1000
        ? { verdict: 1, reason: "over the limit of 1000 EUR", policy_id: "refunds.limit", attributed_to: "eur" }
        : {},
    ),
  );
  const [program, output] = blocks as [string, string];
  expect(await printedBy(program, daemon)).toBe(output);
});

test("the program that resumes an approved call prints what stands below it", async () => {
  const book = new ApprovalBook(["refund"], "over 1000 EUR");
  const daemon = await scripted(approving(book, () => book.settle("refund", "granted")));
  const at = blocks.findIndex((text) => text.includes("resumeToolCall("));
  expect(await printedBy(blocks[at] as string, daemon)).toBe(blocks[at + 1]);
});

test("the program that reads a stream prints what stands below it", async () => {
  const daemon = await scripted(
    judging(({ args, phase }) =>
      phase === "result"
        ? { verdict: 2, modified_result: String(args.result).replace(/ghp_\w{36}/, "[REDACTED github_token]") }
        : {},
    ),
  );
  const at = blocks.findIndex((text) => text.includes("readLog("));
  expect(await printedBy(blocks[at] as string, daemon)).toBe(blocks[at + 1]);
});

const printedBy = async (program: string, daemon: ScriptedDaemon): Promise<string> => {
  const path = join(dirname(daemon.path), "program.mts");
  writeFileSync(path, program.replace('"guard"', JSON.stringify(new URL("index.ts", import.meta.url).href)));
  const tsx = new URL("../node_modules/tsx/dist/cli.mjs", import.meta.url).pathname;
  const env = { ...process.env, INTERLOCK_SOCKET: daemon.path };
  return (await promisify(execFile)(process.execPath, [tsx, path], { env, timeout: 20_000 })).stdout;
};

test("every program is JavaScript that names only what is exported", async () => {
  const exported = Object.keys(await import("./index.ts"));
  const programs = blocks.filter((text) => text.includes("import {"));
  expect(programs.length).toBe(7);
  for (const program of programs) {
    const names = program.match(/import \{ ([^}]+) \} from "guard"/)?.[1]?.split(", ") ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(exported).toContain(name);
  }
});
