import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { safeSet } from "../eval/scenarios/standard.ts";
import { withAgent } from "../eval/stage/agent.ts";
import { onStage, type Stage } from "../eval/stage/stage.ts";
import { Ledger } from "./ledger-file.ts";
import { type Loot, type Tampering, tamperings } from "./tamperings.ts";

const verifier = fileURLToPath(new URL("../../conformance/verifier/verify_receipts.py", import.meta.url));

/** What a verifier says: whole, or what is wrong and where. Null where it says neither. */
export type Said = { readonly problem: string; readonly seq: number } | "whole" | null;

export interface Result {
  readonly name: string;
  /** Of the altered database; null where a database cannot hold the alteration. */
  readonly store: Said;
  /** Of the export that a thief writes of it; null where that is a part of the log as good as any. */
  readonly exported: Said;
  /** The Python verifier's word on the same export. */
  readonly python: Said;
  readonly detected: boolean;
  readonly agree: boolean;
}

interface Spoken {
  readonly code: number | null;
  readonly stdout: string;
}

/** A verdict counts with the exit code that belongs to it. */
const saidIn = ({ code, stdout }: Spoken): Said => {
  const { whole, finding } = JSON.parse(stdout) as {
    readonly whole: boolean;
    readonly finding: Exclude<Said, "whole">;
  };
  if (whole) return code === 0 ? "whole" : null;
  return code === 1 && finding !== null ? { problem: finding.problem, seq: finding.seq } : null;
};

const byPython = (args: readonly string[]): Promise<Spoken> =>
  new Promise((resolve, reject) => {
    const child = spawn("python3", [verifier, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout }));
  });

const isFound = (said: Said): boolean => said !== null && said !== "whole";

/** What the tamperings are tried on, and what an auditor has: the key, and a checkpoint of the log's end. */
interface Scene {
  readonly stage: Stage;
  readonly ledger: Ledger;
  readonly loot: Loot;
  readonly key: string;
  readonly kept: string;
}

const tried = async (scene: Scene, number: number, tampering: Tampering): Promise<Result> => {
  const { stage, ledger, loot, key, kept } = scene;
  const folder = join(stage.home, `tampering-${number}`);
  mkdirSync(folder);
  const altered = ledger.copy();
  tampering.change(altered, loot);
  let store: Said = null;
  if (tampering.where !== "export") {
    const state = join(folder, "state");
    cpSync(stage.state, state, { recursive: true });
    altered.write(state);
    store = saidIn(await stage.interlock("receipts", "verify", "--state", state, "--json"));
  }
  let [exported, python]: [Said, Said] = [null, null];
  if (tampering.where !== "store") {
    const lines = tampering.lines?.(altered.exported()) ?? altered.exported();
    const path = join(folder, "export.jsonl");
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    const args = [path, "--key", key, ...(tampering.kept ? ["--checkpoint", kept] : []), "--json"];
    exported = saidIn(await stage.interlock("receipts", "verify", ...args));
    python = saidIn(await byPython(args));
  }
  const detected =
    (tampering.where === "export" || isFound(store)) && (tampering.where === "store" || isFound(exported));
  const agree = JSON.stringify(exported) === JSON.stringify(python);
  return { name: tampering.name, store, exported, python, detected, agree };
};

const settings = "checkpoint_receipts: 8\ncheckpoint_ms: 100\n";

const work = (stage: Stage, from: number, to: number): Promise<void> =>
  withAgent(stage, async (agent) => {
    for (const { tool, naive } of safeSet.slice(from, to)) await agent.put(tool, naive);
  });

/** A stop signs what is there, so that there are checkpoints to take away, however quick the machine is. */
const sittings = Object.freeze([[20, 26] as const, [26, 32] as const, [32, 38] as const, [38, 45] as const]);

/** The ledger of another daemon, which is nobody's of ours. */
const anothers = (): Promise<Ledger> =>
  onStage(
    "every-gate",
    async (stage) => {
      await work(stage, 0, 10);
      await stage.stop();
      return Ledger.read(stage.state);
    },
    settings,
  );

/** A copy of the state goes on by itself, as a daemon of its own: what comes of it. */
const forked = async (stage: Stage): Promise<Ledger> => {
  const kept = join(stage.home, "state-kept");
  cpSync(stage.state, kept, { recursive: true });
  await stage.start();
  await work(stage, 30, 70);
  await stage.stop();
  const fork = Ledger.read(stage.state);
  cpSync(kept, stage.state, { recursive: true, force: true });
  return fork;
};

export interface Evaluation {
  readonly results: readonly Result[];
  /** The ledger that nobody altered: each verifier has to find it whole, written back and exported as all others were. */
  readonly unaltered: Result;
}

/** Makes a ledger with a real daemon, alters copies of it, and asks both verifiers. `only`: names that contain it. */
export const evaluate = (only = "", onResult: (result: Result) => void = () => undefined): Promise<Evaluation> =>
  onStage(
    "every-gate",
    async (stage) => {
      const another = await anothers();
      await work(stage, 0, 20);
      await stage.stop();
      const older = Ledger.read(stage.state);
      const fork = await forked(stage);
      for (const [from, to] of sittings) {
        await stage.start();
        await work(stage, from, to);
        await stage.stop();
      }
      const kept = join(stage.home, "kept.note");
      writeFileSync(kept, readFileSync(join(stage.state, "checkpoint")));
      const scene: Scene = {
        stage,
        ledger: Ledger.read(stage.state),
        loot: { another, older, fork },
        key: join(stage.state, "receipts.key.pub"),
        kept,
      };
      const nothing: Tampering = { name: "nothing is altered", change: () => undefined, kept: true, where: "both" };
      const results: Result[] = [];
      for (const [number, tampering] of tamperings.entries()) {
        if (!tampering.name.includes(only)) continue;
        const result = await tried(scene, number, tampering);
        results.push(result);
        onResult(result);
      }
      return { results, unaltered: await tried(scene, tamperings.length, nothing) };
    },
    settings,
  );

export interface Score {
  readonly total: number;
  readonly detected: number;
  readonly verifiers_agree: boolean;
}

/** What is not altered and found all the same counts as a disagreement: it must be whole to everybody. */
export const scoreOf = ({ results, unaltered }: Evaluation): Score => ({
  total: results.length,
  detected: results.filter(({ detected }) => detected).length,
  verifiers_agree:
    results.every(({ agree }) => agree) &&
    [unaltered.store, unaltered.exported, unaltered.python].every((said) => said === "whole"),
});

const shown = (said: Said): string =>
  said === null ? "-" : said === "whole" ? "whole" : `${said.problem}@${said.seq}`;

export const lineOf = ({ name, store, exported, python, detected, agree }: Result): string =>
  `${detected && agree ? "found " : "MISSED"} ${name}: store ${shown(store)}, export ${shown(exported)}, python ${shown(python)}`;
