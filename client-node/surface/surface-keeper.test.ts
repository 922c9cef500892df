import { describe, expect, test } from "vitest";
import type { SurfaceBody } from "../../wire/surface-body.ts";
import { BlockedError } from "../blocked-error.ts";
import { Decision } from "../decision.ts";
import type { Engine } from "../guard-options.ts";
import { type AskPage, type ListName, readListing } from "./listing.ts";
import { namedServer, SurfaceKeeper } from "./surface-keeper.ts";

const tool = (name: string, description = name): object => ({ name, description, inputSchema: { type: "object" } });

const setUp = (given: { ask?: AskPage; answer?: (body: SurfaceBody) => Decision | null; lists?: ListName[] } = {}) => {
  const reports: SurfaceBody[] = [];
  let now_ms = 0;
  const engine: Engine = {
    evaluate: async () => Decision.allow(),
    surface: async (body) => {
      reports.push(body);
      return given.answer === undefined ? Decision.allow() : given.answer(body);
    },
  };
  const server = {
    lists: () => given.lists ?? (["tools"] as const),
    ask: given.ask ?? (async () => ({ tools: [tool("a")] })),
    instructions: () => null,
    identity: async () => null,
  };
  const keeper = new SurfaceKeeper(namedServer("fs", "ann"), engine, server, () => now_ms);
  const pass = (ms: number): void => {
    now_ms += ms;
  };
  return { keeper, reports, pass };
};

const refusal = async (asking: Promise<unknown>): Promise<[string | undefined, string]> => {
  const error = await asking.then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(BlockedError);
  return [error.decision.details?.code, error.decision.reason];
};

describe("a listing", () => {
  const pages =
    (list: ListName, ...all: object[]): AskPage =>
    async (asked, cursor) =>
      asked === list ? all[cursor === null ? 0 : Number(cursor)] : undefined;

  test("is all pages of all lists, in order", async () => {
    const ask = pages(
      "tools",
      { tools: [1], nextCursor: "1", ttlMs: 900 },
      { tools: [2], nextCursor: "2" },
      { tools: [], ttlMs: 500.9 },
    );
    expect(await readListing(["tools", "prompts"], ask)).toEqual({
      tools: [1, 2],
      prompts: null,
      resources: null,
      resource_templates: null,
      ttl_ms: 500,
    });
  });

  for (const [what, all, words] of [
    ["a page that comes again", [{ tools: [], nextCursor: "0" }, {}], /the same page twice/],
    ["a cursor that is no text", [{ tools: [], nextCursor: 7 }], /is not one/],
    ["a list that is none", [{ tools: {} }], /is not one/],
    ["an answer that is none", [7], /is not one/],
    ["a list that a later page does not have", [{ tools: [], nextCursor: "1" }], /is not one/],
    ["more than a frame holds", [{ tools: ["x".repeat(8 * 1024 * 1024)] }], /longer than can be reported/],
  ] as const) {
    test(`is refused: ${what}`, async () => {
      await expect(readListing(["tools"], pages("tools", ...(all as unknown as object[])))).rejects.toThrow(words);
    });
  }

  test("is refused: pages without an end", async () => {
    let page = 0;
    const ask: AskPage = async () => ({ tools: [], nextCursor: `${++page}` });
    await expect(readListing(["tools"], ask)).rejects.toThrow(/more pages than are read/);
    expect(page).toBe(1000);
  });
});

describe("what the daemon knows of a server", () => {
  test("is reported before the first call, once for all who wait", async () => {
    const { keeper, reports } = setUp();
    await Promise.all([keeper.ready(), keeper.ready(), keeper.ready()]);
    await keeper.ready();
    expect(reports).toEqual([
      {
        server: "fs",
        credential: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        tools: [tool("a")],
        prompts: null,
        resources: null,
        resource_templates: null,
        instructions: null,
        identity: null,
        ttl_ms: null,
      },
    ]);
  });

  test("is reported anew when the server says that it changed, and when its time is over", async () => {
    const { keeper, reports, pass } = setUp({ ask: async () => ({ tools: [], ttlMs: 1000 }) });
    await keeper.ready();
    keeper.changed();
    await keeper.ready();
    expect(reports).toHaveLength(2);
    pass(999);
    await keeper.ready();
    expect(reports).toHaveLength(2);
    pass(1);
    await keeper.ready();
    expect(reports).toHaveLength(3);
  });

  test("is never relied on for longer than 240 s, whatever the server says", async () => {
    const { keeper, reports, pass } = setUp({ ask: async () => ({ tools: [], ttlMs: 1e12 }) });
    await keeper.ready();
    pass(240_000);
    await keeper.ready();
    expect(reports.map(({ ttl_ms }) => ttl_ms)).toEqual([86_400_000, 86_400_000]);
  });

  test("is listed again where it changes while it is read; one that always does is listed before each call, and no more than so often", async () => {
    let changes = 2;
    let asked = 0;
    const made = setUp({
      ask: async () => {
        asked++;
        if (changes-- > 0) made.keeper.changed();
        return { tools: [tool(`v${asked}`)] };
      },
    });
    await made.keeper.ready();
    expect(made.reports.map(({ tools }) => tools)).toEqual([[tool("v3")]]);
    changes = Number.POSITIVE_INFINITY;
    made.keeper.changed();
    await made.keeper.ready();
    expect(asked).toBe(3 + 6);
    await made.keeper.ready();
    expect(asked).toBe(3 + 12);
  });

  test("nothing is known where there is no listing: refused, with the reason, and asked again at the next call", async () => {
    let isBroken = true;
    const { keeper, reports } = setUp({
      ask: async () => {
        if (isBroken) throw new Error("s3cret");
        return { tools: [] };
      },
    });
    expect(await refusal(keeper.ready())).toEqual(["surface_unlisted", "the server does not answer for its listing"]);
    expect(reports).toEqual([]);
    isBroken = false;
    await keeper.ready();
    expect(reports).toHaveLength(1);
  });

  test("a refused server is refused; an answer that is none, and one that does not come, are refusals", async () => {
    const answers: [() => Decision, RegExp][] = [
      [() => Decision.block("removed by ann"), /removed by ann/],
      [() => Decision.escalate("ask"), /ask/],
      [() => Decision.modifyResult({ held: [{ kind: "tool" }] }), /something that is no answer/],
      [() => Decision.modifyResult([]), /something that is no answer/],
      [
        () => {
          throw new Error("s3cret");
        },
        /no verdict on what the server lists: Error/,
      ],
    ];
    for (const [answer, words] of answers) {
      const [, reason] = await refusal(setUp({ answer }).keeper.ready());
      expect(reason).toMatch(words);
      expect(reason).not.toContain("s3cret");
    }
  });

  test("a daemon that keeps none is told once, and nothing is held back", async () => {
    const { keeper, reports } = setUp({ answer: () => null });
    await keeper.ready();
    keeper.changed();
    await keeper.ready();
    expect(reports).toHaveLength(1);
    expect(keeper.isKept).toBe(false);
    expect(keeper.shown("tools", [tool("x") as never])).toMatchObject({ differs: false, items: [tool("x")] });
  });
});

describe("what is shown of a page", () => {
  test("is neither what is held nor what differs from what was reported", async () => {
    const held = [{ kind: "tool", name: "b", action: "quarantine", reason: "it changed" }];
    const { keeper } = setUp({
      ask: async () => ({ tools: [tool("a"), tool("b"), tool("c")] }),
      answer: () => Decision.modifyResult({ held }),
    });
    await keeper.ready();
    const page = (...tools: object[]): never[] => tools as never[];
    expect(keeper.shown("tools", page(tool("a"), tool("b"), tool("c")))).toEqual({
      items: [tool("a"), tool("c")],
      differs: false,
    });
    expect(keeper.shown("tools", page(tool("a"), tool("c", "another")))).toEqual({ items: [tool("a")], differs: true });
    expect(keeper.shown("tools", page(tool("new"), { no: "name" }))).toEqual({ items: [], differs: true });
    expect(keeper.isHeld("tools", "b")).toBe(true);
    expect(keeper.isHeld("prompts", "b")).toBe(false);
    // The same page, not a copy: it goes on as it came.
    const whole = page(tool("a"), tool("c"));
    expect(keeper.shown("tools", whole).items).toBe(whole);
  });
});
