import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDaemon } from "../kit/daemon.ts";
import { makePlace } from "../kit/place.ts";
import { rule, ruleModule } from "../kit/rules.ts";
import { preloads } from "./stage.ts";

const timeout_s = 1;
/** What the machine may take on top when it does other things as well. */
const slack_ms = 4000;

const program = fileURLToPath(new URL("dead/program.mjs", import.meta.url));
let reached = 0;
const server = createServer((socket) => {
  reached++;
  socket.destroy();
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly after_ms: number;
  readonly folder: string;
}

/** Starts the program guarded by a daemon that allows everything, kills the daemon, and then tells the program to begin. */
const withoutDaemon = async (group: string, preload: keyof typeof preloads): Promise<Ended> => {
  const place = await makePlace(ruleModule(rule("all", "return undefined;")));
  const daemon = await startDaemon(place);
  const folder = join(place.home, "folder");
  mkdirSync(folder);
  const [file, module] = [join(folder, "file"), join(folder, "module.cjs")];
  writeFileSync(file, "untouched");
  writeFileSync(module, `require("fs").writeFileSync(${JSON.stringify(join(folder, "trace"))}, "x");`);
  const { port } = server.address() as AddressInfo;
  const child = spawn(
    process.execPath,
    [...preloads[preload], program, group, JSON.stringify({ folder, file, module, port })],
    {
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        INTERLOCK_SOCKET: place.socket,
        INTERLOCK_TIMEOUT: String(timeout_s),
        NODE_NO_WARNINGS: "1",
      },
    },
  );
  let [stdout, stderr, from_ms] = ["", "", 0];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    if (from_ms > 0 || !stdout.includes("ready\n")) return;
    from_ms = Date.now();
    void daemon.kill().then(() => child.stdin.end("go\n"));
  });
  const code = await new Promise<number | null>(
    (resolve, reject) => void child.once("error", reject).once("close", resolve),
  );
  return { code, stdout: stdout.replace("ready\n", ""), stderr, after_ms: Date.now() - from_ms, folder };
};

interface Outcome {
  readonly result: string;
  readonly sync_ms: number;
  readonly all_ms: number;
}

it.each([
  ["files", "import"],
  ["programs", "require"],
  ["connections", "import"],
] as const)(
  "once the daemon is dead, no form of %s runs, each is told so in time, and the program ends (--%s)",
  async (group, preload) => {
    const ended = await withoutDaemon(group, preload);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const said = JSON.parse(ended.stdout) as Record<string, Outcome>;
    expect(Object.keys(said).length).toBeGreaterThanOrEqual(12);
    const ran = Object.entries(said).filter(([, { result }]) => !/BlockedError|EACCES/.test(result));
    expect(ran).toEqual([]);
    const late = Object.entries(said).filter(([, { sync_ms }]) => sync_ms > timeout_s * 1000 + slack_ms);
    expect(late).toEqual([]);
    expect(existsSync(join(ended.folder, "trace"))).toBe(false);
    expect(readFileSync(join(ended.folder, "file"), "utf8")).toBe("untouched");
    expect(reached).toBe(0);
  },
  120_000,
);

it.each([
  ["the end", 0, ""],
  ["process.exit", 7, ""],
  ["an exit code", 8, ""],
  ["an uncaught error", 1, "RangeError: on purpose"],
  ["a rejection", 1, "RangeError: on purpose"],
])("once the daemon is dead, a program ends by itself: %s", async (how, code, words) => {
  const ended = await withoutDaemon(how, "import");
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).toContain(words);
  expect(ended.after_ms).toBeLessThan(slack_ms + 2 * timeout_s * 1000);
});

it.each(["import", "require"] as const)(
  "--%s: where no daemon is, no program starts, and it says why",
  async (preload) => {
    const child = spawn(process.execPath, [...preloads[preload], program, "the end", "{}"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, INTERLOCK_SOCKET: "/nowhere/g.sock", INTERLOCK_TIMEOUT: String(timeout_s) },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (bytes) => {
      stdout += String(bytes);
    });
    child.stderr.on("data", (bytes) => {
      stderr += String(bytes);
    });
    const code = await new Promise((resolve) => void child.once("close", resolve));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("BlockedError: blocked action 'fs.");
    expect(stderr).toContain("guard daemon unreachable at /nowhere/g.sock");
  },
);
