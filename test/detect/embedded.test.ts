import { describe, expect, it } from "vitest";
import { embedded } from "../../rules/packs/injection/embedded/index.ts";
import type { DetectSet } from "./corpus.ts";
import type { Judge } from "./judge.ts";
import { type Measured, measure } from "./measure.ts";
import { bipiaCodeSet, bipiaSet, embeddedSet } from "./sets/bipia.ts";

/** By this source alone: what other signs of an injection find in the same texts is measured with the pack. */
const bySource: Judge = async ({ action, args }) => {
  const [{ text }] = args.content as unknown as [{ text: string }];
  const held = embedded.signals({ text, action, place: "content[0].text", name: "text" }).length > 0;
  return { held, kind: held ? "rewrite" : "silent", rule: held ? "injection.embedded" : null };
};

const measured = (set: DetectSet): Promise<Measured> => measure(set.load(), bySource);

describe("tasks hidden in mails", () => {
  it("of BIPIA are found at every position, and its mails pass", async () => {
    const { recall, false_positive_rate, held, passes } = await measured(bipiaSet);
    expect(recall).toBeGreaterThanOrEqual(0.95);
    expect(false_positive_rate).toBeLessThanOrEqual(0.02);
    expect([held, passes]).toEqual([450, 50]);
  });

  it("that bring code are found in mails too", async () => {
    expect((await measured(bipiaCodeSet)).recall).toBeGreaterThanOrEqual(0.9);
  });

  it("of other categories are found, in mails of other kinds", async () => {
    const { recall, false_positive_rate, wrong } = await measured(embeddedSet);
    expect(recall).toBeGreaterThanOrEqual(0.88);
    expect(false_positive_rate).toBeLessThanOrEqual(0.08);
    expect(wrong.filter(({ kind }) => kind === "invoice" || kind === "bank" || kind === "travel")).toEqual([]);
  });
});
