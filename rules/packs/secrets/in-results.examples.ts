import type { RuleExample } from "../../types.ts";

const token = `ghp_${"A1b2C3d4E5".repeat(4).slice(0, 36)}`;

export const inResultsExamples: readonly Omit<RuleExample, "given">[] = [
  { event: { action: "read_file", args: { content: "const token = process.env.TOKEN;" } }, expect: "silent" },
  {
    event: { action: "read_file", args: { content: [{ type: "text", text: `TOKEN=${token}` }] } },
    expect: "rewrite",
    becomes: { content: [{ type: "text", text: "TOKEN=[REDACTED github_token]" }] },
  },
  {
    event: { action: "read_file", args: { result: `{"token":"${token}","count":7}` } },
    expect: "rewrite",
    becomes: '{"token":"[REDACTED github_token]","count":7}',
  },
];
