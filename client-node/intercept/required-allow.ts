import { blocked } from "../ask.ts";
import type { Guard } from "./ask.ts";
import { refuseInside } from "./refuse-inside.ts";

/**
 * For what no rule can tell good from bad: asked for with `allow: false`, and refused unless a rule rewrites `allow` to true. Silence,
 * and a plain allow, are not enough.
 *
 * @throws BlockedError
 */
export const requireAllowed = (
  guard: Guard,
  action: string,
  view: Readonly<Record<string, unknown>>,
  why: string,
): void => {
  refuseInside(action);
  const { args: changed } = guard.askSync(action, { ...view, allow: false });
  if (guard.refuses?.() === false || changed?.allow === true) return;
  throw blocked(action, `${why}; a rule that rewrites \`allow\` to true lets it pass`);
};
