import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { declaredLimits } from "../../client-node/intercept/coverage/declared-limits.ts";
import type { Row } from "../../client-node/intercept/coverage/row.ts";
import { table } from "../../client-node/intercept/coverage/table.ts";
import { scope as files } from "../../client-node/intercept/files/scope.ts";
import { fileActions } from "../../rules/paths/file-arguments.ts";
import { type Inventory, inventories } from "../../scripts/coverage/inventories.ts";
import { coveragePage } from "../../scripts/coverage/page.ts";

const rows = table();
const named = rows.flatMap(({ names }) => names);
let nodes: readonly Inventory[];

beforeAll(async () => {
  nodes = await inventories();
});

/** Exports that are in no row. A plain value needs none: reading it reaches nothing. */
const unlisted = ({ exports }: Inventory, known: readonly string[]): readonly string[] => {
  const names = new Set(known);
  return [...exports].flatMap(([name, isValue]) => (isValue || names.has(name) ? [] : [name]));
};

/** Members that no listing of exports shows: of one object, of a class beneath, or only where the program is CommonJS. */
const elsewhere = [
  "fs.promises.FileHandle.prototype.close",
  "process.mainModule",
  ...["dns", "dns.promises"].flatMap((holder) =>
    ["setServers", "getServers"].map((name) => `${holder}.Resolver.prototype.${name}`),
  ),
  "console.createTask",
  "constants",
];

describe("the table of coverage", () => {
  it.each([20, 22, 24])("has every export of Node %i", (major) => {
    const node = nodes.find((each) => each.major === major);
    expect(node?.exports.size).toBeGreaterThan(1800);
    expect(unlisted(node as Inventory, named)).toEqual([]);
  });

  it("tells of an export that a new Node adds, by name", () => {
    const [oldest] = nodes as [Inventory];
    const newer = { ...oldest, exports: new Map([...oldest.exports, ["fs.readAnywhere", false]]) };
    expect(unlisted(newer, named)).toEqual(["fs.readAnywhere"]);
  });

  it("has each export in one row", () => {
    const twice = named.filter((name, at) => named.indexOf(name) !== at);
    expect(twice).toEqual([]);
  });

  it("names no export that no Node has", () => {
    const somewhere = new Set([...nodes.flatMap(({ exports }) => [...exports.keys()]), ...elsewhere]);
    expect(named.filter((name) => !somewhere.has(name))).toEqual([]);
  });

  it("says an action, or a reason", () => {
    const words = (row: Row): readonly string[] => (row.is === "guarded" ? row.asks : [row.why]);
    const empty = rows.filter((row) => row.names.length === 0 || words(row).some((text) => text.length < 5));
    expect(empty).toEqual([]);
  });
});

describe("the starter rules for files", () => {
  it("judge every call by which Node reaches a file without `fs`", () => {
    // SQL has no path, and is refused unless a rule names it.
    const reaching = files().flatMap((row) => (row.is === "guarded" ? row.asks : []));
    const unjudged = reaching.filter((action) => action !== "sqlite.attach" && !fileActions.includes(action));
    expect(unjudged).toEqual([]);
  });
});

describe("declared limits", () => {
  it("have an id each, and end their sentences", () => {
    const ids = declaredLimits.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, what, why, instead } of declaredLimits) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      for (const text of [what, why, instead]) expect(text).toMatch(/^[A-Z`].*\.$/);
    }
  });
});

describe("docs/coverage.md", () => {
  it("is what `npm run docs:coverage` makes", () => {
    const committed = readFileSync(fileURLToPath(new URL("../../docs/coverage.md", import.meta.url)), "utf8");
    expect(committed).toBe(coveragePage(rows, declaredLimits, nodes));
  });
});
