import fc from "fast-check";
import { expect, it } from "vitest";
import { Frames } from "./frames.ts";

it("builds requests of one length, each with its own ids", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(2000), fc.nat(1_000_000_000), (count, filler, first) => {
      const frames = new Frames(count, filler);
      frames.number(first);
      const texts = Array.from({ length: count }, (_, at) => frames.slice(at).toString());
      expect(frames.slice(0, count).toString()).toBe(texts.join(""));
      for (const [at, text] of texts.entries()) {
        expect(text.length).toBe(frames.frameBytes);
        expect(text.indexOf("\n")).toBe(text.length - 1);
        const request = JSON.parse(text);
        const number = String(first + at).padStart(12, "0");
        expect(request.id).toBe(frames.id(at));
        expect([request.id, request.event.call_id, request.event.args.order_id]).toEqual([
          `b-${number}`,
          `c-${number}`,
          `ORD-${number}`,
        ]);
        expect(request.event.args.note.length).toBe(filler);
      }
    }),
    { numRuns: 50 },
  );
});
