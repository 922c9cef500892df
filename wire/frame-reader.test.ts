import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameReader } from "./frame-reader.ts";
import { MAX_LINE } from "./limits.ts";

const drain = (reader: FrameReader): Buffer[] => {
  const lines: Buffer[] = [];
  for (let line = reader.next(); line !== null; line = reader.next()) lines.push(line);
  return lines;
};
const texts = (reader: FrameReader): string[] => drain(reader).map(String);
const tooLarge = expect.objectContaining({ code: "too_large", id: "", message: "frame exceeded limit" });

describe("lines", () => {
  test("one whole line in one chunk is a view of the chunk", () => {
    const reader = new FrameReader();
    const chunk = Buffer.from("{}\n");
    reader.push(chunk);
    const line = reader.next();
    expect(String(line)).toBe("{}");
    expect(line?.buffer).toBe(chunk.buffer);
    expect(reader.next()).toBeNull();
  });

  test("many lines in one chunk, an empty one among them, and a rest", () => {
    const reader = new FrameReader();
    reader.push(Buffer.from("a\n\nb\nc"));
    expect(texts(reader)).toEqual(["a", "", "b"]);
    reader.push(Buffer.from("d\n"));
    expect(texts(reader)).toEqual(["cd"]);
  });

  test("chunks pushed before the first is taken keep their order", () => {
    const reader = new FrameReader();
    for (const chunk of ["a\nb", "", "c\n", "d\n"]) reader.push(Buffer.from(chunk));
    expect(texts(reader)).toEqual(["a", "bc", "d"]);
  });

  test("a held line does not change when its chunk's memory is used again", () => {
    const reader = new FrameReader();
    const chunk = Buffer.from("abc");
    reader.push(chunk);
    expect(reader.next()).toBeNull();
    chunk.fill("x");
    reader.push(Buffer.from("\n"));
    expect(texts(reader)).toEqual(["abc"]);
  });

  test("a stream that ends after a newline ends well", () => {
    const reader = new FrameReader();
    reader.push(Buffer.from("a\n"));
    reader.end();
    expect(texts(reader)).toEqual(["a"]);
  });
});

describe("limits", () => {
  test("exactly 8 MiB with the newline is accepted, in one chunk and in two", () => {
    const whole = Buffer.alloc(MAX_LINE, "x");
    whole[MAX_LINE - 1] = 0x0a;
    for (const cut of [0, 1, MAX_LINE - 1]) {
      const reader = new FrameReader();
      reader.push(whole.subarray(0, cut));
      expect(reader.next()).toBeNull();
      reader.push(whole.subarray(cut));
      expect(reader.next()?.length).toBe(MAX_LINE - 1);
    }
  });

  test("one byte more is refused", () => {
    const reader = new FrameReader();
    const whole = Buffer.alloc(MAX_LINE + 1, "x");
    whole[MAX_LINE] = 0x0a;
    reader.push(whole);
    expect(() => reader.next()).toThrow(tooLarge);
  });

  test("refused as soon as it is known, before its newline comes", () => {
    const reader = new FrameReader();
    reader.push(Buffer.alloc(MAX_LINE - 1, "x"));
    expect(reader.next()).toBeNull();
    reader.push(Buffer.from("x"));
    expect(() => reader.next()).toThrow(tooLarge);
  });

  test("lines before the oversized one are read, and nothing after it", () => {
    const reader = new FrameReader();
    reader.push(Buffer.from("a\n"));
    reader.push(Buffer.alloc(MAX_LINE, "x"));
    reader.push(Buffer.from("\nb\n"));
    expect(String(reader.next())).toBe("a");
    expect(() => reader.next()).toThrow(tooLarge);
    reader.push(Buffer.from("\nc\n"));
    expect(() => reader.next()).toThrow(tooLarge);
  });

  test("a stream that ends inside a line", () => {
    const reader = new FrameReader();
    reader.push(Buffer.from('a\n{"v":1}'));
    reader.end();
    expect(String(reader.next())).toBe("a");
    expect(() => reader.next()).toThrow(tooLarge);
  });

  test("a client's reader says that it was the response", () => {
    const reader = new FrameReader("responses");
    reader.push(Buffer.alloc(MAX_LINE, "x"));
    expect(() => reader.next()).toThrow("response exceeded the frame limit");
  });

  test("a line of 256 KiB that drips byte by byte takes linear time", () => {
    const reader = new FrameReader();
    const byte = Buffer.from("x");
    const started = performance.now();
    for (let i = 0; i < 256 * 1024; i++) {
      reader.push(byte);
      if (reader.next() !== null) throw new Error("a line without its newline");
    }
    reader.push(Buffer.from("\n"));
    expect(reader.next()?.length).toBe(256 * 1024);
    // Searching from the start each time would look at 34 thousand million bytes.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

test("any splits give the same lines", () => {
  const line = fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ minLength: 4000, maxLength: 9000 }));
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.array(fc.nat(5000), { maxLength: 40 }),
      fc.boolean(),
      (lines, cuts, late) => {
        const wanted = lines.map((bytes) => Buffer.from(bytes).map((byte) => (byte === 0x0a ? 0x0b : byte)));
        const stream = Buffer.concat(wanted.flatMap((bytes) => [bytes, Buffer.from("\n")]));
        const reader = new FrameReader();
        const got: Buffer[] = [];
        let at = 0;
        for (const cut of [...cuts, stream.length]) {
          reader.push(stream.subarray(at, at + cut));
          at = Math.min(stream.length, at + cut);
          if (!late) got.push(...drain(reader));
        }
        reader.end();
        got.push(...drain(reader));
        expect(got.map((bytes) => bytes.toString("latin1"))).toEqual(
          wanted.map((bytes) => Buffer.from(bytes).toString("latin1")),
        );
      },
    ),
    { numRuns: 300 },
  );
});
