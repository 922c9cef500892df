import { afterEach } from "vitest";
import { BlockedError } from "../blocked-error.ts";
import type { RemoteEngineOptions } from "../engine-options.ts";
import { RemoteEngine } from "../remote-engine.ts";
import { type Script, ScriptedDaemon } from "./scripted-daemon.ts";

const daemons: ScriptedDaemon[] = [];
const engines: RemoteEngine[] = [];

afterEach(async () => {
  for (const daemon of daemons.splice(0)) await daemon.stop();
  for (const engine of engines.splice(0)) await engine.close();
});

/** A scripted daemon that is stopped after the test. */
export const scripted = async (script: Script, path?: string): Promise<ScriptedDaemon> => {
  const daemon = await ScriptedDaemon.listen(script, path);
  daemons.push(daemon);
  return daemon;
};

/** An engine that is closed after the test. */
export const engineFor = (path: string, options: RemoteEngineOptions = {}): RemoteEngine => {
  const engine = new RemoteEngine(path, options);
  engines.push(engine);
  return engine;
};

/** The reason for which a question was blocked; throws where it was not. */
export const reasonOf = async (question: Promise<unknown>): Promise<string> => {
  try {
    await question;
  } catch (error) {
    if (error instanceof BlockedError) return error.decision.reason;
    throw error;
  }
  throw new Error("it was not blocked");
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
