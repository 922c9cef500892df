const known = new WeakSet<object>();

/** A rule was seen to go on after it had returned, such as in one of its examples. */
export const learnAsynchronous = (evaluate: object): void => void known.add(evaluate);

/** Is this a rule that goes on after it has returned? An async function is known for one; any other is learned to be. */
export const isAsynchronous = (evaluate: object): boolean =>
  known.has(evaluate) || (evaluate as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === "AsyncFunction";
