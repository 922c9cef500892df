import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { directoryFor } from "../../client-node/fallback/spool-directory.ts";
import { RemoteEngine } from "../../client-node/index.ts";
import { FallbackFiles, policyOf, reads } from "../../client-node/testing/fallback-places.ts";
import { featureSet } from "../../wire/features.ts";
import type { OfflineDecision } from "../../wire/offline-body.ts";
import { helloFrame, offlineFrame } from "../../wire/request-frame.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";
import { freshDatabase } from "../kit/services/services.ts";

const running: Daemon[] = [];
const engines: RemoteEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  for (const daemon of running.splice(0)) if (daemon.isAlive()) await daemon.kill();
});

const started = async (place: Place): Promise<Daemon> => {
  const daemon = await startDaemon(place);
  running.push(daemon);
  return daemon;
};

const engineFor = (place: Place, files: FallbackFiles, principal: string | null = null): RemoteEngine => {
  const engine = new RemoteEngine(place.socket, files.options({ principal, grace_ms: 200 }));
  engines.push(engine);
  return engine;
};

const spoolSize = (place: Place, files: FallbackFiles): number =>
  readdirSync(directoryFor(files.spool, place.socket)).filter((name) => name.startsWith("decided-")).length;

const stores = [
  ["SQLite", async () => "sqlite"],
  ["PostgreSQL", freshDatabase],
] as const;

describe.each(stores)("on %s", (_name, address) => {
  const placeOf = async (): Promise<Place> =>
    makePlace(ruleModule(plainRule()), `unknown: block\nstore: ${JSON.stringify(await address())}\n`);

  test("what a client decided while the daemon was away is recorded as its word when it is back", async () => {
    const place = await placeOf();
    const files = new FallbackFiles(
      policyOf([reads, { id: "out", effect: "allow", actions: ["search"], phase: "result" }]),
    );
    const before = await started(place);
    const engine = engineFor(place, files, "acme/a");
    expect((await engine.evaluate({ action: "plain" })).verdictName).toBe("ALLOW");
    await before.kill();
    const secret = "/srv/a-name-that-is-nobodys-business";
    const begin_ms = Date.now();
    expect((await engine.evaluate({ action: "read_file", args: { path: secret }, call_id: "c1" })).verdictName).toBe(
      "ALLOW",
    );
    expect((await engine.evaluate({ action: "rm", args: {} })).verdictName).toBe("BLOCK");
    expect((await engine.evaluate({ action: "search", args: { result: 1 }, phase: "result" })).verdictName).toBe(
      "ALLOW",
    );
    expect(spoolSize(place, files)).toBe(3);
    await started(place);
    expect((await engine.evaluate({ action: "plain" })).verdictName).toBe("ALLOW");
    await until("the spool is empty", () => spoolSize(place, files) === 0);
    const told = (await receiptsOf(place)).filter(({ code }) => code === "decided_offline");
    expect(told.map(({ verdict, policy_id, phase }) => [verdict, policy_id, phase]).sort()).toEqual([
      ["ALLOW", "fallback:out", "result"],
      ["ALLOW", "fallback:reads", "call"],
      ["BLOCK", null, "call"],
    ]);
    const read = told.find(({ call_id }) => call_id === "c1");
    expect(read).toMatchObject({
      ...{ action: "read_file", principal: "acme/a", principal_source: "claimed", identity: null },
      ...{ offline: { policy: "prod@7" }, trace: ["fallback/reads:ALLOW"], response_commitment: null },
    });
    const { at_ms } = { ...(read?.offline as { at_ms: number }) };
    expect(at_ms).toBeGreaterThanOrEqual(begin_ms);
    expect(read?.time_ms).toBeGreaterThan(at_ms);
    expect(JSON.stringify(told)).not.toContain(secret);
    // Whoever has the arguments can open the commitment by the salt that the client sent.
    const shown = await interlock(place, ["receipts", "show", String(read?.seq), "--salt", "--json"]);
    expect(shown.code).toBe(0);
    expect(JSON.parse(shown.stdout).salt).toMatch(/^[0-9a-f]{32}$/);
  });

  test("told again, it is recorded once, by this daemon and the next; the answer is the same", async () => {
    const place = await placeOf();
    const daemon = await started(place);
    expect(await tell(place, [entry(1), entry(2)])).toMatchObject({
      verdict: 0,
      details: { code: "offline_recorded" },
    });
    expect(await tell(place, [entry(1), entry(2), entry(3)])).toMatchObject({ verdict: 0 });
    await daemon.kill();
    await started(place);
    expect(await tell(place, [entry(2), entry(3)])).toMatchObject({ verdict: 0 });
    const told = (await receiptsOf(place)).filter(({ code }) => code === "decided_offline");
    expect(told.map(({ request }) => request)).toEqual([1, 2, 3].map((at) => entry(at).id));
  });
});

test("who may not act here is not recorded as having acted, and is told why", async () => {
  const place = await makePlace(ruleModule(plainRule()), "unknown: block\nprincipals: token\n");
  await started(place);
  expect(await tell(place, [entry(1)])).toMatchObject({ verdict: 1, details: { code: "token_required" } });
  expect((await receiptsOf(place)).filter(({ code }) => code === "decided_offline")).toEqual([]);
});

const entry = (at: number): OfflineDecision => ({
  id: at.toString(16).padStart(32, "0"),
  at_ms: 1_700_000_000_000,
  action: "read_file",
  phase: "call",
  principal: "acme/a",
  parent_principal: null,
  call_id: null,
  args_commitment: `sha256:${"ab".repeat(32)}`,
  salt: "cd".repeat(16),
  verdict: "ALLOW",
  rule: "reads",
  policy: "prod@7",
});

/** One report on a connection of its own; its answer. */
const tell = (place: Place, decisions: readonly OfflineDecision[]): Promise<object> =>
  new Promise((resolve, reject) => {
    const socket = connect(place.socket);
    const hello = {
      client: "kit/1",
      features: featureSet(["details", "offline"]),
      nonce: null,
      scope: null,
      token: null,
    };
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", reject);
    socket.on("data", (part: string) => {
      text += part;
      const [, answer] = text.split("\n");
      if (text.split("\n").length < 3) return;
      socket.destroy();
      resolve(JSON.parse(answer as string));
    });
    socket.write(helloFrame("h", hello) + offlineFrame("o", { decisions }));
  });
