import { chmodSync, existsSync, mkdirSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "../store/write-atomically.ts";
import { parseManifest, sha256Hex, signedBytes } from "./manifest.ts";
import { parseSignedFile, type RuleSetFile } from "./signed-file.ts";

/** Of one rule set; the oldest go first. */
export const maxKeptVersions = 8;

export const keptVersionsIn = (state: string): string => join(state, "rulesets");

/**
 * Keeps the signed files that are served, in `<state>/rulesets`, so that a version that another one displaces is still there to be read, compared
 * and signed anew: receipts name its digest alone. Nothing is ever served from there. Throws what the file system does.
 */
export const keepServed = async (state: string, files: readonly RuleSetFile[]): Promise<void> => {
  const directory = keptVersionsIn(state);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const file of files) {
    const manifest = parseManifest(parseSignedFile(file).manifest);
    if (manifest === null) continue;
    const set = fileNameOf(manifest.id);
    // Zeros in front, so that names sort as versions do; two daemons' version 1 are told apart by what was signed.
    const version = String(manifest.version).padStart(16, "0");
    const path = join(directory, `${set}@${version}-${sha256Hex(signedBytes(manifest)).slice(0, 16)}.ruleset.json`);
    if (existsSync(path)) continue;
    await writeFileAtomically(path, Buffer.from(file.bytes).toString("utf8"), 0o600);
    chmodSync(path, 0o600);
    const kept = readdirSync(directory)
      .filter((name) => name.startsWith(`${set}@`) && name.endsWith(".ruleset.json"))
      .sort();
    for (const name of kept.slice(0, -maxKeptVersions)) unlinkSync(join(directory, name));
  }
};

/** An id may be any text: one that is no plain name is told by its hash. */
const fileNameOf = (id: string): string =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(id) ? id : `id-${sha256Hex(id).slice(0, 32)}`;
