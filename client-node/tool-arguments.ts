import { isPlainObject } from "./plain-object.ts";
import { isRepresentable } from "./representable.ts";
import { detached } from "./snapshot.ts";

/** What a policy is shown of a function's arguments, and how the judged view becomes arguments again. */
export interface ToolView {
  readonly view: Readonly<Record<string, unknown>>;
  /** @throws TypeError the view was rewritten into something that no argument list can be made of */
  readonly toArguments: (judged: Readonly<Record<string, unknown>>) => readonly unknown[];
}

const reserved = "positional_args";

/**
 * The first argument, where it is a plain object, is the view; anything else is `{input: first}`; no arguments are `{}`. Further
 * arguments are shown under `positional_args`, or, where one of them has no JSON form, not at all: they reach the tool either
 * way, in their places. With further arguments the name is reserved: a key of that name in the first object is neither
 * shown nor passed.
 */
export const toolView = (args: readonly unknown[]): ToolView => {
  const [first, ...trailing] = args;
  const isObject = first === undefined || isPlainObject(first);
  // A copy of their own: what the caller changes while the guard is asked does not run.
  const view = detached(isObject ? (first ?? {}) : { input: first });
  if (trailing.length > 0) delete view[reserved];
  const shown = trailing.length > 0 && isRepresentable(trailing);
  if (shown) view[reserved] = trailing;
  const ownKey = trailing.length === 0 && Object.hasOwn(view, reserved);

  return {
    view,
    toArguments: (judged) => {
      // A first object's own key of that name is an ordinary argument, as long as no other arguments were given.
      const rest = ownKey ? trailing : rewrittenTrailing(judged, trailing, shown);
      const named = { ...judged };
      if (!ownKey) delete named[reserved];
      if (!isObject) return [named.input, ...rest];
      if (first === undefined && Object.keys(named).length === 0) return args.length === 0 ? rest : [first, ...rest];
      return [named, ...rest];
    },
  };
};

const rewrittenTrailing = (
  judged: Readonly<Record<string, unknown>>,
  trailing: readonly unknown[],
  shown: boolean,
): readonly unknown[] => {
  if (!Object.hasOwn(judged, reserved)) return shown ? [] : trailing;
  const rewritten = judged[reserved];
  if (!Array.isArray(rewritten)) throw new TypeError(`a rewrite made ${reserved} something other than an array`);
  return rewritten;
};
