/** ESC, and the one character that stands for ESC [. */
const escapes = ["\u001b", "\u009b"] as const;
const terminal = /\\x1b\[|\\u001b\[|\\033\[|\\e\[[0-9]/;

/** Whether a text steers the terminal that shows it. */
export const steersTerminal = (text: string): boolean =>
  escapes.some((character) => text.includes(character)) || (text.includes("\\") && terminal.test(text));
