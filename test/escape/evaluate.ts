import { type Attack, everyAttack } from "./attack.ts";
import { runAttack } from "./run-attack.ts";
import { judge, type Result } from "./score.ts";
import { makeStage, type Stage } from "./stage.ts";

/** As many as a small machine has processors. */
const runners = 2;

export interface Evaluation {
  /** Only attacks with this text in their name or family. */
  readonly only?: string | undefined;
  /** The Node that runs the attacks. Default: this one. */
  readonly node?: string | undefined;
  onResult?(result: Result, done: number, all: number): void;
}

/** Runs every attack unguarded and guarded, and judges each; in the order in which they are listed. */
export const evaluate = async ({
  only = "",
  node = process.execPath,
  onResult,
}: Evaluation = {}): Promise<readonly Result[]> => {
  const attacks = (await everyAttack()).filter(({ family, name }) => `${family} ${name}`.includes(only));
  const stage = await makeStage(runners, node);
  const results = new Array<Result>(attacks.length);
  let next = 0;
  let done = 0;
  const work = async (runner: number): Promise<void> => {
    for (let at = next++; at < attacks.length; at = next++) {
      const result = await judged(attacks[at] as Attack, at, runner, stage);
      results[at] = result;
      onResult?.(result, ++done, attacks.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: runners }, (_, runner) => work(runner)));
  } finally {
    await stage.close();
  }
  return results;
};

const judged = async (attack: Attack, at: number, runner: number, stage: Stage): Promise<Result> => {
  const control = await runAttack(attack, at, runner, stage, false);
  const guarded = await runAttack(attack, at, runner, stage, true);
  return judge(attack, control, guarded);
};
