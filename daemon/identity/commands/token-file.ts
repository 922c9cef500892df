import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { maxTokenBytes } from "../../../wire/limits.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { codeOf } from "../../store/state-directory.ts";

/** Writes a token that only its owner can read, in place of the one that was there: whoever connects reads one of the two, whole. */
export const writeTokenFile = (path: string, token: string): void => {
  const beside = `${path}.${process.pid}.new`;
  try {
    writeFileSync(beside, `${token}\n`, { mode: 0o600, flag: "wx" });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new Refusal(ExitCode.refused, `${path} cannot be written (${codeOf(error)})`);
  }
};

/** The token of a file, without its line feed. Throws Refusal; its line holds nothing of the file. */
export const readTokenFile = (path: string): string => {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxTokenBytes + 2)
      throw new Refusal(ExitCode.refused, `${path} holds no token`);
    return readFileSync(descriptor, "latin1").replace(/\r?\n$/, "");
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(ExitCode.refused, `${path} cannot be read (${codeOf(error)})`);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
};
