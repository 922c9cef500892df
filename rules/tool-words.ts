/**
 * Words of a tool's name, in lower case: `runInTerminal`, `mcp__desktop__start_process`, `gmail.messages.get`. Tools have no other sign
 * that all of them carry; whoever sets a tool up chooses it, not the caller.
 */
export const toolWords = (action: string): readonly string[] =>
  action
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
