import { dataView, jsonView } from "../argument-view.ts";
import type { Guard } from "../ask.ts";
import { faced } from "../exec/face.ts";
import { loadQuietly } from "../load-quietly.ts";
import type { Patches } from "../patch.ts";
import { promiseOfProgram } from "../program-realm.ts";
import { refusedArguments } from "../refused-arguments.ts";
import { requireAllowed } from "../required-allow.ts";
import type { AnyFunction } from "../wrap.ts";
import { heldFile, requireFile, requireFileLater } from "./required-file.ts";
import { reachesFile } from "./sql-reach.ts";
import { sqliteFile } from "./sqlite-file.ts";

interface Sqlite {
  readonly DatabaseSync: { readonly prototype: object };
}

/**
 * `node:sqlite`: a database is asked for when it is made, as `sqlite.DatabaseSync {path, resolved_path?, options?}`, a copy as
 * `sqlite.backup`, an extension as `sqlite.loadExtension`. SQL that reaches another file names it in ways that only SQLite can tell:
 * it runs only where a rule for `sqlite.attach` rewrites `allow` to true.
 */
export const guardSqlite = (patches: Patches, guard: Guard): void => {
  const sqlite = loadQuietly<Sqlite>("sqlite");
  if (sqlite === null) return;
  const { module, warn } = sqlite;
  patches.replace(module, "DatabaseSync", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      warn();
      if (new.target === undefined) return Reflect.apply(original, this, args);
      // Node refuses options that are there and undefined.
      const held = args.map((value, at) => (at === 0 ? heldName("sqlite.DatabaseSync", value) : heldOptions(value)));
      requireDatabase(guard, held[0], held[1]);
      return Reflect.construct(original, held, (new.target as unknown) === guarded ? original : new.target);
    }
    return faced(guarded, original);
  });
  patches.replace(module.DatabaseSync.prototype, "constructor", () => module.DatabaseSync);
  patches.replace(module, "backup", (original: AnyFunction) => {
    const run = async (self: unknown, [source, path, ...rest]: readonly unknown[]): Promise<unknown> => {
      const held = heldName("sqlite.backup", path);
      const file = fileOf(held);
      if (file !== null) await requireFileLater(guard, "sqlite.backup", file);
      const copy = { source };
      underWay.add(copy);
      try {
        return await Reflect.apply(original, self, [source, held, ...rest]);
      } finally {
        underWay.delete(copy);
      }
    };
    function guarded(this: unknown, ...args: unknown[]): Promise<unknown> {
      return promiseOfProgram(run(this, args));
    }
    return faced(guarded, original);
  });
  const { prototype } = module.DatabaseSync;
  patches.replace(prototype, "loadExtension", (original: AnyFunction) => {
    function guarded(this: unknown, path: unknown, ...rest: unknown[]): unknown {
      const held = heldFile("sqlite.loadExtension", path);
      if (isName(held)) requireFile(guard, "sqlite.loadExtension", held);
      return Reflect.apply(original, this, [held, ...rest]);
    }
    return faced(guarded, original);
  });
  for (const key of ["exec", "prepare"]) {
    patches.replace(prototype, key, (original: AnyFunction) => {
      function guarded(this: unknown, sql: unknown, ...rest: unknown[]): unknown {
        requireOwnFile(guard, sql);
        return Reflect.apply(original, this, [sql, ...rest]);
      }
      return faced(guarded, original);
    });
  }
  patches.replace(prototype, "createTagStore", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      const store = Reflect.apply(original, this, args) as object;
      guardTagStore(patches, guard, Object.getPrototypeOf(store) as object);
      return store;
    }
    return faced(guarded, original);
  });
};

/** Its class is exported nowhere: the first store shows it. */
const guardTagStore = (patches: Patches, guard: Guard, prototype: object): void => {
  for (const key of ["all", "get", "iterate", "run"]) {
    patches.replace(prototype, key, (original: AnyFunction) => {
      function guarded(this: unknown, strings: unknown, ...values: unknown[]): unknown {
        const held = Array.isArray(strings) ? Object.freeze(Array.from(strings as unknown[], String)) : strings;
        if (Array.isArray(held)) requireOwnFile(guard, held.join("?"));
        return Reflect.apply(original, this, [held, ...values]);
      }
      return faced(guarded, original);
    });
  }
};

/** Node 22 does not hold a database while it is copied: one that is collected meanwhile ends the process. */
const underWay = new Set<{ readonly source: unknown }>();

const requireDatabase = (guard: Guard, name: unknown, options: unknown): void => {
  const file = fileOf(name);
  if (file === null) return;
  const shown = jsonView(options);
  requireFile(guard, "sqlite.DatabaseSync", file, shown === undefined ? {} : { options: shown });
};

const requireOwnFile = (guard: Guard, sql: unknown): void => {
  if (typeof sql !== "string" || !reachesFile(sql)) return;
  requireAllowed(guard, "sqlite.attach", { sql: dataView(sql) }, "the statement may reach another file");
};

/** SQLite takes the text of a URL as a URI: as a path it would be read otherwise. */
const heldName = (action: string, value: unknown): unknown =>
  value instanceof URL ? refusedArguments(action, () => new URL(value.href)) : heldFile(action, value);

const isName = (value: unknown): value is string | Uint8Array =>
  typeof value === "string" || value instanceof Uint8Array;

const fileOf = (name: unknown): string | Uint8Array | null => {
  const text = name instanceof URL ? name.href : name;
  return isName(text) ? sqliteFile(text) : null;
};

const heldOptions = (options: unknown): unknown => {
  if (typeof options !== "object" || options === null) return options;
  const held: Record<string, unknown> = {};
  for (const key in options) held[key] = (options as Record<string, unknown>)[key];
  return held;
};
