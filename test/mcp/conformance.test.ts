import { expect, it } from "vitest";
import { aloneServer, scoreOf, startGateway } from "./suite.ts";

/** `server-everything` alone passes 13: it lacks the suite's own tools. The one more is a foreign Host, which the gateway refuses before it. */
const everythingPasses = 14;

it("the official conformance suite passes behind the gateway as it does without it", async () => {
  const alone = await aloneServer();
  const withoutGateway = await scoreOf(alone.url).finally(() => alone.end());
  expect(withoutGateway).toMatchObject({ passed: 40, failed: 0 });
  const gateway = await startGateway();
  try {
    expect(await scoreOf(`${gateway.url}/mcp/own`)).toEqual(withoutGateway);
    expect((await scoreOf(`${gateway.url}/mcp/everything`)).passed).toBe(everythingPasses);
  } finally {
    await gateway.end();
  }
}, 240_000);
