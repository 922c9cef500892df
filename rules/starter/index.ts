/** Ready-made rules beside the packs: `import { refundOwnership } from "interlock/rules/starter"`. docs/rules.md says what each does. */
export { quietSearch } from "./quiet-search.ts";
export { type RefundOwnershipOptions, refundOwnership } from "./refund-ownership.ts";
