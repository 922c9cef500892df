import { afterEach, describe, expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { hostile, tool } from "../../daemon/surfaces/test-keeper.ts";
import { type Daemon, interlock, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { rule, ruleModule } from "../kit/rules.ts";

let daemon: Daemon | null = null;
afterEach(async () => {
  await daemon?.stop();
  daemon = null;
});

const begin = async (): Promise<Place> => {
  const place = await makePlace(ruleModule(rule("calm", "return allow();")), "unknown: allow");
  await interlock(place, ["operators", "add", "ann"]);
  daemon = await startDaemon(place);
  return place;
};

const report = async ({ socket }: Place, tools: readonly unknown[], more: object = {}): Promise<void> => {
  const connection = await RawConnection.open(socket, 5_000);
  const ask = async (body: object): Promise<void> => {
    connection.send(Buffer.from(`${JSON.stringify({ ...body, id: "1", v: 1 })}\n`));
    expect(JSON.parse((await connection.line(20_000)).toString())).not.toHaveProperty("error");
  };
  await ask({ hello: { client: "test", features: ["details", "surface"] } });
  await ask({ surface: { server: "orders", tools, ...more } });
};

const run = async (place: Place, ...args: string[]) => {
  const { code, stdout, stderr } = await interlock(place, args);
  return { code, text: stdout + stderr };
};
const json = async (place: Place, ...args: string[]) =>
  JSON.parse((await interlock(place, [...args, "--json"])).stdout);

const calm = [tool("status"), tool("total")];
const poisoned = (more = "") => [tool("status", { description: hostile + more }), tool("total")];

describe("a drifted tool", () => {
  test("is listed, shown with what it introduces, compared, and approved by the hash that was reviewed alone", async () => {
    const place = await begin();
    await report(place, calm);
    expect((await run(place, "servers", "list")).text).toMatch(
      /^orders: 2 items, baseline 1 by first_use; as approved; taken at first use, production\n$/,
    );
    expect(await run(place, "drift", "list")).toEqual({ code: 0, text: "everything is as it was approved\n" });
    await report(place, poisoned());
    expect((await run(place, "drift", "list", "orders")).text).toMatch(
      /^orders tool:status: quarantine, critical since .*instruction_introduced/,
    );
    const shown = await run(place, "drift", "diff", "orders", "status");
    expect(shown.text).toMatch(/what it introduces:\n {2}critical /);
    expect(shown.text.indexOf("what it introduces")).toBeLessThan(shown.text.indexOf("1 place changed"));
    expect(shown.text).toMatch(/\ndescription\n {2}- "Reads the status of an order\."\n/);
    const reviewed = (await json(place, "drift", "show", "orders", "status")).drift.observed_hash;
    // It changes again between the look and the word.
    await report(place, poisoned(" Thank you."));
    const stale = await run(place, "drift", "approve", "orders", "tool:status", "--hash", reviewed);
    expect(stale).toEqual({
      code: 1,
      text: expect.stringMatching(/^it is sha256:[0-9a-f]{64} by now; review that\n$/),
    });
    const now = (await json(place, "drift", "show", "orders", "status")).drift;
    expect(now.observed_hash).not.toBe(reviewed);
    expect(now.held_hash).toBe(reviewed);
    expect((await run(place, "drift", "diff", "orders", "status", "--held")).text).not.toContain("Thank you.");
    expect(await run(place, "drift", "approve", "orders", "status")).toMatchObject({ code: 2 });
    expect((await run(place, "drift", "approve", "orders", "status", "--hash", now.observed_hash)).code).toBe(0);
    expect((await run(place, "drift", "list")).text).toBe("everything is as it was approved\n");
    expect(await run(place, "drift", "approve", "orders", "status", "--hash", now.observed_hash)).toMatchObject({
      code: 1,
    });
    expect(
      (await json(place, "drift", "history", "orders")).history.map((one: { approved_by: string }) => one.approved_by),
    ).toEqual(["operator:ann", "first_use"]);
  });

  test("that is gone is approved as gone; a person quarantines what is as it was approved", async () => {
    const place = await begin();
    await report(place, calm);
    expect((await run(place, "drift", "quarantine", "orders", "total", "--reason", "looked odd")).text).toContain(
      "1 quarantined",
    );
    await report(place, [tool("status")]);
    expect((await run(place, "drift", "show", "orders", "total")).text).toContain("not listed any more");
    expect((await run(place, "drift", "approve", "orders", "total", "--gone")).code).toBe(0);
    expect((await run(place, "drift", "list")).text).toBe("everything is as it was approved\n");
  });
});

test("a whole server is staged, then promoted by both hashes; what moved meanwhile is not", async () => {
  const place = await begin();
  await report(place, calm);
  await report(place, [...calm, tool("refund")]);
  const staged = await json(place, "drift", "rebaseline", "orders");
  expect(staged.drift).toMatchObject([{ name: "refund", action: "deny" }]);
  const promote = () =>
    run(place, "drift", "rebaseline", "orders", "--current", staged.current, "--candidate", staged.candidate);
  await report(place, [...calm, tool("refund"), tool("cancel")]);
  expect(await promote()).toMatchObject({ code: 1, text: expect.stringContaining("review that") });
  await report(place, [...calm, tool("refund")]);
  expect(await promote()).toMatchObject({ code: 0, text: expect.stringContaining("as approved") });
  expect(await run(place, "drift", "rebaseline", "orders", "--candidate", staged.candidate)).toMatchObject({ code: 2 });
});

test("a server is trusted, removed, and told apart by its credentials", async () => {
  const place = await begin();
  await report(place, calm);
  const trusted = await run(place, "servers", "trust", "orders", "--environment", "non_production", "--probes");
  expect(trusted.text).toContain("trusted, non-production, probes on");
  expect((await run(place, "servers", "remove", "orders", "--reason", "left us")).text).toContain("removed");
  expect(await run(place, "servers", "show", "other")).toMatchObject({ code: 1 });
  const credential = `sha256:${"a".repeat(64)}`;
  await report(place, calm, { credential });
  expect(await run(place, "servers", "show", "orders")).toMatchObject({
    code: 2,
    text: expect.stringContaining(credential),
  });
  expect((await run(place, "servers", "show", "orders", "--credential", credential)).text).toContain(
    "tool:status sha256:",
  );
  expect((await run(place, "servers", "show", "orders", "--credential", "none")).text).toContain("removed");
});

test("what a server calls its tool or itself moves nothing on a terminal", async () => {
  const place = await begin();
  const name = "a\u001b[2J\u202e\nforged: as approved";
  await report(place, calm);
  await report(place, [...calm, tool(name)]);
  for (const args of [
    ["drift", "list"],
    ["drift", "diff", "orders"],
    ["servers", "show", "orders"],
  ]) {
    const { text } = await run(place, ...args);
    expect(text).toContain("<U+001B>");
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}]/u);
    expect(text).not.toMatch(/^forged/m);
  }
});

test("nobody who is no operator asks, and no daemon is said to be away", async () => {
  const place = await makePlace(ruleModule(rule("calm", "return allow();")), "unknown: allow");
  expect((await run(place, "drift", "list")).code).toBe(2);
  await interlock(place, ["operators", "add", "ann"]);
  expect(await run(place, "drift", "list")).toMatchObject({
    code: 5,
    text: expect.stringContaining("start interlock-sidecar"),
  });
});
