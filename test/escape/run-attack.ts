import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Attack } from "./attack.ts";
import { preloads, type Stage } from "./stage.ts";
import type { Targets } from "./targets.ts";

/** What came of one attack in one process. */
export interface Outcome {
  /** It read the file, ran the program, or reached the server. */
  readonly hadEffect: boolean;
  /** The program, or a child of its, was told that it may not. */
  readonly wasTold: boolean;
  readonly isLate: boolean;
  /** What the program said, for whoever looks into it. */
  readonly said: string;
}

const runner = fileURLToPath(new URL("runner.cjs", import.meta.url));
const longest_ms = 20_000;
/** An attack that writes what it read to a file has read it. */
const mostLoot_bytes = 64 * 1024 * 1024;

/** How the guard or a handle says that a call may not be; a `WebSocket` of Node's has an event for it, and gives no cause. */
const refusal = /BlockedError|NotApprovedError|blocked action|interlock-guard:|EACCES|the WebSocket's error event/;

export const runAttack = async (
  attack: Attack,
  at: number,
  slot: number,
  stage: Stage,
  isGuarded: boolean,
): Promise<Outcome> => {
  const targets = stage.targets[slot] as Targets;
  const scratch = join(stage.home, `scratch-${slot}`);
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  symlinkSync(stage.secret, join(scratch, "to-secret"));
  const before = targets.reached();
  const told = JSON.stringify(stage.tell(at, slot, scratch));
  const { said, isLate } = await runProcess(
    stage.node,
    [...(isGuarded ? preloads[attack.preload] : []), runner, attack.file, attack.target, attack.name, told],
    isGuarded ? { INTERLOCK_SOCKET: stage.socket, INTERLOCK_TIMEOUT: "5" } : {},
    scratch,
  );
  // A connection is counted in a turn of this process's own.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const isIn = (text: string): boolean => stage.secrets.some((secret) => text.includes(secret));
  const effects = {
    read: () => isIn(said) || lootOf(scratch).some(isIn),
    run: () => /uid=\d+/.test(said) || lootOf(scratch).some((text) => /^uid=\d+/.test(text)),
    reach: () => targets.reached() > before,
  };
  return { hadEffect: effects[attack.target](), wasTold: refusal.test(said), isLate, said };
};

const runProcess = (
  node: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<{ readonly said: string; readonly isLate: boolean }> =>
  new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(node, [...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, HOME: cwd, NODE_NO_WARNINGS: "1", ...env },
      cwd,
      // With all that it has started.
      detached: true,
    });
    let said = "";
    let isLate = false;
    const keep = (text: string): void => {
      said += text;
    };
    child.stdout?.setEncoding("utf8").on("data", keep);
    child.stderr?.setEncoding("utf8").on("data", keep);
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child);
    }, longest_ms);
    child.once("error", reject).once("close", () => {
      clearTimeout(timer);
      endGroup(child);
      resolve({ said, isLate });
    });
  });

const endGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // None of them is left.
  }
};

/** What the attack left in its folder. */
const lootOf = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)))
    .filter(({ byteLength }) => byteLength <= mostLoot_bytes)
    .map((bytes) => bytes.toString("latin1"));
