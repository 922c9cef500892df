import { chmod, copyFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answers } from "../../../conformance/running-daemon.ts";
import { type Ended, type Running, start } from "./process.ts";
import { shortDirectory, signedRules, trustedKey } from "./sign.ts";

const listensWithin_ms = 30_000;

/**
 * One daemon of its own: a real process, a real socket, a signed rule set, and a state directory that nothing was written to
 * before. Nothing of one stage is seen by another.
 */
export class Stage {
  readonly home: string;
  readonly socket: string;
  readonly state: string;
  readonly env: NodeJS.ProcessEnv;
  #daemon: Running | undefined;

  private constructor(home: string) {
    this.home = home;
    this.socket = join(home, "g.sock");
    this.state = join(home, "state");
    this.env = { HOME: home, INTERLOCK_HOME: home };
  }

  /** Sets a stage up and starts its daemon. `rules`: the name of a file of `rules/`; `more`: lines of the configuration. */
  static async open(rules: string, more = ""): Promise<Stage> {
    const stage = new Stage(shortDirectory());
    await stage.putRules(rules);
    const settings = [
      "socket: g.sock",
      "state: state",
      "rules: [rules.ruleset.json]",
      `trust: [${JSON.stringify(await trustedKey())}]`,
      "unknown: allow",
    ];
    await writeFile(join(stage.home, "interlock.yaml"), `${settings.join("\n")}\n${more}`);
    await stage.start();
    return stage;
  }

  /** Puts other rules where the daemon reads them: whole or not at all. */
  async putRules(rules: string): Promise<void> {
    const path = join(this.home, "rules.ruleset.json");
    await copyFile(await signedRules(rules), `${path}.new`);
    await chmod(`${path}.new`, 0o600);
    await rename(`${path}.new`, path);
  }

  async start(): Promise<void> {
    const daemon = start("interlock-sidecar", [], this.env);
    this.#daemon = daemon;
    for (const until_ms = Date.now() + listensWithin_ms; !(await this.#listens(daemon)); ) {
      if (!daemon.isAlive()) throw new Error(`the daemon ended: ${daemon.stderr().trim()}`);
      if (Date.now() > until_ms) throw new Error(`the daemon did not listen: ${daemon.stderr().trim()}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #listens(daemon: Running): Promise<boolean> {
    return daemon.stderr().includes("listening on") && (await answers(this.socket));
  }

  /** The daemon's process id. */
  get pid(): number {
    const pid = this.#daemon?.child.pid;
    if (pid === undefined) throw new Error("the daemon was not started");
    return pid;
  }

  /** SIGTERM, and until it is gone; its state stays. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  /** SIGKILL, and until it is gone. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Ends the daemon and removes everything of the stage. */
  async close(): Promise<void> {
    await this.#end("SIGTERM");
    await rm(this.home, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#daemon?.child.kill(signal);
    await this.#daemon?.ended;
  }

  /** Runs `interlock ARGS` to its end. */
  async interlock(...args: readonly string[]): Promise<Ended> {
    return start("interlock", args, this.env).ended;
  }

  /** Runs `interlock ARGS`, which has to end with 0; what it printed. */
  async mustInterlock(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.interlock(...args);
    if (code !== 0) throw new Error(`interlock ${args.join(" ")} ended with ${code}: ${stderr.trim()}`);
    return stdout;
  }
}

/** Does one piece of work on a stage of its own. */
export type OnStage = <T>(rules: string, work: (stage: Stage) => Promise<T>) => Promise<T>;

/** Opens a stage for one piece of work, and closes it whatever happens. `more`: lines of the configuration. */
export const onStage = async <T>(rules: string, work: (stage: Stage) => Promise<T>, more = ""): Promise<T> => {
  const stage = await Stage.open(rules, more);
  try {
    return await work(stage);
  } finally {
    await stage.close();
  }
};
