import { ablations } from "./metrics/ablations.ts";
import { completion } from "./metrics/completion.ts";
import { duplicates } from "./metrics/duplicates.ts";
import { unsafeWrites } from "./metrics/unsafe-writes.ts";
import type { Evaluation } from "./results/evaluation.ts";
import { focusedSet } from "./scenarios/focused.ts";
import { standardSet } from "./scenarios/standard.ts";
import { extraSets } from "./sets/all.ts";

type Part = () => Promise<Evaluation>;

const extraPart = (name: string, run: () => Promise<NonNullable<Evaluation["extra"]>[string]>): [string, Part] => [
  name,
  async () => ({ extra: { [name]: await run() } }),
];

/** What `--metric` can name, in the order in which `all` runs it. */
export const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ["unsafe_writes", async () => ({ unsafe_writes: await unsafeWrites() })],
  ["duplicates", async () => ({ duplicates: await duplicates() })],
  ["completion", async () => ({ completion: await completion(standardSet) })],
  ["completion_focused", async () => ({ completion_focused: await completion(focusedSet) })],
  ["ablations", async () => ({ ablations: await ablations() })],
  ...extraSets.map(({ name, run }) => extraPart(name, run)),
]);

const partOf = (name: string): Part => {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`no metric ${name}; there are all, ${[...parts.keys()].join(", ")}`);
  return part;
};

export interface Evaluated {
  readonly evaluation: Evaluation;
  /** One line for each part that could not run. */
  readonly notRun: readonly string[];
}

/**
 * Runs the named parts one after another, each on daemons of its own. `say` is told of each when it is done. Throws before any
 * runs where there is no part of a name.
 */
export const evaluate = async (
  names: readonly string[],
  say: (name: string, seconds: number) => void = () => undefined,
): Promise<Evaluated> => {
  const chosen = names.map((name) => [name, partOf(name)] as const);
  let evaluation: Evaluation = {};
  const notRun: string[] = [];
  for (const [name, part] of chosen) {
    const since_ms = performance.now();
    try {
      const { extra, ...metrics } = await part();
      const sets = extra === undefined ? {} : { extra: { ...evaluation.extra, ...extra } };
      evaluation = { ...evaluation, ...metrics, ...sets };
    } catch (error) {
      notRun.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    say(name, (performance.now() - since_ms) / 1000);
  }
  return { evaluation, notRun };
};
