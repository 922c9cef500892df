// Loader hooks break circular modules and bundles (nodejs/import-in-the-middle #163, opentelemetry-js #4546): the guard uses none.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place, shortDirectory } from "../kit/place.ts";
import { esmHook, requireHook, runProgram, saidBy, secretRules } from "./programs.ts";

let place: Place;
const folder = shortDirectory();
beforeAll(async () => {
  place = await makePlace(secretRules);
  await startDaemon(place);
  writeFileSync(
    join(folder, "one.mjs"),
    `import { statSync } from "node:fs"; import { two } from "./two.mjs";
    export const one = () => { try { return statSync("/tmp/secret"); } catch (error) { return error.name; } };
    console.log(JSON.stringify(two()));`,
  );
  writeFileSync(
    join(folder, "two.mjs"),
    `import fs from "fs"; import { one } from "./one.mjs";
    export const two = () => { try { return fs.statSync("/tmp/secret"); } catch (error) { return [one(), error.name]; } };`,
  );
});

for (const [name, args] of [
  ["--import", ["--import", esmHook]],
  ["--require", ["--require", requireHook]],
] as const) {
  test(`${name}: modules that import each other are guarded`, async () => {
    const program = pathToFileURL(join(folder, "one.mjs")).href;
    const ended = await runProgram(args, program, { INTERLOCK_SOCKET: place.socket });
    expect(saidBy(ended)).toEqual(["BlockedError", "BlockedError"]);
  });

  for (const [format, extension] of [
    ["esm", "mjs"],
    ["cjs", "cjs"],
  ] as const) {
    test(`${name}: a bundle of them is guarded (${format})`, async () => {
      const outfile = join(folder, `bundle.${extension}`);
      await build({ entryPoints: [join(folder, "one.mjs")], outfile, bundle: true, platform: "node", format });
      const ended = await runProgram(args, pathToFileURL(outfile).href, { INTERLOCK_SOCKET: place.socket });
      expect(saidBy(ended)).toEqual(["BlockedError", "BlockedError"]);
    });
  }
}
