const marker = Symbol.for("interlock.guarded");

// biome-ignore lint/suspicious/noExplicitAny: a function of unknown shape, kept as it is
type AnyFunction = (...args: any[]) => unknown;

export const isGuarded = (value: unknown): boolean =>
  typeof value === "function" && (value as { [marker]?: unknown })[marker] === true;

/** Gives a wrapper the name, length and prototype of what it wraps, and marks it so that it is not wrapped again. */
export const guardedLike = <W extends AnyFunction>(wrapper: W, original: AnyFunction): W => {
  Object.defineProperty(wrapper, "name", { value: original.name, configurable: true });
  Object.defineProperty(wrapper, "length", { value: original.length, configurable: true });
  Object.defineProperty(wrapper, marker, { value: true });
  // A preload's wrappers are functions of another realm (intercept/realm/realm.ts).
  Object.setPrototypeOf(wrapper, Object.getPrototypeOf(original));
  return wrapper;
};
