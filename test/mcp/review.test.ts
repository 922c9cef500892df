import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { GuardedServer } from "../../adapters/mcp/probe/guarded-server.ts";
import { hostile, tool } from "../../daemon/surfaces/test-keeper.ts";
import { type Daemon, interlock, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { program } from "../kit/programs.ts";
import { rule, ruleModule } from "../kit/rules.ts";
import { Shop, type Told } from "./shop.ts";

let daemon: Daemon | null = null;
let open: GuardedServer[] = [];
afterEach(async () => {
  for (const host of open) await host.close();
  open = [];
  await daemon?.stop();
  daemon = null;
});

const calm = [tool("status"), tool("total")];
const poisoned = [tool("status", { description: hostile }), tool("total")];
const told = (tools: readonly object[]): Told => ({ listing: { pages: [tools] } });

const begin = async (): Promise<{ place: Place; shop: Shop }> => {
  const place = await makePlace(ruleModule(rule("calm", "return allow();")), "unknown: allow");
  await interlock(place, ["operators", "add", "ann"]);
  daemon = await startDaemon(place);
  return { place, shop: new Shop(place, told(calm)) };
};

const host = async (place: Place, shop: Shop): Promise<(name: string) => Promise<string>> => {
  const args = [program("interlock"), "mcp", "--server", "shop", "--socket", place.socket, "--", ...shop.command];
  const guarded = await GuardedServer.open({ command: process.execPath, args, timeout_ms: 20_000 });
  open.push(guarded);
  return async (name) => {
    const answer = await guarded.call(name, {});
    return answer.kind === "blocked" ? answer.code : answer.kind === "result" && !answer.isError ? "ran" : answer.kind;
  };
};

const out = (place: Place): string => join(place.home, "review");
/** Without the daemon's own places: as in a fresh checkout. */
const gate = async (place: Place, ...args: string[]) => {
  const { code, stdout, stderr } = await interlock({ env: place.env }, [
    "ci-gate",
    "--server",
    "shop",
    "--output-dir",
    out(place),
    ...args,
  ]);
  return { code, text: stdout + stderr };
};
const reviewIn = (place: Place) => JSON.parse(readFileSync(join(out(place), "interlock-boundary-review.json"), "utf8"));

const exported = async (place: Place): Promise<string> => {
  const file = join(place.home, "shop.baseline.json");
  const { code, stdout } = await interlock(place, ["servers", "show", "shop", "--export"]);
  expect(code).toBe(0);
  writeFileSync(file, stdout);
  return file;
};

describe("a server that changes", () => {
  test("is held, reviewed, and runs again once the hash that was reviewed is approved", async () => {
    const { place, shop } = await begin();
    expect(await (await host(place, shop))("status")).toBe("ran");
    shop.tell(told(poisoned));
    expect(await (await host(place, shop))("status")).toBe("tool_quarantined");
    expect(shop.called("status")).toBe(1);
    const { stdout } = await interlock(place, ["drift", "diff", "shop", "status"]);
    expect(stdout).toMatch(
      /^shop tool:status: quarantine, critical since .*\n {2}approved sha256:.*\n {2}observed sha256:.*\nwhat it introduces:\n/,
    );
    const hash = /observed (sha256:[0-9a-f]{64})/.exec(stdout)?.[1] as string;
    expect((await interlock(place, ["drift", "approve", "shop", "status", "--hash", hash])).code).toBe(0);
    expect(await (await host(place, shop))("status")).toBe("ran");
  });

  test("is found by the gate in a checkout with a baseline and no daemon, by all pages of what it lists", async () => {
    const { place, shop } = await begin();
    await (await host(place, shop))("status");
    const baseline = await exported(place);
    await daemon?.stop();
    const command = ["--baseline", baseline, "--", ...shop.command];
    expect(await gate(place, ...command)).toEqual({
      code: 0,
      text: "interlock ci-gate: clean (0): the server lists what was approved\n",
    });
    shop.tell({ listing: { pages: [calm, [tool("refund")]] }, next: [1] });
    expect(await gate(place, ...command)).toEqual({
      code: 20,
      text: "interlock ci-gate: review_required (20): 1 item is not as approved\n",
    });
    expect(reviewIn(place).findings).toMatchObject([{ item: "tool:refund", change_types: ["tool_added"] }]);
    shop.tell(told(poisoned));
    expect(await gate(place, "--fail-policy", "quarantine-only", ...command)).toMatchObject({ code: 21 });
    expect(readdirSync(out(place)).sort()).toEqual(["interlock-boundary-review.json", "interlock-boundary-review.md"]);
    shop.tell({ listing: { pages: [calm, calm] }, next: [1, 1] });
    expect(await gate(place, ...command)).toEqual({
      code: 4,
      text: "interlock ci-gate: protocol_error (4): the server lists the same page twice\n",
    });
    shop.tell(told([...calm, tool("status", { title: "again" })]));
    expect(await gate(place, ...command)).toMatchObject({
      code: 22,
      text: expect.stringContaining("tools[2] has the name of another"),
    });
    expect(shop.asked.filter((line) => line.startsWith("call"))).toEqual(["call status"]);
  });

  test("is compared by the gate, and by drift check, with what the store approved, beside the daemon and without it", async () => {
    const { place, shop } = await begin();
    await (await host(place, shop))("status");
    const store = ["--state", place.state, "--", ...shop.command];
    expect(await gate(place, ...store)).toMatchObject({ code: 0, text: expect.stringContaining("clean (0)") });
    expect(reviewIn(place).boundary).toMatchObject({ baseline: "store", snapshot_version: 1, matches: true });
    await interlock(place, ["drift", "quarantine", "shop", "total", "--reason", "odd"]);
    expect(await gate(place, ...store)).toMatchObject({
      code: 21,
      text: expect.stringContaining("the store has quarantined"),
    });
    await daemon?.stop();
    expect(await gate(place, ...store)).toMatchObject({ code: 21 });
    const listing = join(place.home, "listing.json");
    writeFileSync(listing, JSON.stringify({ tools: poisoned }));
    const check = await interlock(place, [
      "drift",
      "check",
      listing,
      "--server",
      "shop",
      "--state",
      place.state,
      "--json",
    ]);
    expect([check.code, JSON.parse(check.stdout).action]).toEqual([1, "quarantine"]);
    expect(
      await interlock(place, ["drift", "check", listing, "--server", "other", "--state", place.state]),
    ).toMatchObject({ code: 2 });
  });
});

describe("the gate, where there is nothing to compare", () => {
  test("says why by its exit code, and never by 1", async () => {
    const { place, shop } = await begin();
    await (await host(place, shop))("status");
    const baseline = await exported(place);
    const damaged = join(place.home, "damaged.json");
    writeFileSync(damaged, readFileSync(baseline, "utf8").replace("status of an order", "status of each order"));
    const node = process.execPath;
    for (const [args, code, words] of [
      [["--baseline", damaged, "--", ...shop.command], 2, "its definition is not that of its hash"],
      [["--baseline", join(place.home, "none"), "--", ...shop.command], 2, "ENOENT"],
      [["--baseline", baseline, "--", join(place.home, "none")], 2, "the server cannot be started"],
      [["--baseline", baseline], 2, "name the server's command"],
      [["--state", join(place.home, "none"), "--", ...shop.command], 2, "ENOENT"],
      [
        ["--baseline", baseline, "--timeout-seconds", "0.5", "--", node, "-e", "setTimeout(() => {}, 60000)"],
        22,
        "did not list within 0.5 s",
      ],
      [["--baseline", baseline, "--", node, "-e", ""], 22, "ended before it was listed"],
      [
        [
          "--baseline",
          baseline,
          "--",
          node,
          "-e",
          'process.stdin.once(\'data\', () => console.log(\'{"jsonrpc":"2.0","id":1,"result":7}\'))',
        ],
        4,
        "listing is not one",
      ],
      [["--baseline", baseline, "--fail-policy", "none", "--", ...shop.command], 2, "--fail-policy"],
    ] as const) {
      const ended = await gate(place, ...args);
      expect([args, ended.code, ended.text]).toEqual([args, code, expect.stringContaining(words)]);
    }
  }, 60_000);
});
