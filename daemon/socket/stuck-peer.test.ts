import { describe, expect, it } from "vitest";
import { stuckPeer_ms } from "./limits.ts";
import { type PeerView, StuckPeer } from "./stuck-peer.ts";

const well: PeerView = { now_ms: 0, isUnfinished: false, isUnread: false, sentBytes: 0 };
const look = (peer: StuckPeer, view: Partial<PeerView>): boolean => peer.look({ ...well, ...view });

describe("a peer is stuck", () => {
  it("when its frame stays unfinished for longer than the limit, however it drips", () => {
    const peer = new StuckPeer();
    for (let now_ms = 0; now_ms <= stuckPeer_ms; now_ms += 1_000) {
      expect(look(peer, { now_ms, isUnfinished: true })).toBe(false);
    }
    expect(look(peer, { now_ms: stuckPeer_ms + 1, isUnfinished: true })).toBe(true);
  });

  it("when it reads nothing of its answers for longer than the limit, though more of them come", () => {
    const peer = new StuckPeer();
    expect(look(peer, { now_ms: 0, isUnread: true, sentBytes: 200_000 })).toBe(false);
    expect(look(peer, { now_ms: stuckPeer_ms, isUnread: true, sentBytes: 200_000 })).toBe(false);
    expect(look(peer, { now_ms: stuckPeer_ms + 1, isUnread: true, sentBytes: 200_000 })).toBe(true);
  });
});

describe("a peer is slow, and not stuck", () => {
  it("while it finishes one frame after another", () => {
    const peer = new StuckPeer();
    for (let now_ms = 0; now_ms < 4 * stuckPeer_ms; now_ms += stuckPeer_ms) {
      expect(look(peer, { now_ms, isUnfinished: true })).toBe(false);
      peer.tookLine();
    }
  });

  it("while it reads a little of what it is owed", () => {
    const peer = new StuckPeer();
    for (let now_ms = 0; now_ms < 4 * stuckPeer_ms; now_ms += stuckPeer_ms) {
      expect(look(peer, { now_ms, isUnread: true, sentBytes: 1 + now_ms })).toBe(false);
    }
  });

  it("when it owes nothing, for ever", () => {
    const peer = new StuckPeer();
    expect(look(peer, { now_ms: 0, isUnfinished: true, isUnread: true, sentBytes: 5 })).toBe(false);
    expect(look(peer, { now_ms: 1_000 })).toBe(false);
    expect(look(peer, { now_ms: 9 * stuckPeer_ms, isUnfinished: true, isUnread: true, sentBytes: 5 })).toBe(false);
  });
});
