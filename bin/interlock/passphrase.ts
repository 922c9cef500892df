import type { Command } from "commander";
import { askPassphrase } from "../../daemon/keys/ask-passphrase.ts";
import { askedTwice, type PassphraseSource, passphraseFromFile } from "../../daemon/keys/passphrase.ts";

/** What every command takes that signs. */
export const signing = (command: Command): Command =>
  command.option("--passphrase-file <file>", "passphrase of a sealed key, mode 0600 (default: asked on the terminal)");

/** Where a sealed key's passphrase comes from: `--passphrase-file`, else the terminal. */
export const passphraseOf = (file: string | undefined): PassphraseSource =>
  file === undefined ? askPassphrase : passphraseFromFile(file);

/** The same for a key that is about to be sealed: typed twice, so that it is what was meant. */
export const newPassphraseOf = (file: string | undefined): PassphraseSource =>
  file === undefined ? askedTwice(askPassphrase) : passphraseFromFile(file);
