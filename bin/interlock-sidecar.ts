#!/usr/bin/env node
import { beginEngineThread } from "../daemon/supervisor/engine-thread.ts";

// Nothing this process makes is for others: set before any thread exists, since the mask belongs to the process.
process.umask(0o077);

// The engine's thread loads its code while this one reads the command line, the settings and the rules.
const url = new URL("./engine-worker.js", import.meta.url);
const isOnlyAsked = ["--check", "--help", "-h", "--version", "-V"].some((flag) => process.argv.includes(flag));
const begun = isOnlyAsked ? null : beginEngineThread(url);

const { runSidecar } = await import("./interlock-sidecar/run.ts");
await runSidecar(() => ({ url, first: begun ?? beginEngineThread(url) }));
