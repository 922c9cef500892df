import { onPath, withInner, withLaterInner } from "./inner-calls.ts";
import type { AnyFunction, Member } from "./member.ts";
import { isPath } from "./path-argument.ts";
import { resolvedPath } from "./resolved-path.ts";

/** What the call may reach by itself. The links that `realpath` reads may lead anywhere; it reads no more than where. */
const rootsOf = ({ spec }: Member, runs: readonly unknown[]): readonly string[] | null => {
  if (spec.action === "fs.realpath") return null;
  if (spec.fields.includes("pattern")) return Object.values(spec.resolve(runs)).flatMap((root) => root ?? []);
  return runs.slice(0, 2).flatMap((path) => (isPath(path) ? (resolvedPath(path, "kept") ?? []) : []));
};

const innerOf = (member: Member, runs: readonly unknown[]) => {
  const { inner, innerAnywhere } = member;
  if (innerAnywhere !== undefined) return { members: innerAnywhere, roots: rootsOf(member, runs) };
  return inner === undefined ? undefined : onPath(inner, runs[0]);
};

/** Runs the original, with what it calls itself let through. */
export const run = (member: Member, original: AnyFunction, self: unknown, runs: readonly unknown[]): unknown => {
  const call = (): unknown => withInner(innerOf(member, runs), () => Reflect.apply(original, self, runs));
  if (member.later === undefined) return call();
  return withLaterInner({ members: member.later, roots: rootsOf(member, runs) }, call);
};
