import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { program } from "../kit/programs.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** The suite needs Node 22. */
const node22 = at("../../client-node/testing/runtimes/node_modules/node22/bin/node");
const suite = at("../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const everything = at("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const ownServer = at("conformance-server/server.mjs");

/** What the suite said, scenario by scenario: `tools-list: 1 passed, 0 failed`. */
export interface Score {
  readonly passed: number;
  readonly failed: number;
  readonly scenarios: readonly string[];
}

/** Runs the active scenarios of the official suite against a server at a URL. */
export const scoreOf = async (url: string): Promise<Score> => {
  const output = mkdtempSync(join(tmpdir(), "il-conformance-"));
  const run = spawn(node22, [suite, "server", "--url", url, "--output-dir", output], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  run.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  run.stderr.resume();
  await once(run, "close");
  const scenarios = said
    .slice(said.indexOf("=== SUMMARY ==="))
    .split("\n")
    .flatMap((line) => /^[✓✗] (.+)$/u.exec(line.trim())?.[1] ?? []);
  const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(said) ?? [];
  if (passed === undefined || failed === undefined) throw new Error("the conformance suite printed no total");
  return { passed: Number(passed), failed: Number(failed), scenarios };
};

/** A program that says on stderr where it listens. */
class Listening {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Listening> {
    const child = spawn(process.execPath, command, {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ...env },
    });
    for await (const line of createInterface(child.stderr)) {
      const url = /listening on (\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      child.stderr.resume();
      return new Listening(child, url);
    }
    throw new Error(`${command[0]} ended before it listened`);
  }

  async end(): Promise<void> {
    const closed = once(this.#child, "close");
    this.#child.kill("SIGTERM");
    await closed;
  }
}

export const aloneServer = (): Promise<Listening> => Listening.start([ownServer, "http"], {});

/** A daemon with the starter rules that lets pass what no rule covers, and a gateway in front of both servers. */
export const startGateway = async (): Promise<{ readonly url: string; end(): Promise<void> }> => {
  const home = mkdtempSync(join(tmpdir(), "il-gateway-"));
  const env = { HOME: home, XDG_RUNTIME_DIR: home };
  const root = join(home, "work");
  mkdirSync(root);
  const init = spawnSync(process.execPath, [program("interlock"), "init", "--root", root], {
    env: { ...process.env, ...env },
  });
  if (init.status !== 0) throw new Error(`interlock init ended with ${init.status}`);
  const settings = join(home, ".interlock/interlock.yaml");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(/^unknown: .*$/m, "unknown: allow"));
  const daemon = await Listening.start([program("interlock-sidecar")], env);
  const config = join(home, "gateway.yaml");
  const servers = {
    own: { command: [process.execPath, ownServer, "stdio"] },
    everything: { command: [process.execPath, everything] },
  };
  writeFileSync(config, JSON.stringify({ listen: "127.0.0.1:0", servers }));
  const gateway = await Listening.start([program("interlock"), "gateway", "--config", config], env);
  return {
    url: gateway.url,
    end: async () => {
      await gateway.end();
      await daemon.end();
    },
  };
};
