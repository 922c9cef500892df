import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enforceToolCall, RemoteEngine } from "../client-node/index.ts";
import { ExitCode } from "../daemon/exit-codes.ts";
import { corpus } from "./corpus/corpus.ts";
import { fallbackCorpus } from "./fallback/corpus.ts";
import { misbehave } from "./misbehaving-daemon.ts";
import { runConformance } from "./run.ts";
import { conformanceRun } from "./run-command.ts";
import { answers, DaemonDidNotStart, packageRoot, type RunningDaemon, startDaemon } from "./running-daemon.ts";
import { conformanceServe } from "./serve-command.ts";

const fallbackEntries =
  fallbackCorpus.documents.length + fallbackCorpus.payloads.length + fallbackCorpus.decisions.length;
const every = corpus.cases.length + corpus.negatives.length + corpus.entries.length + fallbackEntries + 1;

let directory = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "il-"));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const rules = (name: string): string => join(packageRoot(), "conformance", name);

test("the daemon passes the whole corpus, through the Node client and over raw sockets", async () => {
  const report = await runConformance({});
  expect(report.failed).toEqual([]);
  expect(report.passed).toBe(every);
}, 120_000);

test("a daemon that runs already is replayed against, and goes on running", async () => {
  const daemon = await startDaemon({ rules: rules("rules.ts") });
  try {
    const result = await conformanceRun({ socket: daemon.socket });
    expect(result.lines).toEqual([expect.stringMatching(new RegExp(`^${every} passed, 0 failed in [0-9.]+ s$`))]);
    expect(result.exitCode).toBe(ExitCode.done);
    expect(daemon.isAlive()).toBe(true);
  } finally {
    await daemon.stop();
  }
  expect(await answers(daemon.socket)).toBe(false);
}, 120_000);

test("a daemon that allows everything fails the corpus: exit code 1, one line a failure", async () => {
  const socket = join(directory, "allows.sock");
  const allowing = await misbehave("well-behaved-v1", socket);
  try {
    const { exitCode, lines } = await conformanceRun({ socket });
    expect(exitCode).toBe(ExitCode.no);
    const failed = new Set(lines.map((line) => /^FAIL [a-z]+ ([a-z0-9.-]+): /.exec(line)?.[1]));
    for (const name of [
      "block-names-the-triggering-argument",
      "modify-rewrites-the-request",
      "principal-crosses-the-wire",
      "missing-args-is-refused",
      "a-key-twice-is-refused",
      "a-resend-returns-the-same-decision",
      "a-rewrite-is-judged-again-by-an-earlier-rule",
      "a-rule-that-throws-blocks",
    ]) {
      expect(failed, name).toContain(name);
    }
    expect(failed).not.toContain("allow-with-no-opinion");
  } finally {
    await allowing.close();
  }
}, 300_000);

test("a socket that nobody serves is reported at once with exit code 2", async () => {
  const socket = join(directory, "nobody.sock");
  const { exitCode, lines } = await conformanceRun({ socket });
  expect(exitCode).toBe(ExitCode.refused);
  expect(lines).toEqual([`nobody serves ${socket}; start the daemon, or leave --socket out`]);
});

test("a daemon that ends at once is reported with its stderr and exit code 2", async () => {
  const program = join(directory, "ends.mjs");
  await writeFile(program, 'process.stderr.write("no state directory\\n"); process.exitCode = 4;\n');
  const { exitCode, lines } = await conformanceRun({ program });
  expect(exitCode).toBe(ExitCode.refused);
  expect(lines).toEqual(["the daemon did not start: it ended with 4; stderr: no state directory"]);
});

test("a program that is missing is reported, not waited for", async () => {
  await expect(startDaemon({ rules: rules("rules.ts"), program: join(directory, "missing.js") })).rejects.toThrow(
    DaemonDidNotStart,
  );
});

test("the rules for native effects decide as the protocol's second fixture says", async () => {
  const daemon: RunningDaemon = await startDaemon({ rules: rules("effect-rules.ts") });
  const engine = new RemoteEngine(daemon.socket);
  const call = (action: string, args: Readonly<Record<string, string>>) => enforceToolCall(action, args, { engine });
  try {
    await expect(call("fs.readFile", { path: "/tmp/blockme" })).rejects.toThrow("this path is off limits");
    expect(await call("fs.readFile", { path: "/tmp/redirectme" })).toEqual({ path: "/tmp/target" });
    await expect(call("child_process.exec", { command: "rm -rf /" })).rejects.toThrow("destructive command");
    expect(await call("child_process.exec", { command: "echo a" })).toEqual({ command: "echo b" });
    await expect(call("http.fetch", { url: "https://blockme.example/" })).rejects.toThrow("egress blocked");
    expect(await call("http.fetch", { url: "https://redirectme.example/" })).toEqual({
      url: "https://target.example/",
    });
    expect(await call("fs.readFile", { path: "/tmp/plain" })).toEqual({ path: "/tmp/plain" });
  } finally {
    await engine.close();
    await daemon.stop();
  }
}, 60_000);

test("a daemon for replayers in other languages is served until it is stopped", async () => {
  const stop = new AbortController();
  let served: boolean | null = null;
  const result = await conformanceServe("corpus", stop.signal, (socket) => {
    void answers(socket).then((answered) => {
      served = answered;
      stop.abort();
    });
  });
  expect(served).toBe(true);
  expect(result.exitCode).toBe(ExitCode.done);
}, 60_000);
