import { describe, expect, test } from "vitest";
import type { WireObject } from "../../../wire/value.ts";
import { defaultRuntime, type RuntimeSettings } from "../../config/settings.ts";
import type { Watched } from "../../engine/judgement.ts";
import { approveItem } from "../state/operator-changes.ts";
import { hashesOf } from "../state/record.ts";
import { type Kept, keep, surface, taken, tool } from "../test-keeper.ts";
import { Behaviours } from "./behaviours.ts";
import { defaultWindow } from "./tool-profile.ts";

const server = { server: "orders", credential: null };
const names = ["status", "total", "notify", "preview_total", "get_order", "get_password"];

interface Watching extends Kept {
  readonly behaviours: Behaviours;
  /** What the call or result meets; it stands where nothing denied. */
  readonly put: (
    phase: "call" | "result",
    name: string,
    value: WireObject,
    session?: object,
  ) => Promise<readonly [code: string, ...said: string[]]>;
  readonly learn: (phase: "call" | "result", name: string, value: WireObject, times?: number) => Promise<void>;
}

const watching = async (settings: Partial<RuntimeSettings> = {}, on?: Kept): Promise<Watching> => {
  const kept = on ?? (await keep());
  if (on === undefined) await taken(kept.keeper, surface(names.map((name) => tool(name, { description: "Answers." }))));
  const behaviours = new Behaviours({
    ledger: kept.ledger,
    keeper: kept.keeper,
    settings: { ...defaultRuntime, ...settings },
    now_ms: () => 1,
    rules: () => "sha256:rules",
    log: () => undefined,
  });
  await behaviours.look();
  const own = {};
  const put: Watching["put"] = async (phase, name, value, session = own) => {
    const behaviour = await behaviours.of(session, server, { action: name, phase });
    if (behaviour === null) return ["unwatched"];
    const { denial, said }: Watched = behaviour.watch(value);
    if (denial === null) behaviour.stands();
    return [denial?.code ?? "runs", ...said.map(([one, answer]) => `${one}:${answer}`)];
  };
  const learn: Watching["learn"] = async (phase, name, value, times = defaultWindow.calls) => {
    for (let turn = 0; turn < times; turn++) expect((await put(phase, name, value, {}))[0]).toBe("runs");
  };
  return Object.assign(Object.create(kept) as Kept, { behaviours, put, learn });
};

const home = { url: "https://api.vendor.example/v1" };
const away = { url: "https://collect.evil.example.net/x" };
const secret = { structuredContent: { key: `ghp_${"a1B2".repeat(9)}` } };

describe("where a call goes", () => {
  test("is learned, then held; what was blocked was not learned", async () => {
    const { put, learn, noted } = await watching();
    expect(await put("call", "status", home)).toEqual(["runs", "reach:SKIP"]);
    await learn("call", "status", home);
    expect(await put("call", "status", home)).toEqual(["runs", "reach:ALLOW"]);
    expect(await put("call", "status", away)).toEqual(["reach_drift", "reach:DENY"]);
    expect(await put("call", "status", away)).toEqual(["reach_drift", "reach:DENY"]);
    // Told once, with the domain and nothing of the rest.
    const told = (await noted()).filter(([event]) => event === "surface_drifted");
    expect(told).toEqual([
      [
        "surface_drifted",
        "orders: tool status denied (external_destination_added: it goes where this tool never went: example.net)",
      ],
    ]);
  });

  test("with a secret quarantines the tool, until it is approved and learned anew (T10)", async () => {
    const { put, learn, keeper } = await watching();
    await learn("call", "notify", home);
    expect(await put("call", "notify", { ...away, api_key: "k-123456" })).toEqual(["reach_drift", "reach:DENY"]);
    const known = keeper.list()[0];
    expect(known?.record.items).toMatchObject([
      { name: "notify", action: "quarantine", by: "daemon", findings: [{ type: "external_secret_destination_added" }] },
    ]);
    expect(JSON.stringify(known?.record)).not.toContain("k-123456");
    const hash = hashesOf(known?.record.observed.items ?? []).get("tool:notify") as string;
    await keeper.change(server, (record) =>
      approveItem(record, { kind: "tool", name: "notify" }, hash, { by: "operator:ann", now_ms: 2 }),
    );
    expect(keeper.list()[0]?.record.items).toEqual([]);
    expect(await put("call", "notify", away)).toEqual(["runs", "reach:SKIP"]);
  });

  test("of a mailer is many places: a recipient more is nothing new, a secret to one is", async () => {
    const { put } = await watching();
    for (let at = 0; at < defaultWindow.calls; at++) {
      expect((await put("call", "notify", { to: `jane@customer${at}.example` }))[0]).toBe("runs");
    }
    expect(await put("call", "notify", { to: "joe@another.example" })).toEqual(["runs", "reach:ALLOW"]);
    expect((await put("call", "notify", { to: "joe@more.example", password: "hunter2hunter2" }))[0]).toBe(
      "reach_drift",
    );
  });

  test("as an operator declared it is no finding; monitored it is told", async () => {
    const declared = [{ server: "orders", tool: "status", domains: ["example.net"] }];
    const first = await watching({ destinations: declared });
    await first.learn("call", "status", home);
    expect(await first.put("call", "status", away)).toEqual(["runs", "reach:ALLOW"]);
    await first.learn("call", "total", home);
    expect((await first.put("call", "total", away))[0]).toBe("reach_drift");
    const monitoring = await watching({ reach: "monitor" });
    await monitoring.learn("call", "status", home);
    expect(await monitoring.put("call", "status", { ...away, token: "k-123456" })).toEqual([
      "runs",
      "reach/external_secret_destination_added:SHADOW_DENY",
    ]);
    expect(monitoring.keeper.list()[0]?.record.items).toEqual([]);
  });

  test("is learned for good: written now and then, merged with what another daemon learned, and noted when it is done", async () => {
    const one = await watching();
    await one.learn("call", "status", home, 12);
    await one.behaviours.flush();
    const other = await watching({}, one);
    await other.learn("call", "status", { url: "https://cdn.other.example/" }, 8);
    await one.learn("call", "status", home, 3);
    await one.behaviours.flush();
    await other.behaviours.flush();
    const third = await watching({}, one);
    expect(await third.put("call", "status", home)).toEqual(["runs", "reach:ALLOW"]);
    expect(await third.put("call", "status", { url: "https://cdn.other.example/" })).toEqual(["runs", "reach:ALLOW"]);
    expect((await third.put("call", "status", away))[0]).toBe("reach_drift");
    expect((await one.noted()).filter(([event]) => event === "behaviour_learned")).toEqual([
      ["behaviour_learned", "orders: tool status reach of 20 calls, 2 destinations"],
    ]);
  });
});

describe("what a result holds", () => {
  const usual = { structuredContent: { id: 1, nextPageToken: "abc", total_tokens: 12 } };

  test("a secret where there never was one is withheld, and quarantines", async () => {
    const { put, learn, keeper } = await watching();
    await learn("result", "total", usual);
    expect(await put("result", "total", usual)).toEqual(["runs", "response:ALLOW", "effect:ALLOW"]);
    expect(await put("result", "total", secret)).toEqual(["response_drift", "response:DENY"]);
    expect(keeper.list()[0]?.quarantined.has("tool:total")).toBe(true);
  });

  test("mail addresses where there never were any are withheld, and the tool stays", async () => {
    const { put, learn, keeper } = await watching();
    await learn("result", "total", usual);
    expect((await put("result", "total", { structuredContent: { mail: "jane.doe@corp-mail.com" } }))[0]).toBe(
      "response_drift",
    );
    expect(keeper.list()[0]?.record.items).toEqual([]);
  });

  test("a deed after previews is withheld also while they are few", async () => {
    const { put, learn, keeper } = await watching();
    await learn("result", "preview_total", { structuredContent: { status: "preview" } }, 5);
    expect(await put("result", "preview_total", { structuredContent: { deleted: 3 } })).toEqual([
      "effect_drift",
      "response:SKIP",
      "effect:DENY",
    ]);
    expect(keeper.list()[0]?.quarantined.has("tool:preview_total")).toBe(true);
  });

  test("what a reader reads of others is no deed of its own; what it calls an effect is", async () => {
    const { put, learn } = await watching();
    await learn("result", "get_order", { structuredContent: { status: "preview", effect: "read" } });
    const read = { structuredContent: { status: "refunded", deleted: true } };
    expect((await put("result", "get_order", read))[0]).toBe("runs");
    expect((await put("result", "get_order", { structuredContent: { effect: "refunded" } }))[0]).toBe("effect_drift");
  });

  test("text that stands alone is read as the text that it is, and a failed call did nothing", async () => {
    const { put, learn } = await watching();
    await learn("result", "preview_total", { result: "Previewed 3 rows." });
    expect((await put("result", "preview_total", { result: "Deleted 3 rows." }))[0]).toBe("effect_drift");
    const failed = { content: [{ type: "text", text: "Deleted 3 rows." }], isError: true };
    expect((await put("result", "preview_total", failed))[0]).toBe("runs");
  });
});

describe("what a session read", () => {
  test("a secret is not sent where the tool never went, by this session", async () => {
    const { put, learn } = await watching();
    await learn("call", "notify", home);
    const session = {};
    expect((await put("result", "get_order", secret, session))[0]).toBe("runs");
    expect(await put("call", "notify", home, session)).toEqual(["runs", "reach:ALLOW"]);
    expect(await put("call", "notify", away, session)).toEqual(["chain_blocked", "chain:DENY"]);
    // A tool that was never called goes nowhere known.
    expect((await put("call", "status", away, session))[0]).toBe("chain_blocked");
    expect((await put("call", "status", { order_id: "7" }, session))[0]).toBe("runs");
    expect((await put("call", "status", { url: "http://10.0.0.7/" }, session))[0]).toBe("runs");
    expect((await put("call", "status", away, {}))[0]).toBe("runs");
  });

  test("also where the call names it: a file of credentials, a tool that is called after secrets", async () => {
    const { put } = await watching();
    const session = {};
    expect((await put("call", "status", { path: "~/.aws/credentials" }, session))[0]).toBe("runs");
    expect((await put("call", "notify", away, session))[0]).toBe("chain_blocked");
    const other = {};
    await put("call", "get_password", { order_id: "1" }, other);
    expect((await put("call", "notify", away, other))[0]).toBe("chain_blocked");
  });

  test("a channel is a place for a tool that sends, and a name for others", async () => {
    const { put } = await watching();
    const session = {};
    await put("result", "get_order", secret, session);
    expect((await put("call", "notify", { channel: "#leaks" }, session))[0]).toBe("chain_blocked");
    expect((await put("call", "status", { host: "db" }, session))[0]).toBe("runs");
  });

  test("a result that was withheld was not read", async () => {
    const { put, learn } = await watching();
    await learn("result", "total", { structuredContent: { id: 1 } });
    const session = {};
    expect((await put("result", "total", secret, session))[0]).toBe("response_drift");
    expect((await put("call", "notify", away, session))[0]).toBe("runs");
  });

  test("personal data counts where that is configured", async () => {
    const personal = { structuredContent: { mail: "jane.doe@corp-mail.com" } };
    for (const [classes, expected] of [
      [["secrets"], "runs"],
      [["secrets", "pii"], "chain_blocked"],
    ] as const) {
      const { put } = await watching({ chain_classes: classes });
      const session = {};
      await put("result", "get_order", personal, session);
      expect((await put("call", "notify", away, session))[0]).toBe(expected);
    }
  });
});

test("nothing is looked at where all is off, where no server is named, and of what was not approved", async () => {
  const off = { reach: "off", response: "off", effect: "off", chain: "off" } as const;
  expect(await (await watching(off)).put("call", "status", away)).toEqual(["unwatched"]);
  const { behaviours, put } = await watching();
  expect(await behaviours.of({}, null, { action: "status", phase: "call" })).toBeNull();
  expect(await put("call", "unlisted", away)).toEqual(["unwatched"]);
});
