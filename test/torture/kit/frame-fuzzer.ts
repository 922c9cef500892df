import type { Seeded } from "./seed.ts";

/** Frames that a daemon may be sent, most of them wrong. Each ends with its newline; some hold more than one. */

const actions = [
  "fuzz.read",
  "fuzz.write",
  "shell",
  "refund",
  "fuzz.é",
  "fuzz.\u0000",
  "*",
  "__proto__",
  "constructor",
];
const features = ["call_id", "details", "escalate", "escape", "replace_args", "replay", "resend", "surface"];

const anyValue = (from: Seeded, depth: number): unknown => {
  switch (from.below(depth > 3 ? 8 : 10)) {
    case 0:
      return null;
    case 1:
      return from.chance(0.5);
    case 2:
      return from.below(2 ** 31) - 2 ** 30;
    case 3:
      return from.word() / 7;
    case 4:
      return from.pick(["", "a", "é", "\u{1f600}", "\u2028", "0".repeat(from.below(200)), "\\", '"', "\u0000"]);
    case 5:
      return { $bytes: "AAAA" };
    case 6:
      return { ["__proto__"]: from.below(3), constructor: 1, toString: null };
    case 7:
      return from.pick([0, -0, 1e21, 2 ** 53 - 1, 5e-324, 1.7976931348623157e308]);
    case 8:
      return Array.from({ length: from.below(5) }, () => anyValue(from, depth + 1));
    default:
      return Object.fromEntries(Array.from({ length: from.below(5) }, (_, k) => [`k${k}`, anyValue(from, depth + 1)]));
  }
};

const bodyOf = (from: Seeded): Record<string, unknown> => {
  switch (from.below(9)) {
    case 0:
      return { hello: { client: "fuzz/1", features: features.filter(() => from.chance(0.5)), nonce: "n".repeat(24) } };
    case 1:
      return { health: {} };
    case 2:
      return { outcome: { call_id: "c1", status: "failed", error_type: "Error" } };
    case 3:
      return { surface: { server: "s", tools: [anyValue(from, 0)] } };
    case 4:
      return { resume: { approval_id: "a", call_id: "c" } };
    default: {
      const event: Record<string, unknown> = {
        action: from.pick(actions),
        args: { value: anyValue(from, 0), other: anyValue(from, 1) },
        phase: from.chance(0.8) ? "call" : "result",
      };
      if (from.chance(0.3)) event.principal = "agent";
      if (from.chance(0.3)) event.ts = from.word() / 3;
      if (from.chance(0.2)) event.span_id = "s";
      return { event };
    }
  }
};

const validText = (from: Seeded): string => JSON.stringify({ ...bodyOf(from), id: `f${from.below(1e6)}`, v: 1 });

/** Valid frames to start from: made once, since most of a mutation's cost would be making them. */
export const seedFrames = (from: Seeded): readonly Buffer[] =>
  Array.from({ length: 512 }, () => Buffer.from(validText(from)));

const numbers = [
  "1e400",
  "-1e400",
  "1e-400",
  "9007199254740993",
  "-0",
  "0.0e0",
  "01",
  "1.",
  ".5",
  "+1",
  "NaN",
  "Infinity",
];
const hugeInteger = "9".repeat(400);
const texts = ["\\ud800", "\\udc00\\ud800", "\\u0000", "\\x", "\\u12", "\u0001", "\t"];
const keys = ["event", "hello", "health", "id", "v", "args", "action", "phase", "__proto__", "", "Event", "extra"];
const wrongBytes = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xef, 0xbb, 0xbf],
  [0],
  [0x0d],
  [0x80],
];

const inserted = (frame: Buffer, at: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([frame.subarray(0, at), bytes, frame.subarray(at)]);

const framed = (text: string): Buffer => Buffer.from(text);

const replaced = (frame: Buffer, pattern: RegExp, from: Seeded, by: string): Buffer => {
  const text = frame.toString("utf8");
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return frame;
  const match = from.pick(found);
  return framed(text.slice(0, match.index) + by + text.slice(match.index + match[0].length));
};

const nested = (from: Seeded): string => {
  const depth = from.pick([1, 100, 123, 124, 125, 126, 127, 128, 129, 300, 3000]);
  const [open, close] = from.pick([
    ["[", "]"],
    ['{"a":', "}"],
  ] as const);
  const ends = from.chance(0.8) ? close.repeat(depth) : "";
  return `{"event":{"action":"fuzz.deep","args":{"a":${open.repeat(depth)}1${ends}},"phase":"call"},"id":"deep","v":1}`;
};

const wrongShape = (from: Seeded): string => {
  const value = anyValue(from, 0);
  switch (from.below(6)) {
    case 0:
      return JSON.stringify(value);
    case 1:
      return JSON.stringify({ v: 1, id: value, event: value });
    case 2:
      return JSON.stringify({ v: value, id: "w", event: { action: "fuzz.read", args: {}, phase: "call" } });
    case 3:
      return JSON.stringify({ v: 1, id: "w", event: { action: value, args: value, phase: value, principal: value } });
    case 4:
      return JSON.stringify({ v: 1, id: "w", hello: { client: value, features: value, nonce: value, token: value } });
    default:
      return JSON.stringify({ v: 1, id: "w", ...bodyOf(from), ...bodyOf(from), [from.pick(keys)]: value });
  }
};

const bodyBytes = (from: Seeded, seeds: readonly Buffer[]): Buffer => {
  const base = from.pick(seeds);
  switch (from.below(14)) {
    case 0:
      return Buffer.from(Uint8Array.from({ length: from.below(120) }, () => from.below(256)));
    case 1:
    case 2: {
      const flipped = Buffer.from(base);
      for (let flips = 1 + from.below(4); flips > 0; flips--) {
        const at = from.below(flipped.length);
        flipped[at] = (flipped[at] as number) ^ (1 << from.below(8));
      }
      return flipped;
    }
    case 3:
      return base.subarray(0, from.below(base.length));
    case 4:
      return Buffer.concat([base, from.pick(seeds)]);
    case 5: {
      const start = from.below(base.length);
      return inserted(base, from.below(base.length), base.subarray(start, start + from.below(30)));
    }
    case 6:
      return replaced(base, /"[a-z_]+":/g, from, `${JSON.stringify(from.pick(keys))}:`);
    case 7:
      return framed(nested(from));
    case 8:
      return replaced(base, /-?\d+(\.\d+)?(e-?\d+)?/g, from, from.chance(0.9) ? from.pick(numbers) : hugeInteger);
    case 9:
      return inserted(base, from.below(base.length + 1), Uint8Array.from(from.pick(wrongBytes)));
    case 10:
      return replaced(base, /"[^"\\]*"/g, from, `"${from.pick(texts)}"`);
    case 11:
    case 12:
      return framed(wrongShape(from));
    default:
      return base;
  }
};

const newline = 0x0a;

export interface Batch {
  readonly bytes: Buffer;
  /** Lines in it: each gets one answer. */
  readonly lines: number;
}

export const nextBatch = (from: Seeded, seeds: readonly Buffer[], frames: number): Batch => {
  const parts: Buffer[] = [];
  const end = Buffer.of(newline);
  for (let made = 0; made < frames; made++) parts.push(bodyBytes(from, seeds), end);
  const bytes = Buffer.concat(parts);
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return { bytes, lines };
};
