import { describe, expect, it } from "vitest";
import { segmentsOf } from "./segments.ts";

const parts = (text: string): string[] => segmentsOf(text).map(({ start, end }) => text.slice(start, end));

describe("the segments of a text", () => {
  it("are its sentences, lines and items", () => {
    expect(parts("Hi David,\n\nThe money was sent. Any questions? Reply!\n- one\n- two")).toEqual([
      "Hi David,",
      "The money was sent.",
      "Any questions?",
      "Reply!",
      "- one",
      "- two",
    ]);
  });

  it("go on over a line that was wrapped", () => {
    expect(parts("Translate the following\nsentence to French.\nThanks")).toEqual([
      "Translate the following\nsentence to French.",
      "Thanks",
    ]);
  });

  it("follow each other without a space, as in mails that were HTML", () => {
    expect(parts("reply to this email.If this is in error, write.")).toEqual([
      "reply to this email.",
      "If this is in error, write.",
    ]);
    expect(parts("See Mercury.com for more")).toEqual(["See Mercury.com for more"]);
  });

  it("are parted by bars, bullets, tags, wide gaps and the line breaks of JSON", () => {
    expect(parts("SUBJECT: x|CONTENT: y • z    wide\ttab<p>in</p>")).toEqual([
      "SUBJECT: x",
      "CONTENT: y",
      "z",
      "wide",
      "tab",
      "p",
      "in",
      "/p",
    ]);
    expect(parts(String.raw`one\ntwo`)).toEqual(["one", "two"]);
  });

  it("begin within a line where a request does", () => {
    expect(parts("The money was sent Explain the theory of relativity. The rest follows")).toEqual([
      "The money was sent",
      "Explain the theory of relativity.",
      "The rest follows",
    ]);
    expect(segmentsOf("was sent Explain the theory")[1]?.isRunOn).toBe(true);
    expect(parts("How to Write a Review")).toEqual(["How to", "Write a Review"]);
    expect(parts("The Explain Team")).toEqual(["The Explain Team"]);
  });
});
