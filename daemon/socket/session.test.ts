import { expect, test } from "vitest";
import { allFeatures, type FeatureSet, featureSet, noFeatures } from "../../wire/features.ts";
import { maxNameBytes, resendLease_ms } from "../../wire/limits.ts";
import { EngineSlot, newSlotMemory, WatchdogSlot } from "../supervisor/slot.ts";
import { type Joining, Sessions, versionOneSession } from "./session.ts";

const resend = featureSet(["resend", "details"]);
const never = (): boolean => false;
const as = (
  nonce: string | null,
  features: FeatureSet,
  identity: string | null = null,
  scope: string | null = null,
): Joining => ({ nonce, features, scope, identity, client: "test" });
const nonce = (n: number): string => `nonce-${n}`.padEnd(24, "x");

test("a peer without a hello, without a nonce, or without resend has no key and asks nothing again", () => {
  const sessions = new Sessions();
  for (const session of [
    versionOneSession(),
    sessions.join(as(null, resend), 0, never),
    sessions.join(as(nonce(1), noFeatures), 0, never),
    sessions.join(as(nonce(1), noFeatures), 0, () => true),
  ]) {
    expect(session).toMatchObject({ key: null, asksAgainUntil_ms: 0 });
  }
});

test("a nonce that is new may not ask again; one that comes back shares the session, within the lease", () => {
  const sessions = new Sessions();
  const first = sessions.join(as(nonce(1), resend), 1_000, never);
  expect(first.asksAgainUntil_ms).toBe(0);
  const second = sessions.join(as(nonce(1), resend), 2_000, never);
  expect(second).toBe(first);
  expect(second.asksAgainUntil_ms).toBe(2_000 + resendLease_ms);
});

test("a nonce that an engine before this one answered may ask again", () => {
  const remembered: string[] = [];
  const session = new Sessions().join(as(nonce(1), resend), 5, (key) => remembered.push(key) > 0);
  expect(session.asksAgainUntil_ms).toBe(5 + resendLease_ms);
  expect(remembered).toEqual([session.key]);
});

test("the key tells nothing of the nonce, and depends on the features that were agreed", () => {
  const sessions = new Sessions();
  const a = sessions.join(as(nonce(1), resend), 0, never);
  const b = sessions.join(as(nonce(1), featureSet(["resend"])), 0, never);
  const c = sessions.join(as(nonce(2), resend), 0, never);
  expect(new Set([a.key, b.key, c.key]).size).toBe(3);
  for (const { key } of [a, b, c]) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

test("a nonce that comes back with another identity is another session, and so is one without", () => {
  const sessions = new Sessions();
  const bound = sessions.join(as(nonce(1), resend, "acme/pay"), 0, never);
  const fresh = sessions.join(as(nonce(1), resend, "acme/pay"), 1, never);
  expect(fresh).toBe(bound);
  const keys = ["acme", "acme/pay/x", "null", null].map(
    (identity) => sessions.join(as(nonce(1), resend, identity), 2, never).key,
  );
  expect(new Set([bound.key, ...keys]).size).toBe(5);
});

test("a nonce that comes back with another pinned scope document is another session, and so is one without", () => {
  const sessions = new Sessions();
  const pinned = sessions.join(as(nonce(1), resend, null, "sha256:a"), 0, never);
  expect(pinned.scope).toBe("sha256:a");
  expect(sessions.join(as(nonce(1), resend, null, "sha256:a"), 1, never)).toBe(pinned);
  const others = ["sha256:b", null].map((scope) => sessions.join(as(nonce(1), resend, null, scope), 2, never));
  expect(new Set([pinned.key, ...others.map(({ key }) => key)]).size).toBe(3);
  expect(others.map(({ scope }) => scope)).toEqual(["sha256:b", null]);
});

test("the stamp is what the supervisor reads back: key, identity, features and what the client said it is", () => {
  const session = new Sessions().join(as(nonce(1), resend, "acme"), 0, never);
  expect(JSON.parse(session.stamp)).toEqual({
    key: session.key,
    identity: "acme",
    features: ["details", "resend"],
    client: "test",
  });
});

test("sessions are bounded: the oldest idle one is forgotten, one with a question in judgement never", () => {
  const sessions = new Sessions();
  const busy = sessions.join(as(nonce(0), resend), 0, never);
  busy.pending.set("q", { line: new Uint8Array(), askers: [] });
  const idle = sessions.join(as(nonce(1), resend), 0, never);
  for (let n = 2; n < 8_200; n++) sessions.join(as(nonce(n), resend), 0, never);
  expect(sessions.join(as(nonce(0), resend), 0, never)).toBe(busy);
  expect(sessions.join(as(nonce(1), resend), 0, never)).not.toBe(idle);
});

test("the longest names of client and identity fit the watchdog's slot, however JSON writes them", () => {
  const longest = "\u0001".repeat(maxNameBytes);
  const joining = { ...as(nonce(1), allFeatures, longest), client: longest };
  const { stamp } = new Sessions().join(joining, 0, never);
  const memory = newSlotMemory();
  new EngineSlot(memory).stampRequest(new Uint8Array(), stamp);
  expect(new WatchdogSlot(memory).request().session).toBe(stamp);
});
