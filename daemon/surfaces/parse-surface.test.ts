import { describe, expect, test } from "vitest";
import { parseSurfaceBody, SurfaceRefused } from "./parse-surface.ts";
import { body, surface, tool } from "./test-keeper.ts";

const nested = (depth: number): object => (depth === 0 ? {} : { properties: { a: nested(depth - 1) } });

describe("a listing", () => {
  test("is sorted, and has the same hash in whatever order it was listed", () => {
    const one = surface([tool("b"), tool("a")], { resources: [{ uri: "file:///x", name: "x" }] });
    expect(one.items.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["resource file:///x", "tool a", "tool b"]);
    expect(one.listed).toEqual(["resource", "tool"]);
    expect(surface([tool("a"), tool("b")], { resources: [{ name: "x", uri: "file:///x" }] }).hash).toBe(one.hash);
  });

  test("every field of a definition counts", () => {
    const hashes = [
      tool("a"),
      tool("a", { title: "A" }),
      tool("a", { annotations: { readOnlyHint: true } }),
      tool("a", { outputSchema: { type: "object" } }),
      tool("a", { icons: [{ src: "https://icons.example/a.png" }] }),
      tool("a", { _meta: { x: 1 } }),
    ].map((definition) => surface([definition]).hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test("what nobody asked for is not listed; an empty list is", () => {
    expect(surface(null).listed).toEqual([]);
    expect(surface([]).listed).toEqual(["tool"]);
    expect(surface([], { instructions: "" }).items).toMatchObject([{ kind: "instructions", definition: { text: "" } }]);
  });

  test("a file that is listed twice is one", () => {
    const file = { uri: "file:///x", name: "x" };
    expect(surface(null, { resources: [file, file] }).items).toHaveLength(1);
  });

  test("is frozen, and so is what it holds", () => {
    const [item] = surface([tool("a")]).items;
    expect([Object.isFrozen(item), Object.isFrozen(item?.definition.inputSchema)]).toEqual([true, true]);
  });
});

describe("what is no listing is refused with the place in it", () => {
  const refusal = (tools: readonly unknown[], more: object = {}): string => {
    try {
      parseSurfaceBody(body(tools as never, more));
    } catch (error) {
      if (error instanceof SurfaceRefused) return error.message;
      throw error;
    }
    return "taken";
  };

  test.each([
    ["two tools of one name", [tool("a"), tool("b"), tool("a")], "tools[2] has the name of another, a"],
    ["a tool without a name", [{ title: "A" }], "tools[0] has no name"],
    ["a name that is empty", [{ name: "" }], "tools[0] has no name"],
    ["a name that is a number", [{ name: 1 }], "tools[0] has no name"],
    ["a name inherited from nowhere", [JSON.parse('{"__proto__":{"name":"a"}}')], "tools[0] has no name"],
    ["null", [null], "tools[0] is no object"],
    ["an array", [[]], "tools[0] is no object"],
    ["a long name", [{ name: "x".repeat(1025) }], "tools[0] has a name of more than 1024 bytes"],
    [
      "too many",
      Array.from({ length: 10_001 }, (_, at) => ({ name: `t${at}` })),
      "10001 items are more than the 10000 of a server",
    ],
    [
      "many members",
      [{ name: "a", inputSchema: { enum: Array(20_000).fill(0) } }],
      "tools[0] has more than 20000 members and items",
    ],
    [
      "a long text",
      [{ name: "a", description: "x".repeat(1024 * 1024) }],
      "tools[0] is longer than 1048576 characters",
    ],
    ["half a sign", [{ name: "a", description: "\ud800" }], "tools[0] has no canonical form"],
  ])("%s", (_name, tools, message) => {
    expect(refusal(tools)).toBe(message);
  });

  test("prompts, resources and templates too", () => {
    expect(refusal([], { prompts: [{ name: "a" }, { name: "a" }] })).toBe("prompts[1] has the name of another, a");
    expect(
      refusal([], {
        resources: [
          { uri: "u", name: "a" },
          { uri: "u", name: "b" },
        ],
      }),
    ).toContain("resources[1] has the uri");
    expect(refusal([], { resource_templates: [{ name: "a" }] })).toBe("resource_templates[0] has no uriTemplate");
  });

  test("a schema that is nested deeply is one like any other", () => {
    expect(refusal([tool("a", { inputSchema: nested(40) as never })])).toBe("taken");
  });

  test("a name that would break a line is not repeated", () => {
    const name = "a\nblocked: nothing";
    expect(refusal([{ name }, { name }])).toBe(`tools[1] has the name of another, <${name.length} characters>`);
  });
});
