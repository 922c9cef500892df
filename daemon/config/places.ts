import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where things are when nobody says otherwise. `INTERLOCK_HOME` moves all of them at once. */
export interface Places {
  readonly home: string;
  readonly config: string;
  readonly socket: string;
  readonly state: string;
  readonly rules: string;
  readonly trust: string;
  readonly signingKey: string;
  /** The key that signs fallback policies. */
  readonly fallbackKey: string;
  readonly tokenKey: string;
  /** The key that all daemons of a deployment share. */
  readonly deploymentKey: string;
  /** What clients decided without the daemon. */
  readonly offlineSpool: string;
  /** Tokens of the operators who decide from this account. */
  readonly operatorTokens: string;
}

export const placesFor = (env: NodeJS.ProcessEnv): Places => {
  const chosen = env.INTERLOCK_HOME || undefined;
  const home = chosen === undefined ? join(homedir(), ".interlock") : resolve(chosen);
  // The published default of the protocol: the session's own runtime directory where there is one.
  const runtime = env.XDG_RUNTIME_DIR;
  const socketDirectory = chosen === undefined && runtime ? join(runtime, "interlock") : home;
  return {
    home,
    config: join(home, "interlock.yaml"),
    socket: join(socketDirectory, "guard.sock"),
    state: join(home, "state"),
    rules: join(home, "rules", "starter.ruleset.json"),
    trust: join(home, "keys", "rules.key.pub"),
    signingKey: join(home, "keys", "rules.key"),
    fallbackKey: join(home, "keys", "fallback.key"),
    tokenKey: join(home, "keys", "tokens.key"),
    deploymentKey: join(home, "deployment.key"),
    offlineSpool: join(home, "offline"),
    operatorTokens: join(home, "operators"),
  };
};
