import type { Dialect } from "./dialect.ts";
import { type Harm, harmsOf, type SqlOptions } from "./harm.ts";
import { metaHarms } from "./meta-commands.ts";

/** Agents send the same statements again and again: texts are kept up to this many characters in all. */
const maxKeptCharacters = 524_288;

export interface SqlReader {
  /** What the text would do, in the dialect that is known of it or in all that could be meant. Remembered by text. */
  harms(text: string, dialect?: Dialect | null): ReadonlySet<Harm>;
}

/** A reader of SQL with the options of one rule set. */
export const sqlReader = (options: SqlOptions): SqlReader => {
  const known = new Map<string, ReadonlySet<Harm>>();
  let kept = 0;
  return {
    harms(text, dialect = options.dialect) {
      const key = `${dialect ?? ""}\n${text}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const harms = metaHarms(text) ?? harmsOf(text, { ...options, dialect });
      if (kept > maxKeptCharacters) {
        known.clear();
        kept = 0;
      }
      known.set(key, harms);
      kept += key.length;
      return harms;
    },
  };
};
