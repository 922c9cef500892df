import type { ApprovalNeed } from "../../contracts/policy.ts";
import type { ApprovalVote } from "../../store/transaction-rows.ts";

/** What a client's own yes stands under. No operator's vote counts under such a name. */
export const clientVoter = (principal: string | null): string => `client:${principal ?? ""}`;

const isClient = (voter: string): boolean => voter.startsWith("client:");

/** May this voter's yes count for this need? An operator's counts where a client's would do, never the other way round. */
export const isEligible = (need: ApprovalNeed, voter: string, roles: readonly string[]): boolean =>
  isClient(voter) ? need.by === "client" : need.roles.length === 0 || need.roles.some((role) => roles.includes(role));

const isMet = (need: ApprovalNeed, votes: readonly ApprovalVote[]): boolean => {
  const voters = votes.filter(({ operator, roles }) => isEligible(need, operator, roles)).map((vote) => vote.operator);
  return new Set(voters).size >= Math.max(1, need.count);
};

/** Every need on its own, each by as many different voters as it asks for. No need at all is not a yes. */
export const areMet = (needs: readonly ApprovalNeed[], votes: readonly ApprovalVote[]): boolean =>
  needs.length > 0 && needs.every((need) => isMet(need, votes));
