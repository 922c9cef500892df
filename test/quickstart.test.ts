import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { outputMatches, printedLines } from "./structure/docs/expected-output.ts";
import { fencedBlocks } from "./structure/docs/fences.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

it("npm run quickstart does and prints what README.md shows", { timeout: 120_000 }, () => {
  const blocks = fencedBlocks(readFileSync(`${root}README.md`, "utf8"));
  const shown = blocks.find(({ lines }) => lines[0] === "$ npm run quickstart");
  expect(shown).toBeDefined();
  const ran = spawnSync(process.execPath, ["--import", "tsx", "scripts/quickstart.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(ran.stderr).toBe("");
  expect(ran.status).toBe(0);
  const expected = (shown?.lines ?? []).slice(1);
  expect(outputMatches(expected, printedLines(ran.stdout)), `it printed:\n${ran.stdout}`).toBe(true);
});
