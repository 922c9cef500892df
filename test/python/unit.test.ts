import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientPython, python, pythonEnv } from "./python.ts";

const tests = readdirSync(join(clientPython, "tests")).filter((name) => /^test_\w+\.py$/.test(name));

test("the Python client has tests", () => {
  expect(tests.length).toBeGreaterThan(3);
});

test.each(tests)("client-python/tests/%s", { timeout: 120_000 }, (name) => {
  const module = `tests.${name.replace(/\.py$/, "")}`;
  const args = ["-W", "error::ResourceWarning", "-m", "unittest", "-v", module];
  const { status, stderr } = spawnSync(python(), args, { cwd: clientPython, env: pythonEnv, encoding: "utf8" });
  // unittest counts what it skipped as well: none may be.
  expect(stderr, stderr).toMatch(/\nRan [1-9]\d* tests? in [\d.]+s\n\nOK\n$/);
  expect(status).toBe(0);
});
