import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { maxOfflineDecisions } from "../../wire/limits.ts";
import { pause } from "../testing/asking.ts";
import { FallbackFiles, policyOf, reads } from "../testing/fallback-places.ts";
import { socketPath } from "../testing/scripted-daemon.ts";
import { newestSeen, rememberSeen } from "./seen-policies.ts";
import { Spool } from "./spool.ts";
import { directoryFor, secureDirectory } from "./spool-directory.ts";

const program = fileURLToPath(new URL("../testing/decide-forever.ts", import.meta.url));

/** A process that decides until it is killed, and the calls that it said it decided. */
const deciding = (files: FallbackFiles, path: string, name: string): { child: ChildProcess; said: string[] } => {
  const { file, keyFile, spool } = files;
  const child = spawn(process.execPath, ["--import", "tsx", program, path, file, keyFile, spool, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  createInterface({ input: child.stdout! }).on("line", (line) => said.push(line));
  return { child, said };
};

const all = (spool: Spool) => spool.entries(1_000_000);

test("what was decided before a kill at any moment is in the spool, whole; two processes that share it lose nothing", async () => {
  const files = new FallbackFiles();
  const path = socketPath();
  const spool = new Spool(directoryFor(files.spool, path));
  const said: string[] = [];
  for (let round = 0; round < 3; round++) {
    const processes = ["a", "b"].map((name) => deciding(files, path, `${name}${round}`));
    for (let at = 0; at < 500 && processes.some((each) => each.said.length < 3); at++) await pause(20);
    await pause(Math.random() * 40);
    const ended = processes.map(({ child }) => once(child, "close"));
    for (const { child } of processes) child.kill("SIGKILL");
    await Promise.all(ended);
    for (const each of processes) said.push(...each.said);
  }
  const kept = new Set(all(spool).map(({ call_id, verdict }) => `${call_id} ${verdict}`));
  expect(said.length).toBeGreaterThanOrEqual(18);
  // The last line may be cut off: what was said in full is kept.
  expect(said.filter((line) => / (ALLOW|BLOCK)$/.test(line) && !kept.has(line))).toEqual([]);
}, 120_000);

test("entries come in batches, and what is removed by somebody else meanwhile is no error", () => {
  const files = new FallbackFiles(policyOf([reads]));
  const spool = new Spool(directoryFor(files.spool, "/somewhere"));
  expect(all(spool)).toEqual([]);
  for (let at = 0; at < maxOfflineDecisions + 2; at++) spool.add(entry(at));
  const first = spool.entries(maxOfflineDecisions);
  expect(first.length).toBe(maxOfflineDecisions);
  spool.remove(first);
  spool.remove(first);
  expect(all(spool).length).toBe(2);
});

test("of two that remember at once the highest version stays, in either order", () => {
  const seenOf = (version: number) => ({ id: "prod", version, digest: `sha256:${String(version).repeat(64)}` });
  for (const order of [
    [7, 8],
    [8, 7],
  ]) {
    const directory = directoryFor(new FallbackFiles().spool, "/somewhere");
    secureDirectory(directory);
    expect(newestSeen(directory)).toBeNull();
    for (const version of order) rememberSeen(directory, seenOf(version));
    expect(newestSeen(directory)).toEqual(seenOf(8));
  }
});

const entry = (at: number) => ({
  ...{ id: at.toString(16).padStart(32, "0"), at_ms: 1, action: "a", phase: "call" as const },
  ...{ principal: null, parent_principal: null, call_id: null },
  ...{ args_commitment: `sha256:${"0".repeat(64)}`, salt: "0".repeat(32) },
  ...{ verdict: "BLOCK" as const, rule: null, policy: "prod@7" },
});
