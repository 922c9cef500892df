import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStateDirectory, type StateDirectory } from "../store/state-directory.ts";
import { openLedger } from "./open.ts";
import type { EmbeddedLedger } from "./record.ts";
import { start_ms } from "./test-records.ts";

/** A directory of mode 0700 that is removed after the test. */
export const temporaryDirectory = (): string => {
  const path = mkdtempSync(join(tmpdir(), "interlock-ledger-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

export const temporaryState = (): StateDirectory => openStateDirectory(join(temporaryDirectory(), "state"));

export const openAt = (directory: StateDirectory, now_ms = start_ms): EmbeddedLedger =>
  openLedger(directory, { durability: "process", expectChain: null, now_ms });
