/** Actions that are no tool of a server but the protocol's own, as clients put them. */
export const getPrompt = "mcp.get_prompt";
export const readResource = "mcp.read_resource";
export const protocolActions: ReadonlySet<string> = new Set([getPrompt, readResource]);
