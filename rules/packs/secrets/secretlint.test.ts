import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { expect, it } from "vitest";
import { seek } from "../../scan/seek.ts";
import { detectSecrets } from "./detect.ts";

/** secretlint's recommended rules, as they judge a file. */
const saidBySecretlint = async (content: string): Promise<boolean> => {
  const { messages } = await lintSource({
    source: { filePath: "/a.txt", content, ext: ".txt", contentType: "text" },
    options: { config: { rules: [{ id: "preset", rule: creator }] }, noPhysicFilePath: true },
  });
  return messages.length > 0;
};
const saidHere = (content: string): boolean => seek(content, { phase: "result", name: "" }, detectSecrets).length > 0;

const random = (length: number, from = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC"): string =>
  Array.from({ length }, (_, index) => from[(index * 7 + (index >> 2)) % from.length]).join("");

const secrets: readonly string[] = [
  `AWS_SECRET_ACCESS_KEY="${random(40)}"`,
  `ghp_${random(36)}`,
  `gho_${random(36)}`,
  `xoxb-123456789012-${random(24)}`,
  "https://hooks.slack.com/services/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",
  `npm_${random(36)}`,
  `SG.${random(22)}.${random(43)}`,
  `shpat_${random(32, "0123456789abcdef")}`,
  `sk-ant-api03-${random(93)}AA`,
  `sk-proj-${random(58)}T3BlbkFJ${random(58)}`,
  `lin_api_${random(40)}`,
  `https://ada:${random(14)}@git.acme.io/a.git`,
  `mongodb://svc:${random(14)}@db.acme.io:27017/x`,
  `mysql://svc:${random(14)}@db.acme.io/x`,
  `postgresql://svc:${random(14)}@db.acme.io/x`,
];

const none: readonly string[] = [
  "commit 6282daf1314dbc8bb9b670a21cd5bd1f8733780c",
  "const token = process.env.GITHUB_TOKEN;",
  "The prefix ghp_ is of GitHub, AKIA of AWS.",
  "https://example.com/a?b=c",
  "postgres://localhost:5432/x",
  `"integrity": "sha512-${Buffer.alloc(64, "a1B2c3").toString("base64")}"`,
  "-----BEGIN CERTIFICATE-----",
];

it.each(secrets)("what secretlint finds is found here: %s", async (content) => {
  expect(await saidBySecretlint(content), "by secretlint").toBe(true);
  expect(saidHere(content), "here").toBe(true);
});

it.each(none)("what secretlint passes, passes here: %s", async (content) => {
  expect(await saidBySecretlint(content), "by secretlint").toBe(false);
  expect(saidHere(content), "here").toBe(false);
});
