import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { nodes, reachRules, saidOn } from "../files/testing/guarded-nodes.ts";

const files = {
  "secret/a.mjs": "export default 1;",
  "secret/a.cjs": "module.exports = 1;",
  "secret/a.json": "{}",
  "open.mjs": 'export default "open";',
  "imports-secret.mjs": 'import "./secret/a.mjs";',
};
let place: Place;

beforeAll(async () => {
  place = await makePlace(reachRules);
  await startDaemon(place);
  mkdirSync(join(place.home, "secret"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.home, name), text);
});

describe.each(nodes)("modules that Node %s reads", (_version, node) => {
  it("are asked for as files, by require and by import, and by a loader's hooks", async () => {
    const secret = join(place.home, "secret");
    const said = await saidOn(
      node,
      place,
      `const fs = require("node:fs");
const module_ = require("node:module");
const secret = ${JSON.stringify(secret)};
await tried("import", () => import(secret + "/a.mjs"));
await tried("import of JSON", () => import(secret + "/a.json", { with: { type: "json" } }));
await tried("import by an open module", () => import("./imports-secret.mjs"));
await tried("require", () => require(secret + "/a.cjs"));
await tried("extension", () => module_._extensions[".json"]({}, secret + "/a.json"));
await tried("open import", async () => (await import("./open.mjs")).default);
await tried("hooks", async () => {
  if (module_.registerHooks === undefined) return "BlockedError";
  const url = require("node:url").pathToFileURL(secret + "/a.mjs").href;
  const hooks = module_.registerHooks({ resolve: (name, context, next) => (name === "seen:" ? { url, format: "module", shortCircuit: true } : next(name, context)) });
  try { await import("seen:"); } finally { hooks.deregister(); }
});`,
    );
    const blocked = ["import", "import of JSON", "import by an open module", "require", "extension", "hooks"];
    expect(said).toEqual({
      ...Object.fromEntries(blocked.map((name) => [name, "BlockedError"])),
      "open import": "open",
    });
  });
});
