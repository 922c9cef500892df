import { expect, it } from "vitest";
import { detectorOf } from "../../rules/packs/pii/kinds.ts";
import { detectSecrets } from "../../rules/packs/secrets/detect.ts";
import { seek } from "../../rules/scan/seek.ts";
import { cost_ms } from "./cost.ts";

/** What a detector would have to look at again and again, if it did. */
const shapes: readonly string[] = [
  "a",
  "A",
  "1",
  "f",
  "@",
  "%",
  "\\",
  " ",
  ".",
  "-----",
  "eyJ",
  "eyJ.",
  "sk-",
  "sk-a1",
  "AKIA",
  "%25",
  "%41",
  "password=",
  'password="',
  "password ",
  "token:",
  "://a:",
  "://a:b@",
  "-----BEGIN PRIVATE KEY-----",
  "\\u0041",
  "&#65;",
  "abandon ",
  "<password>",
  "a/",
  "a_",
  '"',
  "a b c ",
  "QUtJ/",
  "key",
  "akey:",
  "a\u200b",
  "\uff21",
  "MTA0",
  "5Hue",
  "0x",
  "xoxb-1-",
  "hooks.slack.com/services/",
  "PuTTY-User-Key-File-2:",
  "PuTTY-User-Key-File-2:Private-Lines:",
  "Bearer ",
  "Basic ",
  "?sig=",
  "0123456789abcdef",
  "-us1",
  "a@",
  "a@b.",
  "4111 ",
  "4111",
  "DE89 ",
  "DE89370400440532013000",
  "123-45-",
  "+49 ",
  "ssn ",
  "card ",
  "1.2.",
  "arn:aws:iam::",
  "QUtJQUlPU0ZPRE5ON0VYQU1QTEU=",
  `${"A".repeat(64)}\n`,
];
const kinds = ["credit_card", "iban", "ssn", "email", "phone", "birth_date", "passport", "ipv4", "aws_arn"] as const;
const personal = detectorOf(kinds, () => false);

it.each(["call", "result"] as const)("100 KB of anything take no detector 50 ms: %s", async (phase) => {
  const slow: string[] = [];
  for (const shape of shapes) {
    const text = shape.repeat(Math.ceil(100_000 / shape.length));
    for (const [name, detect] of [
      ["secrets", detectSecrets],
      ["pii", personal],
    ] as const) {
      const ms = await cost_ms(() => seek(text, { phase, name: "password" }, detect));
      if (ms >= 50) slow.push(`${name} ${JSON.stringify(shape.slice(0, 24))}: ${ms.toFixed(0)} ms`);
    }
  }
  expect(slow).toEqual([]);
});
