import { argumentPath, type Found, readPath } from "../../rules/contracts/argument-path.ts";
import { isFactRef } from "../../rules/contracts/fact-ref.ts";
import type { Bounds, FactRef, ToolDefinition } from "../../rules/contracts/tool.ts";
import { RuleDefinitionError } from "../../rules/definition-error.ts";
import type { Resolvers } from "../../rules/types.ts";
import type { WireObject, WireValue } from "../../wire/value.ts";
import type { FactCheck, FactSeen } from "./contract.ts";
import { type Fact, FactShelf } from "./fact-shelf.ts";

interface FactBound {
  readonly argument: string;
  readonly term: "min" | "max" | "equals";
  readonly ref: FactRef;
}

/** Null where no bound rests on a fact. Throws `RuleDefinitionError` for a fact that no resolver tells. */
export const factCheck = (
  tool: ToolDefinition,
  resolvers: Resolvers,
): ((args: WireObject, now_ms: number) => Promise<FactCheck>) | null => {
  const bounds = factBounds(tool.bounds);
  if (bounds.length === 0) return null;
  const shelves = new Map<string, FactShelf>();
  for (const { ref, argument } of bounds) {
    const source = Object.hasOwn(tool.resolvers, ref.fact) ? tool.resolvers[ref.fact] : undefined;
    const shared = Object.hasOwn(resolvers, ref.fact) ? resolvers[ref.fact] : undefined;
    const found = source ?? (shared === undefined ? undefined : { fetch: shared, fresh_ms: 0 });
    if (found === undefined)
      throw new RuleDefinitionError(`tool ${tool.name}: bound on ${argument}: there is no resolver ${ref.fact}`);
    if (!shelves.has(ref.fact)) shelves.set(ref.fact, new FactShelf(found));
  }
  return (args, now_ms) => new Check(args, now_ms, shelves).all(bounds);
};

const factBounds = (bounds: Bounds): readonly FactBound[] =>
  Object.entries(bounds).flatMap(([argument, terms]) =>
    (["equals", "min", "max"] as const).flatMap((term) => {
      const ref = terms[term];
      return isFactRef(ref) ? [{ argument, term, ref }] : [];
    }),
  );

/** One call's facts: each is asked for once, however many bounds rest on it. */
class Check {
  readonly #args: WireObject;
  readonly #now_ms: number;
  readonly #shelves: ReadonlyMap<string, FactShelf>;
  readonly #facts = new Map<string, Fact>();
  readonly #seen: FactSeen[] = [];

  constructor(args: WireObject, now_ms: number, shelves: ReadonlyMap<string, FactShelf>) {
    this.#args = args;
    this.#now_ms = now_ms;
    this.#shelves = shelves;
  }

  async all(bounds: readonly FactBound[]): Promise<FactCheck> {
    for (const bound of bounds) {
      const wrong = await this.#wrongOf(bound);
      if (wrong !== null) return Object.freeze({ ok: false, seen: Object.freeze(this.#seen), ...wrong });
    }
    return Object.freeze({ ok: true, seen: Object.freeze(this.#seen) });
  }

  async #wrongOf({ argument, term, ref }: FactBound): Promise<{ reason: string; attributedTo: string } | null> {
    const key = scalarAt(this.#args, ref.key);
    const no = (reason: string, attributedTo = argument) => ({ reason, attributedTo });
    if (key === null) return no(`${ref.key} is no key of ${ref.fact}`, ref.key);
    const fact = await this.#factOf(ref, key);
    if (fact.value === undefined || fact.value === null) return no(`${ref.fact} knows no such ${ref.key}`, ref.key);
    const bound = scalarAt(fact.value, ref.path);
    if (bound === null) return no(`${ref.fact} does not tell ${ref.path}`);
    for (const found of readPath(this.#args, argumentPath(argument, "bound"))) {
      const why = whyNot(found, term, bound, `${ref.path} of ${ref.fact}`);
      if (why !== null) return no(`${found.loc} ${why}`, found.loc);
    }
    return null;
  }

  async #factOf({ fact: name, key: path }: FactRef, key: string | number | boolean): Promise<Fact> {
    const id = JSON.stringify([name, path]);
    const known = this.#facts.get(id);
    if (known !== undefined) return known;
    const fact = await (this.#shelves.get(name) as FactShelf).get(key, this.#now_ms);
    this.#facts.set(id, fact);
    this.#seen.push(
      Object.freeze({ resolver: name, digest: fact.digest, age_ms: Math.max(0, this.#now_ms - fact.at_ms) }),
    );
    return fact;
  }
}

/** A text, a finite number or a boolean; anything else is nothing to compare with. */
const scalarAt = (value: unknown, path: string): string | number | boolean | null => {
  const [found] = readPath(value as WireObject, argumentPath(path, "fact"));
  const at = found?.kind === "value" ? found.value : null;
  return typeof at === "string" || typeof at === "boolean" || (typeof at === "number" && Number.isFinite(at))
    ? at
    : null;
};

/** Never names the values: they are an argument's, or a fact's. */
const whyNot = (
  found: Found,
  term: FactBound["term"],
  bound: string | number | boolean,
  shown: string,
): string | null => {
  if (found.kind !== "value") return "is missing";
  const value: WireValue = found.value;
  if (term === "equals") return value === bound ? null : `is not the ${shown}`;
  if (typeof bound !== "number") return `cannot be compared: ${shown} is not a number`;
  if (typeof value !== "number" || !Number.isFinite(value)) return "is not a number";
  if (term === "min") return value >= bound ? null : `is less than the ${shown}`;
  return value <= bound ? null : `is more than the ${shown}`;
};
