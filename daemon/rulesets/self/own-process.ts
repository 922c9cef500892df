import { readFileSync } from "node:fs";
import type { DaemonItself } from "./places.ts";

/** This process, as another one could name it. `program`: the folder of the daemon's code. */
export const ownProcess = (program: string): DaemonItself =>
  Object.freeze({
    pid: process.pid,
    group: groupOf("/proc/self/stat"),
    commandLine: `${process.title} ${commandLine()}`,
    program,
  });

/** Of the process: this thread has arguments of its own. */
const commandLine = (): string => {
  try {
    return readFileSync("/proc/self/cmdline", "latin1").replaceAll("\0", " ");
  } catch {
    return `${process.execPath} interlock-sidecar`;
  }
};

/** Linux tells it in the third field behind the name, which stands in brackets and may hold anything. */
const groupOf = (path: string): number | null => {
  try {
    const text = readFileSync(path, "latin1");
    const group = Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[2]);
    return Number.isSafeInteger(group) && group > 0 ? group : null;
  } catch {
    return null;
  }
};
