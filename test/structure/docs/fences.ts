/** One fenced block of a Markdown document. */
export interface FencedBlock {
  /** The first word after the fence; empty where there is none. */
  readonly language: string;
  /** What follows it, as `name=value` words. */
  readonly settings: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
  /** Line of the opening fence in the document, from 1. */
  readonly line: number;
}

interface Fence {
  readonly indent: number;
  readonly mark: string;
  readonly length: number;
  readonly info: string;
}

/** A fence line as CommonMark has it: at most three spaces, then three or more of ` or ~, then the info string. */
const fenceOf = (line: string): Fence | null => {
  const indent = line.length - line.trimStart().length;
  const mark = line[indent];
  if (indent > 3 || (mark !== "`" && mark !== "~")) return null;
  let length = 0;
  while (line[indent + length] === mark) length += 1;
  const info = line.slice(indent + length).trim();
  if (length < 3 || (mark === "`" && info.includes("`"))) return null;
  return { indent, mark, length, info };
};

const settingsOf = (words: readonly string[], line: number): Readonly<Record<string, string>> => {
  const settings: Record<string, string> = Object.create(null);
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1) throw new Error(`line ${line}: a block's settings are name=value, not ${word}`);
    settings[word.slice(0, at)] = word.slice(at + 1);
  }
  return settings;
};

/** All fenced blocks, in order. A fence that is never closed is an error: CommonMark would swallow the rest. */
export const fencedBlocks = (markdown: string): readonly FencedBlock[] => {
  const blocks: FencedBlock[] = [];
  let open: (Fence & { readonly line: number; readonly lines: string[] }) | null = null;
  for (const [at, text] of markdown.split("\n").entries()) {
    const fence = fenceOf(text);
    if (open === null) {
      if (fence !== null) open = { ...fence, line: at + 1, lines: [] };
      continue;
    }
    if (fence !== null && fence.mark === open.mark && fence.length >= open.length && fence.info === "") {
      const [language = "", ...words] = open.info.split(" ").filter((word) => word !== "");
      blocks.push({ language, settings: settingsOf(words, open.line), lines: open.lines, line: open.line });
      open = null;
      continue;
    }
    const spaces = text.length - text.trimStart().length;
    open.lines.push(text.slice(Math.min(open.indent, spaces)));
  }
  if (open !== null) throw new Error(`line ${open.line}: the block is never closed`);
  return blocks;
};
