import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fencedBlocks } from "./fences.ts";

describe("fenced blocks", () => {
  it("reads language, settings, lines and place", () => {
    const blocks = fencedBlocks("# Title\n\n```ts file=a.ts\nconst a = 1;\n```\ntext\n~~~text\nx\n~~~\n");
    expect(blocks).toEqual([
      { language: "ts", settings: { file: "a.ts" }, lines: ["const a = 1;"], line: 3 },
      { language: "text", settings: {}, lines: ["x"], line: 7 },
    ]);
  });

  it("closes a fence only with one as long and of the same mark", () => {
    const [block] = fencedBlocks("````text\n```\n~~~~\n``` ts\n````\n");
    expect(block?.lines).toEqual(["```", "~~~~", "``` ts"]);
  });

  it("takes the fence's indent off the lines, as in a list", () => {
    const [block] = fencedBlocks("1. step\n\n   ```console\n   $ ls\n     deep\n   ```\n");
    expect(block?.lines).toEqual(["$ ls", "  deep"]);
  });

  it("does not take inline code or deeper indent for a fence", () => {
    expect(fencedBlocks("``` not `a` fence\n    ```\n``\n")).toEqual([]);
  });

  it("refuses a block that is never closed", () => {
    expect(() => fencedBlocks("a\n```ts\n")).toThrow("line 2: the block is never closed");
  });

  it("refuses a setting that is not name=value", () => {
    expect(() => fencedBlocks("```ts file\n```\n")).toThrow("line 1: a block's settings are name=value");
  });

  it("gives back the lines of any block", () => {
    const line = fc.string().map((text) => `. ${text.replaceAll(/[\n\r]/g, "")}`);
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const blocks = fencedBlocks(`before\n\`\`\`text\n${lines.map((text) => `${text}\n`).join("")}\`\`\`\nafter`);
        expect(blocks.map((block) => block.lines)).toEqual([lines]);
      }),
    );
  });
});
