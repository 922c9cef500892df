import type { FrameExpectation } from "./format.ts";

/** Events that show what the daemon made of a value: sent back, or described by its types. `value` is JSON text. */

export const echo = (id: string, value: string): string =>
  `{"event":{"action":"echo","args":{"value":${value}},"phase":"result"},"id":"${id}","v":1}`;

export const describing = (id: string, value: string): string =>
  `{"event":{"action":"describe","args":{"value":${value}}},"id":"${id}","v":1}`;

export const seen = (id: string, text: string): FrameExpectation => ({
  answer: {
    id,
    verdict: "MODIFY",
    reason: "described",
    policy_id: "p.describe",
    modified_args_include: { seen: text },
  },
});

export const described = { verdict: "MODIFY", reason: "described", policy_id: "p.describe" } as const;

export const echoed = { verdict: "MODIFY", reason: "echoed", policy_id: "p.echo" } as const;
