export { guardMcpSession, type McpGuardOptions, type McpSession } from "./guard-mcp-session.ts";
export type { GuardOptions } from "./guard-options.ts";
