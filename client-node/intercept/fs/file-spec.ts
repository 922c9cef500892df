import { heldData } from "../held-data.ts";
import { ownRelation } from "../own-package.ts";
import { fields } from "../spec.ts";
import { settledOptions, settledValue } from "./options-argument.ts";
import { isPath, settledPath } from "./path-argument.ts";
import { type LastName, resolvedPath, resolvedTarget } from "./resolved-path.ts";

/** One action: the names of its arguments by position, and what the call does with a link at the end of a path. */
export interface Action {
  readonly name: string;
  readonly fields: readonly string[];
  /** Paths whose last name is kept; the others are followed. */
  readonly kept: readonly string[];
}

/** Where each path of a call leads: `resolved_path` and so on. */
export type Resolved = Readonly<Record<string, string | null>>;

type Arguments = readonly unknown[];

/**
 * How a call's arguments are shown to rules, and how a rewrite becomes arguments again. Rules see the wire's fields, and beside each
 * path that is not written as the kernel will read it `resolved_path` (`resolved_dest`, `resolved_target`): the path it will use,
 * where that can be told. A path that leads into this package is marked by `own_path` (`own_dest`, `own_target`).
 */
export interface FileSpec {
  readonly action: string;
  readonly fields: readonly string[];
  /** Copies that nothing changes while the guard is asked. */
  hold(args: Arguments): Arguments;
  /** Is there a file to ask about? Else it is a descriptor, or Node refuses the call. */
  reaches(args: Arguments): boolean;
  resolve(args: Arguments): Resolved;
  project(args: Arguments, resolved: Resolved): Record<string, unknown>;
  /** @throws TypeError nothing could come of the rewrite: it changes a `resolved_*` or `own_*` field, adds one that the call lacks, or leaves no path */
  apply(args: Arguments, resolved: Resolved, changed: Readonly<Record<string, unknown>>): Arguments;
}

/** Fields that name a file. The others are data, options, or numbers and text. */
export const pathFields: readonly string[] = ["path", "dest", "target"];

export const fileSpec = (
  action: Action,
  isCopied: boolean,
  settled: (value: unknown) => unknown = settledPath,
): FileSpec => {
  const base = fields(...action.fields)(action.name);
  const paths = action.fields.flatMap((field, at) => (pathFields.includes(field) ? [{ field, at }] : []));
  const settle = (value: unknown, at: number): unknown => {
    const field = action.fields[at] ?? "";
    if (pathFields.includes(field)) return settled(value);
    if (typeof value === "function") return value;
    if (field === "data") return heldData(value, isCopied);
    return field === "options" || field === "pattern" ? settledOptions(value) : settledValue(value);
  };
  const spec: FileSpec = {
    action: action.name,
    fields: action.fields,
    hold: (args) => args.map(settle),
    reaches: (args) => paths.every(({ at }) => isPath(args[at])),
    resolve: (args) =>
      action.fields.includes("pattern")
        ? { resolved_path: searched(args[1]) }
        : Object.fromEntries(
            paths.map(({ field, at }) => [`resolved_${field}`, leadsTo(action, field, args[at], args)]),
          ),
    project(args, resolved) {
      const view = base.project(args);
      for (const [key, path] of Object.entries(resolved)) {
        if (path === null) continue;
        const field = key.slice("resolved_".length);
        if (path !== view[field]) view[key] = path;
        const own = ownRelation(path);
        if (own === "inside" || (own === "above" && removing.includes(action.name))) view[`own_${field}`] = own;
      }
      return view;
    },
    apply(args, resolved, changed) {
      const view = spec.project(args, resolved);
      for (const key of Object.keys(changed)) {
        if (!action.fields.includes(key) && changed[key] !== view[key]) {
          throw new TypeError("a rewrite of what the call does not have");
        }
      }
      for (const { field } of paths) if (!isPath(changed[field])) throw new TypeError("a rewrite that leaves no path");
      return base.apply(args, changed);
    },
  };
  return spec;
};

/** With these a folder goes with what is in it. */
const removing: readonly string[] = ["fs.rm", "fs.rmdir", "fs.unlink", "fs.rename"];

/** The folder that a pattern is read from. */
const searched = (options: unknown): string | null => {
  const { cwd = "." } = typeof options === "object" && options !== null ? (options as { readonly cwd?: unknown }) : {};
  return isPath(cwd) ? resolvedPath(cwd, "followed") : null;
};

const leadsTo = (action: Action, field: string, path: unknown, args: Arguments): string | null => {
  if (!isPath(path)) return null;
  if (field !== "target") return resolvedPath(path, lastName(action, field, args));
  const link = args[action.fields.indexOf("path")];
  return isPath(link) ? resolvedTarget(path, link) : null;
};

const lastName = (action: Action, field: string, args: Arguments): LastName => {
  if (!action.kept.includes(field)) return "followed";
  const options = args[action.fields.indexOf("options")] as { readonly dereference?: unknown } | undefined;
  return action.name === "fs.cp" && options?.dereference ? "followed" : "kept";
};
