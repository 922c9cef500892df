import type { ApprovalNeed, ApprovalScope } from "../../contracts/policy.ts";
import type { ApprovalRow, ApprovalVote } from "../../store/transaction-rows.ts";
import type { ShapeKey } from "../plan.ts";

/** The longest that a grant for more than one call may stand. */
export const maxStandingGrant_ms = 90 * 24 * 60 * 60 * 1000;

const samePaths = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((path, at) => path === other[at]);

export const sameScope = (one: ApprovalScope, other: ApprovalScope): boolean =>
  one.kind === "shape" ? other.kind === "shape" && samePaths(one.paths, other.paths) : one.kind === other.kind;

/** Only what every need permits; `once` is always permitted. */
export const isPermitted = (needs: readonly ApprovalNeed[], scope: ApprovalScope): boolean =>
  scope.kind === "once" || needs.every(({ scopes }) => scopes.some((permitted) => sameScope(permitted, scope)));

/** By what later calls find a grant of this scope; null where it is for one call, or the call has no such shape. */
export const matchKey = (scope: ApprovalScope, fingerprint: string, shapes: readonly ShapeKey[]): string | null => {
  if (scope.kind === "once") return null;
  if (scope.kind === "exact") return fingerprint;
  return shapes.find(({ paths }) => samePaths(paths, scope.paths))?.key ?? null;
};

/** How long the request stays open, and a grant for one call may be used: the shortest that a need says. */
export const shortestTerm_ms = (needs: readonly ApprovalNeed[]): number =>
  Math.min(...needs.map(({ expires_ms }) => expires_ms));

/** What all voters said yes to: where they differ, one call, and for the shortest time that one of them named. */
export const grantedTerms = (
  row: Pick<ApprovalRow, "fingerprint">,
  needs: readonly ApprovalNeed[],
  shapes: readonly ShapeKey[],
  votes: readonly ApprovalVote[],
  now_ms: number,
): Required<Pick<ApprovalRow, "scope" | "match_key" | "granted_until_ms">> => {
  const [first, ...others] = votes.map(({ scope }) => scope);
  const agreed = first !== undefined && others.every((scope) => sameScope(scope, first)) ? first : null;
  const key = agreed === null ? null : matchKey(agreed, row.fingerprint, shapes);
  const term = now_ms + shortestTerm_ms(needs);
  const named = votes.map(({ until_ms }) => until_ms ?? term);
  const scope = agreed === null || key === null ? "once" : agreed.kind;
  return { scope, match_key: key, granted_until_ms: scope === "once" ? Math.min(term, ...named) : Math.min(...named) };
};
