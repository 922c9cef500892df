import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { hostile, tool } from "../../daemon/surfaces/test-keeper.ts";
import { type Daemon, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place, shortDirectory } from "../kit/place.ts";
import { rule, ruleModule } from "../kit/rules.ts";
import { startProxy } from "../kit/services/proxy.ts";
import { freshDatabase } from "../kit/services/services.ts";

/** `slow` answers after half a second, so that something can happen meanwhile. */
const slow = rule("slow", 'await context.lookup("later", "k"); return allow();', { async: true });
const rules = ruleModule(slow, {
  more: "resolvers: { later: () => new Promise((resolve) => setTimeout(resolve, 500)) }, deadline_ms: 5000,",
});

let daemons: Daemon[] = [];
afterEach(async () => {
  await Promise.all(daemons.map((daemon) => daemon.stop()));
  daemons = [];
});

const started = async (place: Place): Promise<Daemon> => {
  const daemon = await startDaemon(place);
  daemons.push(daemon);
  return daemon;
};

const serving = async (more = ""): Promise<Place> => {
  const place = await makePlace(rules, `unknown: allow\n${more}`);
  await started(place);
  return place;
};

interface Answer {
  readonly verdict?: number;
  readonly modified_result?: { readonly held: readonly { readonly name: string; readonly action: string }[] } | null;
  readonly details?: { readonly code: string };
  readonly reason?: string;
  readonly error?: { readonly code: string };
}

/** One session. */
class Client {
  readonly #connection: RawConnection;
  #id = 0;

  constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  static async of({ socket }: Place): Promise<Client> {
    const client = new Client(await RawConnection.open(socket, 5_000));
    await client.#ask({ hello: { client: "test", features: ["call_id", "details", "surface"] } });
    return client;
  }

  report(tools: readonly unknown[], more: object = {}): Promise<Answer> {
    return this.#ask({ surface: { server: "orders", tools, ...more } });
  }

  async call(action: string, more: object = {}): Promise<string> {
    const { details, error } = await this.#ask({ event: { action, args: {}, server: "orders", ...more } });
    return details?.code ?? error?.code ?? "nothing";
  }

  async #ask(body: object): Promise<Answer> {
    this.#id += 1;
    this.#connection.send(Buffer.from(`${JSON.stringify({ ...body, id: `r${this.#id}`, v: 1 })}\n`));
    return JSON.parse((await this.#connection.line(20_000)).toString()) as Answer;
  }
}

const calm = [tool("status"), tool("total"), tool("slow")];
const poisoned = (name: string) => calm.map((one) => (one.name === name ? tool(name, { description: hostile }) : one));

test("a call waits for its session's report; the receipt names what was approved", async () => {
  const place = await serving();
  const client = await Client.of(place);
  expect(await client.call("status")).toBe("surface_unknown");
  expect(await client.report(calm)).toMatchObject({ verdict: 0, details: { code: "surface_recorded" } });
  expect([await client.call("status"), await client.call("other")]).toEqual(["unknown_allowed", "tool_unlisted"]);
  // Another session was shown nothing yet.
  const other = await Client.of(place);
  expect(await other.call("status")).toBe("surface_unknown");
  const receipts = await receiptsOf(place);
  const approved = receipts.find(({ event }) => event === "surface_approved");
  const report = receipts.find(({ action }) => action === "interlock.surface");
  expect(approved?.seq).toBeLessThan(report?.seq as number);
  expect(String(approved?.detail)).toContain(String(report?.surface));
  expect(receipts.find(({ action, code }) => action === "status" && code === "unknown_allowed")).toMatchObject({
    surface: report?.surface,
    trace: ["identity:SKIP", "quarantine:ALLOW", "rules:SKIP", "reach:SKIP", "approval:SKIP"],
  });
  expect(receipts.find(({ code }) => code === "tool_unlisted")).toMatchObject({
    verdict: "BLOCK",
    trace: ["identity:SKIP", "quarantine:DENY"],
  });
});

test("a tool that turns hostile is named as held, and is refused in every session", async () => {
  const place = await serving();
  const before = await Client.of(place);
  await before.report(calm);
  const client = await Client.of(place);
  expect(await client.report(poisoned("total"))).toMatchObject({
    verdict: 2,
    details: { code: "surface_held" },
    modified_result: { held: [{ kind: "tool", name: "total", action: "quarantine" }] },
  });
  expect([await client.call("total"), await client.call("status")]).toEqual(["tool_quarantined", "unknown_allowed"]);
  expect([await before.call("total"), await before.call("status")]).toEqual(["tool_quarantined", "unknown_allowed"]);
  // A trivial edit later it is held all the same.
  const edited = calm.map((one) => (one.name === "total" ? tool("total", { title: "Total" }) : one));
  await client.report(edited);
  expect(await client.call("total")).toBe("tool_quarantined");
  expect(JSON.stringify(await receiptsOf(place))).not.toContain("Ignore all previous");
});

test("a quarantine that begins while a call is judged stops that call, and withholds the result of one before it", async () => {
  const place = await serving();
  const [one, other] = [await Client.of(place), await Client.of(place)];
  await one.report(calm);
  expect(await one.call("slow", { call_id: "c-1" })).toBe("allowed");
  const under = one.call("slow", { call_id: "c-2" });
  await delay(150);
  await other.report(poisoned("slow"));
  expect(await under).toBe("tool_quarantined");
  expect(await one.call("slow", { call_id: "c-1", phase: "result", args: { result: "1" } })).toBe("tool_quarantined");
});

test("a report is good for as long as its server says, at most as long as the setting says", async () => {
  const place = await serving("surfaces:\n  max_age_s: 2\n");
  const client = await Client.of(place);
  await client.report(calm, { ttl_ms: 0 });
  expect(await client.call("status")).toBe("unknown_allowed");
  await delay(1_100);
  expect(await client.call("status")).toBe("surface_stale");
  await client.report(calm, { ttl_ms: 3_600_000 });
  await delay(1_100);
  expect(await client.call("status")).toBe("unknown_allowed");
  await delay(1_000);
  expect(await client.call("status")).toBe("surface_stale");
});

test("a server that the configuration refuses is refused at its report, and so are the calls of its session", async () => {
  const place = await serving(
    'surfaces:\n  provenance:\n    allowed_registries: ["https://registry.npmjs.org"]\n    pinned_versions: {"@acme/orders": "1.4.2"}\n',
  );
  const identity = (registry: string, version: string) => ({
    identity: {
      kind: "stdio",
      command: "npx",
      args: `sha256:${"0".repeat(64)}`,
      executable: null,
      package: { registry, name: "@acme/orders", version, integrity: null },
    },
  });
  const [client, other] = [await Client.of(place), await Client.of(place)];
  await client.report(calm, identity("https://registry.npmjs.org", "1.4.2"));
  expect(await client.call("status")).toBe("unknown_allowed");
  // The same session, whose server is started from elsewhere by now; and one that saw no other.
  for (const session of [client, other]) {
    const refused = await session.report(calm, identity("https://npm.evil.example", "1.4.2"));
    expect(refused).toMatchObject({ verdict: 1, details: { code: "provenance_refused" } });
    expect(await session.call("status")).toBe("surface_unknown");
  }
  expect(await other.report(calm)).toMatchObject({ details: { code: "provenance_refused" } });
  expect(await other.report(calm, identity("https://registry.npmjs.org", "1.4.3"))).toMatchObject({
    reason: "its version is not the one of pinned_versions",
  });
  const receipts = await receiptsOf(place);
  expect(receipts.filter(({ code }) => code === "provenance_refused")).toHaveLength(4);
  expect(receipts.filter(({ event }) => event === "surface_approved")).toHaveLength(1);
});

test("a restart loses nothing but what each session was shown", async () => {
  const place = await serving();
  await (await Client.of(place)).report(calm);
  await (await Client.of(place)).report(poisoned("total"));
  await daemons.pop()?.kill();
  await started(place);
  const client = await Client.of(place);
  expect(await client.call("status")).toBe("surface_unknown");
  await client.report(calm);
  expect([await client.call("status"), await client.call("total")]).toEqual(["unknown_allowed", "tool_quarantined"]);
});

test("two daemons on one store agree within a look", async () => {
  const address = await freshDatabase();
  const settings = `unknown: allow\nstore: ${address}\ndeployment_key: ${JSON.stringify(join(shortDirectory(), "deployment.key"))}\n`;
  const [first, second] = [await makePlace(rules, settings), await makePlace(rules, settings)];
  await started(first);
  await started(second);
  const [here, there] = [await Client.of(first), await Client.of(second)];
  await here.report(calm);
  await there.report(calm);
  expect(await there.call("total")).toBe("unknown_allowed");
  await here.report(poisoned("total"));
  await delay(1_000);
  expect(await there.call("total")).toBe("tool_quarantined");
  // A new tool is one here and there: what was approved is the same.
  expect(await there.report([...calm, tool("refund")])).toMatchObject({ verdict: 2 });
  await here.report([...calm, tool("refund")]);
  expect(await here.call("refund")).toBe("tool_held");
}, 60_000);

test("a store that is away: no report is answered as taken, and none is", async () => {
  const proxy = await startProxy(await freshDatabase());
  const place = await serving(`store: ${proxy.url}\n`);
  const client = await Client.of(place);
  await client.report(calm);
  await proxy.cut();
  expect(await client.report(poisoned("total"))).toMatchObject({ verdict: 1 });
  await proxy.restore();
  await delay(2_500);
  expect(await client.report(poisoned("total"))).toMatchObject({ verdict: 2 });
}, 60_000);

test("listings that are none are refused by name, and whatever their size others are answered", async () => {
  const place = await serving();
  const client = await Client.of(place);
  const refused = async (tools: readonly unknown[]): Promise<string> => {
    const { verdict, details, error, reason } = await client.report(tools);
    expect(verdict ?? 1).toBe(1);
    return `${details?.code ?? error?.code}: ${reason}`;
  };
  expect(await refused([tool("a"), tool("a")])).toBe("surface_refused: tools[1] has the name of another, a");
  expect(await refused([{ description: "no name" }])).toBe("surface_refused: tools[0] has no name");
  expect(await refused(["a"])).toBe("surface_refused: tools[0] is no object");
  expect(await refused([tool("mcp.get_prompt")])).toContain("tools[0] has the name of an action of the protocol");
  const many = Array.from({ length: 100_000 }, (_, at) => ({ name: `t${at}` }));
  expect(await refused(many)).toBe("surface_refused: 100000 items are more than the 10000 of a server");
  const nodes = { ...tool("a"), inputSchema: { enum: Array(1_000_000).fill(1) } };
  expect(await refused([nodes])).toBe("surface_refused: tools[0] has more than 20000 members and items");
  expect(await refused([tool("a", { description: "x".repeat(7 * 1024 * 1024) })])).toContain("is longer than");
  expect(await client.report(calm)).toMatchObject({ verdict: 0 });
  // A refused listing is what the session saw last: nothing of the one before may be called.
  await refused([tool("a"), tool("a")]);
  expect(await client.call("status")).toBe("surface_unknown");
});

test("what operators have not approved does not run where the setting says so", async () => {
  const place = await serving("surfaces:\n  baseline: approval\n");
  const client = await Client.of(place);
  const { modified_result } = await client.report(calm);
  expect(modified_result?.held.map(({ name, action }) => [name, action])).toEqual(
    calm.map(({ name }) => [name, "deny"]).sort(),
  );
  expect(await client.call("status")).toBe("tool_held");
});
