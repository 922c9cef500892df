import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isOursAlone, type StateDirectory } from "../../store/state-directory.ts";
import type { StoreFinding } from "../../store/store-finding.ts";

/** A file that is put in another's place is there for less than this. */
const beingWritten_ms = 10_000;

/** Files that hold what others may read, and may not write. */
const isPublic = (name: string): boolean => name.endsWith(".pub");

const isSafe = (name: string, stats: Stats): boolean =>
  stats.isFile() &&
  (isPublic(name) ? stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0 : isOursAlone(stats));

/** Sockets that a daemon serves in its state directory are judged where they are served; folders hold no receipts. */
const isJudgedElsewhere = (stats: Stats): boolean => stats.isSocket() || stats.isDirectory();

/** @param required names of files without which the store is not whole. */
export function* checkFiles({ path }: StateDirectory, required: readonly string[]): Generator<StoreFinding> {
  const names = readdirSync(path).sort();
  for (const name of names) {
    const stats = lstatSync(join(path, name), { throwIfNoEntry: false });
    if (stats === undefined || isJudgedElsewhere(stats)) continue;
    if (!isSafe(name, stats)) yield { problem: "file_unsafe", where: name };
    else if (name.endsWith(".new") && Date.now() - stats.mtimeMs > beingWritten_ms)
      yield { problem: "file_left_over", where: name };
  }
  for (const name of required) if (!names.includes(name)) yield { problem: "file_missing", where: name };
}
