import { describe, expect, it } from "vitest";
import type { WireValue } from "../../wire/value.ts";
import { maxMembersLookedAt, textsOf } from "./texts.ts";

const seen = (value: WireValue): string[] =>
  textsOf(value).texts.map(({ place, text, kind }) => `${kind} ${place}=${text}`);

describe("the texts of a value", () => {
  it("are its strings and names at any depth, with their places, in order", () => {
    expect(seen({ a: "x", list: ["y", { deep: "z" }], n: 4, none: null })).toEqual([
      "name a=a",
      "value a=x",
      "name list=list",
      "value list[0]=y",
      "name list[1].deep=deep",
      "value list[1].deep=z",
      "name n=n",
      "name none=none",
    ]);
  });

  it("are a string alone, and bytes that are UTF-8", () => {
    expect(seen("only")).toEqual(["value =only"]);
    expect(seen({ b: Buffer.from("key") })).toEqual(["name b=b", "bytes b=key"]);
    expect(seen({ b: Uint8Array.of(0xff, 0xfe) })).toEqual(["name b=b"]);
    const broken = Buffer.concat([Uint8Array.of(0xff), Buffer.from("the rest of it is a text")]);
    expect(seen({ b: broken })).toEqual(["name b=b", "bytes b=\ufffdthe rest of it is a text"]);
  });

  it("know the name and the object that hold them", () => {
    const held = textsOf({ content: [{ type: "image", data: "AAAA" }] }).texts.find(({ text }) => text === "AAAA");
    expect(held).toMatchObject({ name: "data", beside: { type: "image" } });
  });

  it("say when there is more than is looked at", () => {
    expect(textsOf(Array.from({ length: maxMembersLookedAt + 1 }, () => "x")).isCutShort).toBe(true);
    let deep: WireValue = "end";
    for (let level = 0; level < 70; level++) deep = [deep];
    expect(textsOf(deep).isCutShort).toBe(true);
    expect(textsOf({ a: "x" }).isCutShort).toBe(false);
  });

  it("of a frozen value are walked once", () => {
    const value = Object.freeze({ a: "x" });
    expect(textsOf(value)).toBe(textsOf(value));
    const open = { a: "x" };
    expect(textsOf(open)).not.toBe(textsOf(open));
  });
});
