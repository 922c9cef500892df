import { expect, test, vi } from "vitest";
import { parseSurfaceBody } from "./parse-surface.ts";
import { body, keep, taken, tool } from "./test-keeper.ts";

vi.mock("./limits.ts", async (original) => ({ ...(await original<object>()), maxOtherTools: 20 }));

const of = (server: string, tools: readonly string[]) =>
  parseSurfaceBody({ ...body(tools.map((name) => tool(name))), server });

test("a server that offers very many tools hides nobody's from the one that takes a name of theirs", async () => {
  const { keeper } = await keep();
  const findings = async (server: string): Promise<readonly string[]> => {
    const { known } = await taken(keeper, of(server, ["transfer_funds"]));
    return known.record.items.flatMap(({ findings }) => findings.map(({ type }) => type));
  };
  await taken(
    keeper,
    of(
      "flood",
      Array.from({ length: 21 }, (_, at) => `t${at}`),
    ),
  );
  await taken(keeper, of("bank", ["transfer_funds"]));
  expect(await findings("evil")).not.toEqual([]);
});
