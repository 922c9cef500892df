/** Tool contracts: `import { defineTool, z } from "interlock/contracts"`. docs/contracts.md shows its use. */
export { z } from "zod";
export type { ArgumentDefinition, ArgumentDefinitions } from "./argument-dialect.ts";
export { defineTool, type ToolOptions } from "./define-tool.ts";
export type { IdempotencyOptions } from "./idempotency-terms.ts";
export type {
  PolicyApproval,
  PolicyCondition,
  PolicyDefinition,
  PolicyHours,
  PolicyLimit,
  PolicyWho,
  PrincipalDefinition,
} from "./policy-definition.ts";
export type { Bounds, BoundTerms, Effect, FactRef, FieldError, ToolDefinition, ToolExample } from "./tool.ts";
export { type ToolData, toolsFromData } from "./tools-from-data.ts";
