import type { ApprovalStatus } from "../status.ts";

/** What may become of an approval. What is not listed does not happen: a denial is never granted, a use never undone. */
const after: Readonly<Record<ApprovalStatus, readonly ApprovalStatus[]>> = Object.freeze({
  pending: ["granted", "denied", "revoked", "expired"],
  granted: ["used", "revoked", "expired"],
  denied: [],
  revoked: [],
  expired: [],
  used: [],
});

export const mayBecome = (from: ApprovalStatus, to: ApprovalStatus): boolean => after[from].includes(to);
