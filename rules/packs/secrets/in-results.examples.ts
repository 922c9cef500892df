import type { WireValue } from "../../../wire/value.ts";
import type { RuleExample } from "../../types.ts";
import type { SecretsOptions } from "./options.ts";

const token = `ghp_${"A1b2C3d4E5".repeat(4).slice(0, 36)}`;

const taken = (results: SecretsOptions["results"], becomes: WireValue) =>
  results === "block" ? { expect: "block" as const } : { expect: "rewrite" as const, becomes };

export const inResultsExamples = (results: SecretsOptions["results"]): readonly Omit<RuleExample, "given">[] => [
  { event: { action: "read_file", args: { content: "const token = process.env.TOKEN;" } }, expect: "silent" },
  {
    event: { action: "read_file", args: { content: [{ type: "text", text: `TOKEN=${token}` }] } },
    ...taken(results, { content: [{ type: "text", text: "TOKEN=[REDACTED github_token]" }] }),
  },
  {
    event: { action: "read_file", args: { result: `{"token":"${token}","count":7}` } },
    ...taken(results, '{"token":"[REDACTED github_token]","count":7}'),
  },
];
