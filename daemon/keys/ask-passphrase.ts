import { closeSync, openSync } from "node:fs";
import { ReadStream } from "node:tty";
import { KeyRefused } from "./key-error.ts";
import { maxPassphraseBytes, noPassphrase, type PassphraseSource } from "./passphrase.ts";

/**
 * Asks on the terminal itself, whatever standard input and output are, and shows nothing of what is typed. Without a terminal
 * nobody is asked. Ctrl-C and an end of input are a refusal.
 */
export const askPassphrase: PassphraseSource = async (question) => {
  let descriptor: number;
  try {
    descriptor = openSync("/dev/tty", "r+");
  } catch {
    return noPassphrase(question);
  }
  const terminal = new ReadStream(descriptor);
  try {
    terminal.setRawMode(true);
    process.stderr.write(question);
    return await typedLine(terminal);
  } finally {
    terminal.setRawMode(false);
    process.stderr.write("\n");
    terminal.destroy();
    closeQuietly(descriptor);
  }
};

const interrupt = "\u0003";
const endOfInput = "\u0004";
const erasing = new Set(["\u007f", "\b"]);
const eraseAll = "\u0015";

const typedLine = (terminal: ReadStream): Promise<string> =>
  new Promise((resolve, reject) => {
    let typed: string[] = [];
    const refuse = (what: string): void => reject(new KeyRefused("passphrase_refused", what));
    terminal.setEncoding("utf8");
    terminal.on("data", (chunk) => {
      for (const key of String(chunk)) {
        if (key === "\r" || key === "\n") return resolve(typed.join(""));
        if (key === interrupt || key === endOfInput) return refuse("no passphrase was given");
        if (key === eraseAll) typed = [];
        else if (erasing.has(key)) typed.pop();
        else typed.push(key);
        if (typed.length > maxPassphraseBytes) return refuse(`a passphrase has at most ${maxPassphraseBytes} bytes`);
      }
    });
    terminal.once("end", () => refuse("no passphrase was given"));
    terminal.once("error", () => refuse("the terminal cannot be read; give --passphrase-file"));
  });

/** The stream may have closed it already. */
const closeQuietly = (descriptor: number): void => {
  try {
    closeSync(descriptor);
  } catch {
    return;
  }
};
