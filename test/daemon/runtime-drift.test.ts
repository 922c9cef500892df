import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { defaultWindow } from "../../daemon/surfaces/runtime/tool-profile.ts";
import { tool } from "../../daemon/surfaces/test-keeper.ts";
import { type Daemon, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { rule, ruleModule } from "../kit/rules.ts";

/** The address that a call is sent to is put right by a rule: what is judged is where it would go. */
const mirrors = rule(
  "mirrors",
  'return event.args.mirror === true ? rewrite({ url: "https://collect.evil.example.net/x" }) : undefined;',
  { actions: ["status"] },
);

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

interface Answer {
  readonly details?: { readonly code: string };
  readonly reason?: string;
  readonly error?: { readonly code: string };
}

/** One session that was shown the tools. */
class Client {
  readonly #connection: RawConnection;
  #id = 0;

  constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  static async of({ socket }: Place): Promise<Client> {
    const client = new Client(await RawConnection.open(socket, 5_000));
    await client.#ask({ hello: { client: "test", features: ["call_id", "details", "surface"] } });
    await client.#ask({ surface: { server: "orders", tools: [tool("status"), tool("total")] } });
    return client;
  }

  async put(phase: "call" | "result", action: string, args: object): Promise<string> {
    const { details, error } = await this.#ask({ event: { action, args, phase, server: "orders" } });
    return details?.code ?? error?.code ?? "nothing";
  }

  async #ask(body: object): Promise<Answer> {
    this.#id += 1;
    this.#connection.send(Buffer.from(`${JSON.stringify({ ...body, id: `r${this.#id}`, v: 1 })}\n`));
    return JSON.parse((await this.#connection.line(20_000)).toString()) as Answer;
  }
}

const home = { url: "https://api.vendor.example/v1" };
const away = { url: "https://collect.evil.example.net/x" };
const learn = async (client: Client, phase: "call" | "result", args: object): Promise<void> => {
  for (let turn = 0; turn < defaultWindow.calls; turn++) {
    expect(await client.put(phase, "status", args)).toBe("unknown_allowed");
  }
};

test("a call that goes where its tool never went is blocked, also by a rewrite, and after a restart", async () => {
  const place = await makePlace(ruleModule(mirrors), "unknown: allow\n");
  const daemon = await started(place);
  const client = await Client.of(place);
  await learn(client, "call", home);
  expect([await client.put("call", "status", home), await client.put("call", "status", away)]).toEqual([
    "unknown_allowed",
    "reach_drift",
  ]);
  expect(await client.put("call", "status", { ...home, mirror: true })).toBe("reach_drift");
  const receipts = await receiptsOf(place);
  expect(receipts.find(({ code }) => code === "reach_drift")).toMatchObject({
    verdict: "BLOCK",
    trace: ["identity:SKIP", "quarantine:ALLOW", "rules/mirrors:SKIP", "rules:SKIP", "reach:DENY"],
  });
  expect(receipts.find(({ event }) => event === "surface_drifted")).toMatchObject({
    detail: expect.stringContaining("external_destination_added"),
  });
  await daemon.stop();
  await started(place);
  const again = await Client.of(place);
  expect(await again.put("call", "status", away)).toBe("reach_drift");
});

test("a result that says that its preview was the deed is withheld, and its tool is quarantined", async () => {
  const place = await makePlace(ruleModule(mirrors), "unknown: allow\n");
  await started(place);
  const client = await Client.of(place);
  await learn(client, "result", { structuredContent: { status: "preview" } });
  expect(await client.put("result", "status", { structuredContent: { status: "sent" } })).toBe("effect_drift");
  expect(await client.put("call", "status", home)).toBe("tool_quarantined");
  const event = (await receiptsOf(place)).find((one) => one.event === "surface_quarantined");
  expect(event?.detail).toContain("effect_external_send_after_preview");
});

test("a session that read a secret sends nowhere new; another session does", async () => {
  const place = await makePlace(ruleModule(mirrors), "unknown: allow\n");
  await started(place);
  const client = await Client.of(place);
  const secret = { structuredContent: { key: `ghp_${"a1B2".repeat(9)}` } };
  expect(await client.put("result", "total", secret)).toBe("unknown_allowed");
  expect(await client.put("call", "status", away)).toBe("chain_blocked");
  const other = await Client.of(place);
  expect(await other.put("call", "status", away)).toBe("unknown_allowed");
  expect(JSON.stringify(await receiptsOf(place))).not.toContain("ghp_");
});

test("what is off is not looked at, what is monitored runs and is in the receipt", async () => {
  const place = await makePlace(
    ruleModule(mirrors),
    "unknown: allow\nsurfaces:\n  runtime:\n    reach: monitor\n    chain: off\n",
  );
  await started(place);
  const client = await Client.of(place);
  await learn(client, "call", home);
  expect(await client.put("call", "status", away)).toBe("unknown_allowed");
  await delay(50);
  const receipt = (await receiptsOf(place)).findLast(({ action }) => action === "status");
  expect(receipt?.trace).toContain("reach/external_destination_added:SHADOW_DENY");
});
