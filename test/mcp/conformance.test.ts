import { expect, it } from "vitest";
import { aloneServer, scoreOf, startGateway } from "./suite.ts";

/** What `server-everything` alone passes of the suite: it lacks the suite's own tools. */
const everythingPasses = 13;

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
