/** What a variable may hold. */
export interface Value {
  /** One of these; `unknown` (word.ts) stands in them for what only the running shell knows. */
  readonly texts: readonly string[];
  /** Names of the commands whose output it holds. */
  readonly fedBy: readonly string[];
}

/** More values than this are not told apart. */
const maxTexts = 8;

const nothingKnown: Value = Object.freeze({ texts: Object.freeze(["\0"]), fedBy: Object.freeze([]) });

/** The variables that a script has set, as far as it was followed. */
export class Variables {
  #values: Map<string, Value>;

  constructor(values: ReadonlyMap<string, Value> = new Map()) {
    this.#values = new Map(values);
  }

  copy(): Variables {
    return new Variables(this.#values);
  }

  /** Undefined: the script did not set it; its environment may have. */
  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  set(name: string, { texts, fedBy }: Value): void {
    this.#values.set(
      name,
      texts.length > maxTexts ? { texts: nothingKnown.texts, fedBy } : { texts: [...texts], fedBy },
    );
  }

  forget(name: string): void {
    this.#values.set(name, nothingKnown);
  }

  /** What is set here and there: after a branch that may not have been taken. */
  join(other: Variables): void {
    for (const [name, { texts, fedBy }] of other.#values) {
      const own = this.#values.get(name);
      if (own === undefined) this.#values.set(name, { texts, fedBy });
      else
        this.set(name, {
          texts: [...new Set([...own.texts, ...texts])],
          fedBy: [...new Set([...own.fedBy, ...fedBy])],
        });
    }
  }

  /** Of these names, those that already have a value may have another: a loop sets them again. */
  blur(names: ReadonlySet<string>): void {
    for (const name of names) {
      const own = this.#values.get(name);
      if (own !== undefined) this.set(name, { texts: [...new Set([...own.texts, "\0"])], fedBy: own.fedBy });
    }
  }
}
