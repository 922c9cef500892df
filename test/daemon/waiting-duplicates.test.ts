import { afterEach, expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import type { FeatureName } from "../../wire/features.ts";
import { type Daemon, startDaemon } from "../kit/daemon.ts";
import { helloLine } from "../kit/frames.ts";
import { makePlace } from "../kit/place.ts";
import { refundModule } from "../kit/refunds.ts";

const features: readonly FeatureName[] = ["call_id", "details", "escape", "replay", "resend"];

const daemons: Daemon[] = [];
afterEach(async () => {
  await Promise.all(daemons.splice(0).map((daemon) => daemon.stop()));
});

const serving = async (): Promise<{ daemon: Daemon; connection: RawConnection }> => {
  const place = await makePlace(refundModule({ more: 'idempotency: { by: "arguments", wait_ms: 9000 },' }));
  const daemon = await startDaemon(place);
  daemons.push(daemon);
  const connection = await RawConnection.open(place.socket, 5_000);
  connection.send(helloLine("nonce-of-who-waits-here", features));
  await connection.line(5_000);
  return { daemon, connection };
};

const refund = (id: string, amount: string): Buffer =>
  Buffer.from(
    `{"event":{"action":"refund","args":{"order_id":"o2","customer_id":"c2","amount":${amount}},` +
      `"call_id":"call-${id}","phase":"call"},"id":"${id}","v":1}\n`,
  );

const codeIn = async (connection: RawConnection): Promise<unknown> => {
  const answer = JSON.parse((await connection.line(10_000)).toString());
  return answer.error?.code ?? answer.details.code;
};

test("a daemon that stops keeps no duplicate waiting: each is told that the first is under way", async () => {
  const { daemon, connection } = await serving();
  connection.send(refund("first", "1"));
  expect(await codeIn(connection)).toBe("rewritten");
  for (const id of ["a", "b"]) connection.send(refund(id, "1"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const began_ms = performance.now();
  const stopped = daemon.stop();
  expect([await codeIn(connection), await codeIn(connection)]).toEqual(["in_flight", "in_flight"]);
  connection.drop();
  expect((await stopped).code).toBe(0);
  expect(performance.now() - began_ms).toBeLessThan(5_000);
});

test("a whole number beyond 2^53-1 in a contract's call is refused for what it is, as no failure of the engine", async () => {
  const { connection } = await serving();
  connection.send(refund("huge", "1e21"));
  expect(await codeIn(connection)).toBe("fact_failed");
});
