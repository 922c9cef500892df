import type { RuleExample } from "../../types.ts";

/** Put together here, so that no file holds what looks like a token. */
const token = `ghp_${"A1b2C3d4E5".repeat(4).slice(0, 36)}`;

export const inCallsExamples: readonly Omit<RuleExample, "given">[] = [
  { event: { action: "fetch", args: { url: "https://example.com/?page=2" } }, expect: "silent" },
  { event: { action: "send_message", args: { text: `use ${token}` } }, expect: "block" },
  {
    event: { action: "send_message", args: { text: `use ${Buffer.from(token).toString("base64")}` } },
    expect: "block",
  },
  {
    event: { action: "write_file", args: { path: "a.ts", content: "const token = await login();" } },
    expect: "silent",
  },
  { event: { action: "send_message", args: { config: { db_password: "k7!vQz-31" } } }, expect: "escalate" },
  { event: { action: "send_message", args: { first: token.slice(0, 14), second: token.slice(14) } }, expect: "block" },
];
