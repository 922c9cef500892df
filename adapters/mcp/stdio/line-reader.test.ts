import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxMessageBytes } from "../relay/limits.ts";
import { type Line, LineReader } from "./line-reader.ts";
import { OversizedId } from "./oversized-id.ts";

const read = (chunks: readonly Buffer[]): Line[] => {
  const reader = new LineReader();
  const lines = chunks.flatMap((chunk) => [...reader.push(chunk)]);
  const last = reader.end();
  return last === null ? lines : [...lines, last];
};

const cut = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
};

describe("lines", () => {
  test("are the same however the stream is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.nat(), { maxLength: 8 }), (texts, at) => {
        const lines = texts.map((text) => text.replaceAll("\n", " "));
        const whole = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const seen = read(cut(whole, at)).map((line) => (line.kind === "line" ? line.bytes.toString() : null));
        expect(seen).toEqual(lines);
      }),
    );
  });

  test("a last one without a newline counts", () => {
    expect(read([Buffer.from("a\nb")])).toMatchObject([{ kind: "line" }, { kind: "line", bytes: Buffer.from("b") }]);
  });

  test("of exactly the most bytes is a line, of one more it is none, and the next one is read again", () => {
    const longest = Buffer.alloc(maxMessageBytes - 1, 97);
    const newline = Buffer.from("\n");
    const rest = Buffer.from("a\nnext\n");
    expect(read([longest, newline]).map(({ kind }) => kind)).toEqual(["line"]);
    const lines = read([longest, rest]);
    expect(lines).toMatchObject([
      { kind: "oversized", id: null, bytes: maxMessageBytes },
      { kind: "line", bytes: Buffer.from("next") },
    ]);
  });

  test("100 MiB of one are let go as they come, and its id is found at either end", () => {
    const filler = Buffer.alloc(1024 * 1024, 'x"\\"');
    const texts: [string, string][] = [
      ['{"jsonrpc":"2.0","id":"call-7","result":{"id":1,"text":"', '"}}'],
      ['{"jsonrpc":"2.0","result":{"id":1,"text":"', '"},"id" : 42}'],
    ];
    const ids = texts.map(([start, end]) => {
      const reader = new LineReader();
      const lines = [...reader.push(Buffer.from(start))];
      const before = process.memoryUsage().rss;
      for (let i = 0; i < 100; i++) lines.push(...reader.push(Buffer.alloc(filler.length, "x")));
      lines.push(...reader.push(Buffer.from(`${end}\n`)));
      expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1024 * 1024);
      return lines;
    });
    expect(ids).toMatchObject([[{ kind: "oversized", id: "call-7" }], [{ kind: "oversized", id: 42 }]]);
  });
});

describe("the id of a message that is too long to be kept", () => {
  const idOf = (text: string, size = text.length): string | number | null => {
    const scan = new OversizedId();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) scan.push(bytes.subarray(at, at + size));
    return scan.id;
  };

  test("is the parser's, wherever the stream is cut", () => {
    const id = fc.oneof(fc.integer(), fc.string({ maxLength: 40 }));
    const message = fc
      .tuple(id, fc.jsonValue(), fc.boolean())
      .map(([id, result, isFirst]) =>
        JSON.stringify(isFirst ? { id, result, jsonrpc: "2.0" } : { jsonrpc: "2.0", result, id }),
      );
    fc.assert(
      fc.property(message, fc.integer({ min: 1, max: 64 }), (text, size) => {
        expect(idOf(text, size)).toEqual(JSON.parse(text).id);
      }),
    );
  });

  test("is none where it has none, is no string and no number, or stands deeper", () => {
    for (const text of [
      '{"result":{"id":1}}',
      '{"id":null}',
      '{"id":{"id":1}}',
      '{"id":[1]}',
      '["id",1]',
      '{"x":"id","y":1}',
    ]) {
      expect(idOf(text)).toBe(null);
    }
    expect(idOf(`{"id":"${"x".repeat(2000)}"}`)).toBe(null);
  });
});
