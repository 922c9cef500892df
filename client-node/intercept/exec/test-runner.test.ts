import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { nodes, reachRules, saidOn } from "../files/testing/guarded-nodes.ts";

let place: Place;

beforeAll(async () => {
  place = await makePlace(reachRules);
  await startDaemon(place);
  mkdirSync(join(place.home, "secret"));
  writeFileSync(join(place.home, "secret", "env"), "A_SECRET=1\n");
  writeFileSync(join(place.home, "reads.test.mjs"), `import test from "node:test"; test("reads", () => ${reads});`);
  writeFileSync(
    join(place.home, "reporter.mjs"),
    `const said = (() => { try { ${reads}; return "read"; } catch (error) { return error.name; } })();
export default async function* (source) { for await (const { type } of source) if (type === "test:fail" || type === "test:pass") yield type + " "; yield "reporter " + said; }`,
  );
});

const reads = `process.getBuiltinModule("node:fs").readFileSync("secret/env")`;

describe.each(nodes)("node --test on Node %s, started by a guarded program", (_version, node) => {
  it("guards each test file and the reporter, and is refused where Node would load the reporter first", async () => {
    const said = await saidOn(
      node,
      place,
      `const { spawnSync } = require("node:child_process");
const test = (...flags) => spawnSync(process.execPath, ["--test", "--test-reporter=./reporter.mjs", ...flags, "reads.test.mjs"], { encoding: "utf8" }).stdout.trim();
await tried("a process for each file", () => test());
await tried("one process", () => test("--test-isolation=none"));
await tried("one process, by its old name", () => test("--experimental-test-isolation", "none"));`,
    );
    expect(said).toEqual({
      "a process for each file": "test:fail reporter BlockedError",
      "one process": "BlockedError",
      "one process, by its old name": "BlockedError",
    });
  });

  it("runs the test files of a guarded program as without the guard", async () => {
    writeFileSync(join(place.home, "passes.test.mjs"), `import test from "node:test"; test("passes", () => {});`);
    const said = await saidOn(
      node,
      place,
      `await tried("code", () => require("node:child_process").spawnSync(process.execPath, ["--test", "passes.test.mjs"]).status);`,
    );
    expect(said).toEqual({ code: 0 });
  });
});
