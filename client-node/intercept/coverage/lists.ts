import { builtins, exportsOf, isHere, isLoaded, moduleOf, sameModule } from "./inventory.ts";
import type { Row, Switch } from "./row.ts";
import { table } from "./table.ts";

/** What is guarded in this process, and what is not. Names such as `fs.promises.readFile`; each list is made when it is first read. */
export interface Coverage {
  /** A rule is asked, or the call is refused. Sorted. */
  readonly covered: readonly string[];
  /** Not guarded: of a group that is switched off, or an export that this version of the package does not know. Sorted. */
  readonly uncovered: readonly string[];
  /** Reaches nothing that a rule would judge, or only through what is covered; by name, with the reason. */
  readonly outOfScope: Readonly<Record<string, string>>;
}

/** The lists for a process in which these groups are guarded. */
export const coverage = (switches: ReadonlySet<Switch>): Coverage => {
  let made: Coverage | null = null;
  const lists = (): Coverage => {
    made ??= listsOf(table(), switches);
    return made;
  };
  return Object.freeze({
    get covered() {
      return lists().covered;
    },
    get uncovered() {
      return lists().uncovered;
    },
    get outOfScope() {
      return lists().outOfScope;
    },
  });
};

const listsOf = (rows: readonly Row[], switches: ReadonlySet<Switch>): Coverage => {
  const isOn = (row: Row): boolean => row.is !== "outOfScope" && switches.has(row.by);
  const isOff = (row: Row): boolean => row.is !== "outOfScope" && !switches.has(row.by);
  const known = new Set(rows.flatMap(({ names }) => names));
  const unknown = unlisted(known);
  const reasons = rows.flatMap((row) =>
    row.is === "outOfScope" ? row.names.filter(isHere).map((name) => [name, row.why] as const) : [],
  );
  return Object.freeze({
    covered: sorted(rows.filter(isOn).flatMap(({ names }) => names.filter(isHere))),
    uncovered: sorted([...rows.filter(isOff).flatMap(({ names }) => names.filter(isHere)), ...unknown]),
    outOfScope: Object.freeze(Object.fromEntries(reasons)),
  });
};

/**
 * Exports of this Node that are in no row. A builtin that nothing has loaded is not loaded for it: one that no row names is listed whole.
 * Globals are left to the tests: among them are the program's own.
 */
const unlisted = (known: ReadonlySet<string>): readonly string[] => {
  const named = new Set([...known].map(moduleOf));
  return builtins().flatMap((name) => {
    if (isLoaded(name)) {
      return exportsOf(name).flatMap((found) => (found.isValue || known.has(found.name) ? [] : [found.name]));
    }
    return named.has(name) || Object.hasOwn(sameModule, name) ? [] : [name];
  });
};

const sorted = (names: readonly string[]): readonly string[] => Object.freeze([...new Set(names)].sort());
