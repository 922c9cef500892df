import { type Mapped, MappedText } from "../mapped.ts";

/** Colours and movements of a terminal: `ESC [ ... letter`, and strings (`ESC ]`, `ESC P`) up to their end. Lengths are bounded. */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /(?:\u001b\[|\u009b)[0-9;:<=>?]{0,64}[ -/]{0,8}[@-~]|\u001b[\]PX^_][^\u0007\u001b\n]{0,4096}(?:\u0007|\u001b\\)?/g;

export interface ControlSequence {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const hasControls = (text: string): boolean => text.includes("\u001b") || text.includes("\u009b");

let last: { readonly text: string; readonly found: readonly ControlSequence[] } = { text: "", found: [] };

/** Those of the text that was asked about last are kept: two sources ask one after the other. */
export const controlSequences = (text: string): readonly ControlSequence[] => {
  if (last.text !== text) {
    const found = Array.from(text.matchAll(sequence), ({ 0: one, index }) => ({
      start: index,
      end: index + one.length,
      text: one,
    }));
    last = { text, found };
  }
  return last.found;
};

/** The text as it stands on the screen. */
export const withoutControls = (text: string, sequences: readonly ControlSequence[]): Mapped => {
  const made = new MappedText(text);
  let done = 0;
  for (const { start, end } of sequences) {
    made.copy(done, start);
    done = end;
  }
  made.copy(done, text.length);
  return made.done();
};
