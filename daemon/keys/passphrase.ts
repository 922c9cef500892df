import { KeyRefused } from "./key-error.ts";
import { readKeyFile } from "./key-file.ts";

/**
 * Where the passphrase of a sealed key comes from: asked for when it turns out that the key is sealed. `question` is
 * the start of a line, such as `passphrase of rules.key: `. Throws `KeyRefused`.
 */
export type PassphraseSource = (question: string) => Promise<string>;

export const leastPassphraseLength = 12;
export const maxPassphraseBytes = 1024;

/** The first line of a file that is its owner's alone. */
export const passphraseFromFile =
  (path: string): PassphraseSource =>
  async () => {
    const text = await readKeyFile(path, "passphrase", { maxBytes: maxPassphraseBytes });
    const [line, ...rest] = text.split("\n");
    if (line === undefined || line === "" || rest.length > 1 || (rest[0] ?? "") !== "") {
      throw new KeyRefused("passphrase_refused", `passphrase file ${path} must hold one line`);
    }
    return line;
  };

/** Nobody is there to be asked: a daemon, or a program without a terminal. */
export const noPassphrase: PassphraseSource = async () => {
  throw new KeyRefused(
    "passphrase_refused",
    "the key is sealed and nobody can be asked for its passphrase; give --passphrase-file, or unseal it",
  );
};

/** Judges a new one, before anything is sealed by it. */
export const checkNewPassphrase = (passphrase: string): void => {
  if ([...passphrase].length < leastPassphraseLength) {
    throw new KeyRefused("passphrase_refused", `a passphrase has at least ${leastPassphraseLength} characters`);
  }
};

/** Of a source that people type into. */
export const askedTwice =
  (ask: PassphraseSource): PassphraseSource =>
  async (question) => {
    const first = await ask(question);
    if ((await ask(`again, ${question}`)) === first) return first;
    throw new KeyRefused("passphrase_refused", "the two passphrases differ; try again");
  };
