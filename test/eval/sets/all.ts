import { auditStoreDown } from "./audit-store-down.ts";
import { auditStoreHeld } from "./audit-store-held.ts";
import { coercedTypes } from "./coerced-types.ts";
import { concurrentReplay } from "./concurrent-replay.ts";
import { crashAtEachStep } from "./crash/crash.ts";
import { crossTenant } from "./cross-tenant.ts";
import { doubleResumeAndGrant } from "./double-resume.ts";
import { expiredGrant } from "./expired-grant.ts";
import { policyTightened } from "./policy-tightened.ts";
import { selfApproval } from "./self-approval.ts";
import type { ExtraSet } from "./set.ts";
import { reorderedAndRespelled } from "./spellings.ts";
import { splitRefunds } from "./split-refunds.ts";
import { tampering } from "./tampering.ts";
import { wrongCustomer } from "./wrong-customer.ts";

/** In the order in which they run. */
export const extraSets: readonly ExtraSet[] = Object.freeze([
  concurrentReplay,
  reorderedAndRespelled,
  crashAtEachStep,
  doubleResumeAndGrant,
  coercedTypes,
  wrongCustomer,
  splitRefunds,
  policyTightened,
  expiredGrant,
  selfApproval,
  crossTenant,
  auditStoreDown,
  auditStoreHeld,
  tampering,
]);
