/** Functions by which a program in Perl, Ruby, PHP, Lua, awk, Python or JavaScript hands a line to a shell or starts a program. */
const handing =
  /\b(?:system|exec|passthru|shell_exec|popen|proc_open|pcntl_exec|execute|execSync|spawn|spawnSync|execFile|execFileSync|getoutput|getstatusoutput|check_output|check_call|run|call)\b/g;
/** `qx(...)`, `%x(...)`, and backticks where they are a shell's. */
const quoting = /(?:\bqx|%x)\s{0,4}[({[/|]([^)}\]/|\n]{1,4096})[)}\]/|]/g;
const backticks = /`([^`\n$]{1,4096})`/g;

const maxCharacters = 16_384;
const maxLines = 32;
const maxWords = 32;

/**
 * The lines that a program text hands to a shell, as far as its strings are written out: `system("id")`, `exec "/bin/sh", "-c", "id"`.
 * Nothing is computed: a string that is put together is not found.
 */
export const shellLinesIn = (code: string): readonly string[] => {
  const text = code.slice(0, maxCharacters);
  const lines: string[] = [];
  for (const { index, 0: name } of text.matchAll(handing)) {
    if (lines.length >= maxLines) return lines;
    const words = stringsAt(text, index + name.length);
    if (words.length > 0) lines.push(words.length === 1 ? (words[0] as string) : words.map(quoted).join(" "));
  }
  for (const pattern of [quoting, backticks])
    for (const match of text.matchAll(pattern))
      if (lines.length < maxLines && match[1] !== undefined) lines.push(match[1]);
  return lines;
};

/** String literals from here on, with nothing but brackets and commas between. */
const stringsAt = (text: string, from: number): readonly string[] => {
  const words: string[] = [];
  for (let at = from; at < text.length && words.length < maxWords; at++) {
    const mark = text[at] as string;
    if (mark === '"' || mark === "'") {
      const literal = literalAt(text, at);
      if (literal === null) return words;
      words.push(literal.value);
      at = literal.end;
    } else if (!/[\s([,]/.test(mark)) return words;
  }
  return words;
};

/** The literal whose quotation mark stands at `from`; null where it does not end. An escaped character stands for itself. */
const literalAt = (text: string, from: number): { readonly value: string; readonly end: number } | null => {
  let value = "";
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === text[from]) return { value, end: at };
    if (text[at] === "\\") at++;
    value += text[at] ?? "";
  }
  return null;
};

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
