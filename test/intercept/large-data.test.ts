import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { rule, ruleModule } from "../kit/rules.ts";
import { programOf, requireHook, runProgram, saidBy } from "./programs.ts";

const MiB = 1 << 20;
const pattern = "0123456789abcdef";
const size_bytes = 100 * MiB;

/** Lets through what it is shown the length and digest of the large data for, and nothing else. */
const digestRules = (): string => {
  const sha256 = createHash("sha256").update(Buffer.alloc(size_bytes, pattern)).digest("hex");
  return ruleModule(
    rule(
      "large",
      `const data = event.args.data ?? event.args.options?.input;
       const isDigest = data?.bytes === ${size_bytes} && data.sha256 === "${sha256}" && Object.keys(data).length === 2;
       return isDigest ? undefined : block("not the length and digest of the data");`,
      { actions: ["fs.writeFile", "fs.appendFile", "child_process.execFileSync", "child_process.spawnSync"] },
    ),
  );
};

/** Each way to write large data, and how many copies of it the guard may take. */
const forms: readonly (readonly [string, string, number])[] = [
  ["writeFileSync, bytes", `fs.writeFileSync("/dev/null", bytes())`, 0],
  ["writeFileSync, text", `fs.writeFileSync("/dev/null", text())`, 0],
  ["writeFileSync, a typed array", `fs.writeFileSync("/dev/null", new Float64Array(bytes().buffer))`, 0],
  ["writeFileSync, a DataView", `fs.writeFileSync("/dev/null", new DataView(bytes().buffer))`, 0],
  ["writeFileSync, shared memory", `fs.writeFileSync("/dev/null", shared())`, 1],
  ["appendFileSync, bytes", `fs.appendFileSync("/dev/null", bytes())`, 0],
  ["execFileSync, input", `execFileSync("cat", { input: bytes(), stdio: ["pipe", "ignore", "inherit"] })`, 0],
  [
    "spawnSync, input as text",
    `spawnSync("cat", { input: text(), stdio: ["pipe", "ignore", "inherit"] }).error ?? "ran"`,
    0,
  ],
  ["writeFile, bytes", `await promisify(fs.writeFile)("/dev/null", bytes())`, 1],
  ["writeFile, text", `await promisify(fs.writeFile)("/dev/null", text())`, 0],
  ["promises.writeFile, bytes", `await fs.promises.writeFile("/dev/null", bytes())`, 1],
  ["promises.writeFile, a list of bytes", `await fs.promises.writeFile("/dev/null", list(bytes()))`, 1],
  ["promises.appendFile, text", `await fs.promises.appendFile("/dev/null", text())`, 0],
];

const programText = (call: string): string => `
  import fs from "node:fs";
  import { execFileSync, spawnSync } from "node:child_process";
  import { promisify } from "node:util";
  const bytes = () => Buffer.alloc(${size_bytes}, "${pattern}");
  const text = () => "${pattern}".repeat(${size_bytes / pattern.length});
  const shared = () => { const all = new Uint8Array(new SharedArrayBuffer(${size_bytes})); all.set(bytes()); return all; };
  const list = (all) => Array.from({ length: 100 }, (_, at) => all.subarray(at * ${MiB}, (at + 1) * ${MiB}));
  fs.statSync("/");
  const outcome = await (async () => ${call})().then((value) => (value instanceof Error ? value.message : "ran"), (error) => error.message);
  console.log(JSON.stringify([outcome, process.resourceUsage().maxRSS / 1024]));
`;

let place: Place;
let daemon: Daemon;
beforeAll(async () => {
  place = await makePlace(digestRules());
  daemon = await startDaemon(place);
});

const peak_MiB = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

test.each(forms)(
  "100 MiB: the rule sees length and digest, and the guard's memory is bounded: %s",
  async (_form, call, copies) => {
    const program = programOf(programText(call));
    const [plain, plain_MiB] = saidBy(await runProgram([], program, {})) as [string, number];
    const env = { INTERLOCK_SOCKET: place.socket, INTERLOCK_TIMEOUT: "30" };
    const [guarded, guarded_MiB] = saidBy(await runProgram(["--require", requireHook], program, env)) as [
      string,
      number,
    ];
    expect([plain, guarded]).toEqual(["ran", "ran"]);
    expect(guarded_MiB - plain_MiB).toBeLessThan(copies * 100 + 50);
  },
  120_000,
);

test("the daemon's memory does not grow with the data", () => {
  expect(peak_MiB(daemon.child.pid as number)).toBeLessThan(250);
});
