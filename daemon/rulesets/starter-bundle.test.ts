import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateKeyPair } from "../keys/private-key.ts";
import { trustIn } from "../keys/trust.ts";
import { loadRuleSets } from "./load.ts";
import type { LoadedRuleSet } from "./loaded.ts";
import { locateSdk } from "./sdk-location.ts";
import type { RuleSetFile } from "./signed-file.ts";
import { now_ms, openWorkshop, type Workshop } from "./testing.ts";

const key = generateKeyPair();
const source = `
  import { defineRules } from "interlock/rules";
  import { standardPacks } from "interlock/rules/packs";
  export default defineRules({ id: "starter", version: 1, ...standardPacks({ roots: ["/srv/app"] }) });`;

let workshop: Workshop;
let file: RuleSetFile;
let set: LoadedRuleSet;
beforeAll(async () => {
  workshop = await openWorkshop();
  file = await workshop.sign(source, key);
  const request = {
    files: [file],
    trust: trustIn("rules", [key.publicKey]),
    served: new Map(),
    now_ms,
    examples: "held_before",
  } as const;
  set = (await loadRuleSets(request)).sets[0]!;
});
afterAll(() => workshop.close());

describe("the starter rules, signed and loaded", () => {
  it("carry their packages, and require nothing of Node but files, paths, digests and decompression", () => {
    const { manifest } = JSON.parse(Buffer.from(file.bytes).toString("utf8"));
    const packages: readonly { readonly name: string; readonly integrity: string }[] = manifest.packages;
    const names = packages.map(({ name }) => name);
    for (const name of ["interlock", "ipaddr.js", "mvdan-sh", "node-sql-parser", "htmlparser2"])
      expect(names).toContain(name);
    const others = packages.filter(({ name }) => name !== "interlock");
    expect(others.every(({ integrity }) => integrity.startsWith("sha512-"))).toBe(true);
    expect(manifest.builtins).toEqual(["node:crypto", "node:fs", "node:os", "node:path", "node:url", "node:zlib"]);
    expect(manifest.sources).toHaveLength(1);
  });

  it("judge commands with the parser in the bundle", async () => {
    const judge = async (command: string, id = "commands.destructive") => {
      const rule = set.rules.find((each) => each.id === id)!;
      const event = {
        action: "bash",
        args: { command },
        phase: "call",
        principal: null,
        parent_principal: null,
      } as const;
      return (await rule.evaluate({ ...event, span_id: null, ts: 0 }, { now_ms, lookup: async () => undefined }))?.kind;
    };
    expect(await judge('echo "$(rm -rf /)"')).toBe("block");
    expect(await judge("if then", "commands.opaque")).toBe("escalate");
    expect(await judge("git status")).toBeUndefined();
  });
});

describe("the SDK", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

  it("is the checkout's TypeScript for a command that runs from it", async () => {
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const sdk = locateSdk();
    expect(sdk).toMatchObject({ root, version });
    expect(sdk.files.get("interlock/rules")).toBe(join(root, "rules/index.ts"));
  });

  it("is the compiled one for a built command", () => {
    const sdk = locateSdk(pathToFileURL(join(root, "dist/bin/interlock.js")).href);
    expect(sdk.files.get("interlock/rules/starter")).toBe(join(root, "dist/rules/starter/index.js"));
  });

  it("is not found outside the package", () => {
    expect(() => locateSdk("file:///nowhere/bin/x.js")).toThrow("not found");
  });
});
