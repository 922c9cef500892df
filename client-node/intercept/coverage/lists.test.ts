import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { shortDirectory } from "../../../test/kit/place.ts";
import { client } from "../exec/testing/guarded-program.ts";
import { nodes } from "../fs/testing/rig.ts";

const moduleAt = (path: string): string => JSON.stringify(pathToFileURL(join(client, "client-node", path)).href);

interface Lists {
  readonly covered: readonly string[];
  readonly uncovered: readonly string[];
  readonly outOfScope: Readonly<Record<string, string>>;
  readonly said: unknown;
}

/** What a guarded program reads in the lists. There is no daemon: to make them asks nothing. */
const listsOf = (node: string, options: string, more = ""): Lists => {
  const program = join(shortDirectory(), "program.mjs");
  writeFileSync(
    program,
    `import { installInterceptors, RemoteEngine } from ${moduleAt("index.js")};
const engine = new RemoteEngine("/nowhere/g.sock");
let said = null;
const installed = installInterceptors({ engine, ...${options} });
${more}
const { covered, uncovered, outOfScope } = installed;
console.log(JSON.stringify({ covered, uncovered, outOfScope, said }));
process.exit(0);`,
  );
  return JSON.parse(execFileSync(node, [program], { encoding: "utf8" }));
};

describe.each(nodes)("the lists of Node %s", (_version, node) => {
  it("leave nothing uncovered, and have each name once", () => {
    const { covered, uncovered, outOfScope } = listsOf(node, "{}");
    expect(uncovered).toEqual([]);
    expect(covered.length).toBeGreaterThan(300);
    expect(covered).toEqual([...new Set(covered)].sort());
    expect(covered.filter((name) => Object.hasOwn(outOfScope, name))).toEqual([]);
    expect(covered).toEqual(
      expect.arrayContaining(["child_process.spawn", "fs.readFile", "net.connect", "process.binding"]),
    );
  });

  it("name what a group that is switched off leaves open", () => {
    const { covered, uncovered } = listsOf(node, "{ exec: false, net: false }");
    expect(covered).toContain("http.request");
    expect(uncovered).toEqual(expect.arrayContaining(["child_process.spawn", "inspector.open", "net.connect"]));
    expect(uncovered).toEqual([...new Set(uncovered)].sort());
  });

  it("are the same for a second call, and load no builtin of another module", () => {
    const { said } = listsOf(
      node,
      "{}",
      `const second = installInterceptors({ engine });
const { builtinModules } = await import("node:module");
const loaded = () => builtinModules.filter((name) => process.moduleLoadList.includes("NativeModule " + name.replace("node:", "")));
const before = loaded();
said = [second.covered === installed.covered, Object.isFrozen(installed.covered), loaded().filter((name) => !before.includes(name))];`,
    );
    expect(said).toEqual([true, true, ["timers/promises"]]);
  });

  it("show an export that this package does not know", () => {
    const { uncovered } = listsOf(node, "{}", `(await import("node:fs")).default.readAnywhere = () => {};`);
    expect(uncovered).toEqual(["fs.readAnywhere"]);
  });
});
