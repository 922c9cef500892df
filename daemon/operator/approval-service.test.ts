import { beforeEach, describe, expect, test } from "vitest";
import { argsPlace } from "../transactions/places.ts";
import { ApprovalService } from "./approval-service.ts";
import { maxListedBoxBytes } from "./limits.ts";
import { approvalId, MemoryPlane, need } from "./plane.testkit.ts";
import { OperatorRefused } from "./refusal.ts";

const id = approvalId("one");
const ann = { name: "ann", roles: ["finance"] };
const ben = { name: "ben", roles: ["support"] };
const once = { approval_id: id, scope: { kind: "once" }, until_ms: null, note: null } as const;

let plane: MemoryPlane;
let service: ApprovalService;
beforeEach(() => {
  plane = new MemoryPlane();
  service = new ApprovalService(plane);
});

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => {
      if (error instanceof OperatorRefused) return error.code;
      throw error;
    },
  );
const events = (): readonly string[] => plane.noted.map(({ event }) => event);

describe("a decision", () => {
  test("to grant stands with its receipt, which names who, what for and until when", async () => {
    plane.ask({ approval_id: id }, { amount: 1500 });
    const view = await service.grant(ann, { ...once, note: "ticket 7" });
    expect(view).toMatchObject({
      status: "granted",
      scope: "once",
      decided_by: "operator:ann",
      args: { amount: 1500 },
    });
    expect(view.votes).toMatchObject([{ operator: "ann", roles: ["finance"], note: "ticket 7" }]);
    const until = new Date(plane.time_ms + 3_600_000).toISOString();
    expect(plane.noted).toEqual([
      {
        time_ms: plane.time_ms,
        event: "approval_granted",
        rules: plane.rulesNow,
        rules_before: plane.rulesNow,
        detail: `${id} granted by operator:ann, for once, until ${until}`,
      },
    ]);
  });

  test("of several is noted one by one, and each operator counts once", async () => {
    plane.ask({ approval_id: id, needs: JSON.stringify([need({ count: 2 })]) });
    const first = await service.grant(ann, once);
    expect(first).toMatchObject({ status: "pending", needs: [{ votes: 1, count: 2 }] });
    expect(await codeOf(service.grant(ann, once))).toBe("voted_already");
    expect((await service.grant(ben, once)).status).toBe("granted");
    expect(events()).toEqual(["approval_voted", "approval_granted"]);
  });

  test("is made once: grant after deny, deny after grant, double grant", async () => {
    plane.ask({ approval_id: id });
    expect((await service.deny(ann, id, null)).status).toBe("denied");
    for (const again of [service.grant(ben, once), service.deny(ben, id, null), service.revoke(ben, id)])
      expect(await codeOf(again)).toBe("not_pending");
    const other = approvalId("two");
    plane.ask({ approval_id: other });
    await service.grant(ann, { ...once, approval_id: other });
    for (const again of [service.grant(ben, { ...once, approval_id: other }), service.deny(ben, other, null)])
      expect(await codeOf(again)).toBe("not_pending");
    expect((await service.revoke(ben, other)).status).toBe("revoked");
    expect(events()).toEqual(["approval_denied", "approval_granted", "approval_revoked"]);
  });

  test.each([
    ["agent-1", "agent-1", null],
    ["Agent-1", "agent-1", null],
    ["ann", "agent-1", "ann"],
  ])("is nobody's about a call of their own: operator %s", async (name, principal, parent_principal) => {
    plane.ask({ approval_id: id, principal, parent_principal });
    expect(await codeOf(service.grant({ name, roles: [] }, once))).toBe("is_requester");
    expect(await codeOf(service.deny({ name, roles: [] }, id, null))).toBe("is_requester");
    expect(plane.noted).toEqual([]);
  });

  test("is not one who lacks the role's", async () => {
    plane.ask({ approval_id: id, needs: JSON.stringify([need({ roles: ["finance"] })]) });
    expect(await codeOf(service.grant(ben, once))).toBe("lacks_role");
    expect(await codeOf(service.deny(ben, id, null))).toBe("lacks_role");
    expect((await service.grant(ann, once)).status).toBe("granted");
  });

  test("is for no scope and no time that the policy does not permit", async () => {
    plane.ask({ approval_id: id });
    for (const scope of [{ kind: "exact" }, { kind: "shape", paths: ["customer"] }] as const)
      expect(await codeOf(service.grant(ann, { ...once, scope }))).toBe("scope_not_permitted");
    for (const until_ms of [plane.time_ms + 3_600_001, plane.time_ms, plane.time_ms - 1, 0])
      expect(await codeOf(service.grant(ann, { ...once, until_ms }))).toBe("until_out_of_range");
    expect(plane.noted).toEqual([]);
    expect((await service.grant(ann, { ...once, until_ms: plane.time_ms + 1000 })).granted_until_ms).toBe(
      plane.time_ms + 1000,
    );
  });

  test("about what is not there is none", async () => {
    plane.ask({ approval_id: id });
    const other = approvalId("other");
    expect(await codeOf(service.grant(ann, { ...once, approval_id: other }))).toBe("not_found");
    expect(await codeOf(service.deny(ann, other, null))).toBe("not_found");
    expect(await codeOf(service.revoke(ann, other))).toBe("not_found");
    expect(await codeOf(service.show(other))).toBe("not_found");
  });

  test("that comes too late is refused, and that its time is over is noted once", async () => {
    plane.ask({ approval_id: id });
    plane.time_ms += 3_600_000;
    expect((await service.show(id)).status).toBe("expired");
    for (let again = 0; again < 2; again++) expect(await codeOf(service.grant(ann, once))).toBe("expired");
    expect(await codeOf(service.revoke(ann, id))).toBe("expired");
    expect(events()).toEqual(["approval_expired"]);
  });

  test("of two at once is one of theirs: the other is told", async () => {
    plane.ask({ approval_id: id });
    const codes = await Promise.all([codeOf(service.grant(ann, once)), codeOf(service.deny(ben, id, null))]);
    expect(codes).toEqual(["", "not_pending"]);
    expect(events()).toEqual(["approval_granted"]);
  });

  test("is not made where the store is away, nor where its receipt cannot be written", async () => {
    plane.ask({ approval_id: id });
    plane.isAway = true;
    expect(await codeOf(service.grant(ann, once))).toBe("store_unavailable");
    expect(await codeOf(service.list({ status: "pending", limit: 1 }))).toBe("store_unavailable");
    plane.isAway = false;
    const change = plane.ledger.change;
    const failing = new ApprovalService({
      ...plane,
      now_ms: plane.now_ms,
      rules: plane.rules,
      redacted: plane.redacted,
      resolved: plane.resolved,
      ledger: {
        ...plane.ledger,
        change: (work) =>
          change((tx) =>
            // biome-ignore lint/correctness/useYield: the receipt is what fails
            work(tx, function* () {
              throw new TypeError("no receipt");
            }),
          ),
      },
    });
    await expect(failing.grant(ann, once)).rejects.toThrow(TypeError);
    expect(plane.approvals.get(id)).toMatchObject({ status: "pending", version: 1 });
    expect(plane.noted).toEqual([]);
  });
});

describe("what an operator is shown", () => {
  const card = { amount: 5, card: { number: "4111", name: "A" }, items: [{ iban: "DE1", n: 1 }, { n: 2 }] };

  test("leaves out what the contract keeps from view, and says where", async () => {
    plane.redactedPaths = ["card.number", "items[].iban", "none"];
    plane.ask({ approval_id: id }, card);
    const { args, redacted } = await service.show(id);
    expect(args).toEqual({
      amount: 5,
      card: { name: "A", number: "(redacted)" },
      items: [{ iban: "(redacted)", n: 1 }, { n: 2 }],
    });
    expect(redacted).toEqual(["card.number", "items[0].iban"]);
  });

  test("leaves a value out whole that is of another shape than the path expects", async () => {
    plane.redactedPaths = ["card.number", "items[].iban"];
    plane.ask({ approval_id: id }, { card: "4111", items: { iban: "DE1" } });
    const { args, redacted } = await service.show(id);
    expect(args).toEqual({ card: "(redacted)", items: "(redacted)" });
    expect(redacted).toEqual(["card", "items"]);
  });

  test("leaves out what was kept from view when it was asked, whatever rules are loaded later", async () => {
    plane.redactedPaths = ["amount"];
    plane.ask({ approval_id: id }, card, ["card.number", "items[].iban"]);
    expect((await service.show(id)).redacted).toEqual(["amount", "card.number", "items[0].iban"]);
    plane.redactedPaths = [];
    plane.rulesNow = "sha256:other";
    expect((await service.show(id)).redacted).toEqual(["card.number", "items[0].iban"]);
    plane.boxes.set(argsPlace(id), String(plane.boxes.get(argsPlace(id))).replace('"redact":[', '"redacted":['));
    expect(await service.show(id)).toMatchObject({ args: null, args_left_out: "gone" });
  });

  test("is never another approval's call, nor a box that does not open", async () => {
    plane.ask({ approval_id: id }, card);
    plane.ask({ approval_id: approvalId("two"), principal: "agent-2" }, { amount: 1 });
    plane.boxes.set(argsPlace(id), String(plane.boxes.get(argsPlace(approvalId("two")))));
    expect(await service.show(id)).toMatchObject({ args: null, args_left_out: "gone" });
    plane.boxes.set(argsPlace(id), "{");
    expect(await service.show(id)).toMatchObject({ args: null, args_left_out: "gone" });
    plane.boxes.delete(argsPlace(id));
    expect(await service.show(id)).toMatchObject({ args: null, args_left_out: "gone" });
  });

  test("is not listed where it is long, and shown whole", async () => {
    for (const length of [maxListedBoxBytes, 5000, 100]) {
      const args = { text: "x".repeat(length) };
      plane.ask({ approval_id: id }, args);
      const [listed] = await service.list({ status: "pending", limit: 1 });
      expect(listed).toMatchObject(
        length > 100 ? { args: null, args_left_out: "long" } : { args, args_left_out: null },
      );
      expect((await service.show(id)).args).toEqual(args);
    }
  });

  test("names the scopes that a grant may have", async () => {
    const shape = { kind: "shape", paths: ["customer"] } as const;
    const scopes = [{ kind: "once" }, { kind: "exact" }, shape] as const;
    plane.ask({
      approval_id: id,
      needs: JSON.stringify([need({ scopes: [...scopes] }), need({ scopes: [{ kind: "once" }, shape] })]),
      shapes: JSON.stringify([{ paths: ["customer"], key: "k" }]),
    });
    expect((await service.show(id)).scopes).toEqual([{ kind: "once" }, shape]);
    expect(await service.grant(ann, { ...once, scope: shape })).toMatchObject({ status: "granted", scope: "shape" });
  });
});
