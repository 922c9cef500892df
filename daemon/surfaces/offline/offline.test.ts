import { describe, expect, test } from "vitest";
import { checkDrift, type FailOn } from "../commands/check.ts";
import { hostile, surface, tool } from "../test-keeper.ts";
import { baselineFormat, parseBaselineFile } from "./baseline-file.ts";
import { type ListingFile, parseListingFile } from "./listing-file.ts";

const key = { server: "orders", credential: null };
const read = (text: string): ListingFile => parseListingFile(Buffer.from(text), key);
const calm = [tool("status"), tool("total")];

describe("a saved listing", () => {
  test.each<[what: string, json: unknown, place: string]>([
    ["a result", { tools: calm, _meta: {} }, "tools[1]"],
    ["a list alone", calm, "[1]"],
    ["a response", { jsonrpc: "2.0", id: 1, result: { tools: calm } }, "result.tools[1]"],
    [
      "all lists",
      { tools: calm, prompts: [], resources: [], resourceTemplates: [], instructions: "be kind" },
      "tools[1]",
    ],
  ])("is read: %s", (_what, json, place) => {
    const { surface: found, places } = read(JSON.stringify(json));
    expect(found.items.filter(({ kind }) => kind === "tool").map(({ name }) => name)).toEqual(["status", "total"]);
    expect(places.get("tool:total")).toBe(place);
  });

  test.each<[what: string, text: string, why: RegExp]>([
    ["a key twice", '{"tools":[{"name":"a","name":"b"}]}', /holds a key twice/],
    ["no JSON", "{", /not valid JSON/],
    ["a byte order mark", '\ufeff{"tools":[]}', /byte order mark/],
    ["a page of several", '{"tools":[],"nextCursor":"x"}', /one page of several/],
    ["an error", '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}', /without a result/],
    ["nothing that is listed", '{"name":"a"}', /no list of tools/],
    ["a list that is none", '{"tools":{}}', /tools is no list/],
    ["a list under two names", '{"resourceTemplates":[],"resource_templates":[]}', /there twice/],
    ["two tools of one name", '[{"name":"a"},{"name":"a","title":"b"}]', /tools\[1\] has the name of another, a/],
    ["a tool without a name", '[{"title":"a"}]', /tools\[0\] has no name/],
    ["instructions that are none", '{"instructions":7}', /instructions is no text/],
    ["a text", '"tools"', /neither an object nor a list/],
  ])("is refused: %s", (_what, text, why) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ name: "ListingFileRefused", message: expect.stringMatching(why) }),
    );
  });

  test("has members of any name", () => {
    expect(
      read('[{"name":"__proto__","inputSchema":{"properties":{"__proto__":{"type":"string"}}}}]').surface.items[0]
        ?.name,
    ).toBe("__proto__");
  });
});

describe("an exported baseline", () => {
  const { items, hash, listed } = surface(calm);
  const file = () => ({
    format_version: baselineFormat,
    ...key,
    version: 3,
    approved_by: "operator:ann",
    approved_ms: 1,
    identity: null,
    listed,
    surface_hash: hash,
    items: structuredClone(items) as {
      name: string;
      hash: string;
      kind: string;
      definition: { [name: string]: unknown };
    }[],
  });
  const parsed = (json: object) => parseBaselineFile(json as never);

  test("is what it was when it was exported", () => {
    expect(parsed(file())).toEqual(surface(calm));
  });

  test.each<[what: string, change: (json: ReturnType<typeof file>) => void, why: RegExp]>([
    [
      "a definition",
      (json) => Object.assign(json.items[0]!.definition, { description: hostile }),
      /items\[0\] .* was changed/,
    ],
    ["an item less", (json) => json.items.pop(), /not those of its surface_hash/],
    ["an item twice", (json) => json.items.push(json.items[0]!), /out of order, or there twice/],
    ["the order", (json) => json.items.reverse(), /out of order/],
    ["a kind", (json) => Object.assign(json.items[0]!, { kind: "toString" }), /no known kind/],
    ["the list", (json) => Object.assign(json, { items: {} }), /no items/],
    ["the server", (json) => Object.assign(json, { server: 7 }), /names no server/],
    ["the identity", (json) => Object.assign(json, { identity: { kind: "x" } }), /identity of the baseline is none/],
  ])("is refused where somebody changed %s", (_what, change, why) => {
    const json = file();
    change(json);
    expect(() => parsed(json)).toThrow(
      expect.objectContaining({ name: "BaselineRefused", message: expect.stringMatching(why) }),
    );
  });
});

describe("drift check", () => {
  const check = (before: readonly unknown[] | null, after: readonly unknown[], failOn: FailOn = "deny") => {
    const source = JSON.stringify(after, null, 1);
    const approved = before === null ? null : read(JSON.stringify(before)).surface;
    return checkDrift({
      file: "now.json",
      source,
      listing: read(source),
      approved,
      failOn,
      format: "lines",
      columns: null,
    });
  };
  const described = (description: string) => [tool("status", { description }), tool("total")];

  test("of what is as it was approved is yes", () => {
    expect(check(calm, [...calm].reverse())).toMatchObject({
      exitCode: 0,
      lines: ["now.json: 2 items compared: as approved"],
    });
  });

  test.each<[what: string, after: readonly unknown[], codes: readonly number[]]>([
    ["hostile", described(hostile), [1, 1, 1, 1]],
    ["new", [...calm, tool("refund")], [0, 1, 1, 1]],
    ["another wording", described("Reads the status of orders."), [0, 0, 1, 1]],
  ])("fails from where on it was asked to: %s", (_what, after, codes) => {
    const all = (["quarantine", "deny", "monitor", "any"] as const).map(
      (failOn) => check(calm, after, failOn).exitCode,
    );
    expect(all).toEqual(codes);
  });

  test("of a listing alone finds what is hostile by itself", () => {
    expect(check(null, calm)).toMatchObject({
      exitCode: 0,
      lines: ["now.json: 2 items judged alone: nothing hostile"],
    });
    expect(check(null, described(hostile))).toMatchObject({ exitCode: 1, json: { action: "quarantine" } });
  });

  test("as SARIF names the line of the member, and no text of it", () => {
    const source = JSON.stringify(described(hostile), null, 1);
    const terms = { file: "now.json", source, listing: read(source), approved: read(JSON.stringify(calm)).surface };
    const { lines, exitCode } = checkDrift({ ...terms, failOn: "deny", format: "sarif", columns: null });
    const [run] = JSON.parse(lines.join("\n")).runs;
    const line = source.split("\n").findIndex((text) => text.includes('"description"')) + 1;
    expect(exitCode).toBe(1);
    expect(run.results[0]).toMatchObject({
      level: "error",
      locations: [
        {
          physicalLocation: { region: { startLine: line } },
          logicalLocations: [{ fullyQualifiedName: "tool:status.description" }],
        },
      ],
    });
    expect(run.results.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain("drift/instruction_introduced");
    expect(lines.join("\n")).not.toContain("id_rsa");
  });
});
