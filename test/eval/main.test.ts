import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "il-eval-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runWith = (env: NodeJS.ProcessEnv, args: readonly string[]) =>
  spawnSync(process.execPath, ["--import", "tsx", "test/eval/main.ts", ...args], { cwd: root, encoding: "utf8", env });

const run = (...args: readonly string[]) => runWith(process.env, args);

test("npm run eval writes counts to a file, the table to stdout and the seconds to stderr", {
  timeout: 120_000,
}, () => {
  const json = join(folder, "numbers.json");
  const { stdout, stderr, status } = run("--metric", "duplicates,cross_tenant", "--json", json);
  expect(status).toBe(0);
  expect(JSON.parse(readFileSync(json, "utf8"))).toEqual({
    duplicates: { baseline: 200, treatment: 10, total: 200 },
    extra: {
      cross_tenant: {
        counted: "answers that are another's",
        baseline: 10,
        treatment: 0,
        wanted: 0,
        total: 20,
        false_blocks: 0,
        safe: 107,
      },
    },
  });
  expect(stdout.split("\n")[1]).toBe("executions of repeated calls      200    10  200   100.0%  5.0%");
  expect(stderr).toMatch(/^duplicates: \d+\.\d s\ncross_tenant: \d+\.\d s\n$/);
});

test("a part that cannot run is named, and the others are run", { timeout: 120_000 }, () => {
  const withoutPrlimit = { ...process.env, PATH: join(folder, "empty") };
  const { stdout, stderr, status } = runWith(withoutPrlimit, ["--metric", "audit_store_down,cross_tenant"]);
  expect(stderr).toContain("eval: not run: audit_store_down: spawnSync prlimit ENOENT\n");
  expect(stdout).toContain("cross_tenant");
  expect(stdout).not.toContain("audit_store_down");
  expect(status).toBe(2);
});

test.each([
  [
    "a metric that there is not",
    ["--metric", "duplicates,everything"],
    "eval: no metric everything; there are all, unsafe_writes, ",
  ],
  ["an option that there is not", ["--only", "duplicates"], "eval: Unknown option '--only'"],
])("%s is refused with one line", { timeout: 60_000 }, (_, args, words) => {
  const { stdout, stderr, status } = run(...args);
  expect(status).toBe(2);
  expect(stdout).toBe("");
  expect(stderr.startsWith(words)).toBe(true);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});
