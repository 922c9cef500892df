import { describe, expect, it } from "vitest";
import type { WireObject } from "../../../wire/value.ts";
import { pii } from "./index.ts";

const around = { roots: [], directory: null, allowHosts: [] };

const asked = async (phase: "call" | "result", args: object, options: object, action = "send_message") => {
  for (const rule of pii.rules({ ...pii.tiers.starter!, ...options }, around)) {
    if (rule.phase !== phase) continue;
    const event = {
      action,
      args: args as WireObject,
      phase,
      principal: "a",
      parent_principal: null,
      span_id: null,
      ts: 0,
    };
    const answer = await rule.evaluate(event, { now_ms: 0, lookup: async () => undefined });
    if (answer !== undefined) return answer;
  }
  return undefined;
};
const call = async (args: object, options: object = {}, action?: string) =>
  (await asked("call", args, options, action))?.kind ?? "silent";
const result = async (args: object, options: object = {}) => {
  const answer = await asked("result", args, options);
  return answer?.kind === "rewrite_result" ? answer.result : (answer?.kind ?? "silent");
};
const strict = pii.tiers.strict!;

describe("cards", () => {
  it.each([
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "3782 822463 10005",
    "card: 5500000000000004",
    "5500000000000004,03/27",
    "visa 4539 5787 6362 1486",
    "6011000990139424 cvv 123",
  ])("%s", async (text) => {
    expect(await call({ text })).toBe("escalate");
    expect(JSON.stringify(await result({ text }))).toContain("[REDACTED credit_card]");
  });
  it.each([
    ["a check digit that does not hold", "card 4111 1111 1111 1112"],
    ["sixteen digits of an order", "order 4111111111111111 is on its way"],
    ["a time in microseconds", "at 1767225600123456"],
    ["a fraction", "card weight 0.4111111111111111"],
    ["a UUID", "card 41111111-1111-4111-8111-111111111111"],
  ])("%s is none", async (_name, text) => {
    expect(await call({ text })).toBe("silent");
    expect(await result({ text })).toBe("silent");
  });
});

describe("what drift scanners of others got wrong", () => {
  it("I: integers of nine, ten and sixteen digits stay numbers, and JSON stays JSON", async () => {
    const args = {
      at: 1767225600,
      order: 123456789,
      big: 4111111111111111,
      text: '{"at":1767225600,"n":123456789,"ms":1767225600123}',
    };
    expect(await result(args)).toBe("silent");
    const withCard = await result({
      content: [{ type: "text", text: '{"card":4111111111111111,"at":1767225600,"name":"\\u00e9"}' }],
    });
    const text = (withCard as unknown as { content: [{ text: string }] }).content[0].text;
    expect(JSON.parse(text)).toEqual({ card: 0, at: 1767225600, name: "é" });
  });
  it("I: a picture with digits in a row is not touched", async () =>
    expect(
      await result({
        content: [{ type: "image", mimeType: "image/png", data: "iVBORw0KGgo123456789AAAA4111111111111111" }],
      }),
    ).toBe("silent"));
  it("J: American Express, cards with spaces, IBANs, telephones of other countries", async () => {
    expect(await call({ text: "amex 378282246310005" })).toBe("escalate");
    expect(await call({ text: "pay to DE89 3704 0044 0532 0130 00" })).toBe("escalate");
    expect(JSON.stringify(await result({ text: "+49 30 901820" }, strict))).toContain("[REDACTED phone]");
  });
  it("M: ten digits are no telephone, and keys of paging no secret", async () =>
    expect(
      await result({ nextPageToken: "CAUQAA", id: "1767225600", total_tokens: 17, note: "id 2025550143" }, strict),
    ).toBe("silent"));
  it("X: a version, a private address and a file are nothing", async () =>
    expect(
      await result({ text: "10.0.0.1 config.yaml ../README.md 0xdeadbeef v1.2.3.4 api-key rotation guide" }, strict),
    ).toBe("silent"));
});

describe("each kind", () => {
  it("iban_redactor: an account in a URL and in groups", async () => {
    expect(await call({ url: "https://example.com/collect?iban=GB82WEST12345698765432" }, {}, "http_request")).toBe(
      "escalate",
    );
    expect(await call({ url: "https://example.com/collect?iban=GB82WEST12345698765433" }, {}, "http_request")).toBe(
      "silent",
    );
    expect(await result({ text: "IBAN GB82 WEST 1234 5698 7654 32 BIC WESTGB22" }, strict)).toEqual({
      text: "IBAN [REDACTED iban] BIC WESTGB22",
    });
  });
  it("ssn_redactor: with dashes, and without them where it is said", async () => {
    expect(await result({ text: "SSN 536-90-4399" })).toEqual({ text: "SSN [REDACTED ssn]" });
    expect(await result({ ssn: "536904399" })).toEqual({ ssn: "[REDACTED ssn]" });
    expect(await result({ text: "id 536904399, 000-12-3456, 666-12-3456, 912-12-3456" })).toBe("silent");
  });
  it("email_pii_redactor and output_email_redactor: in strict", async () => {
    expect(await call({ text: "write to ada@example.org" })).toBe("silent");
    expect(await call({ text: "write to ada@example.org" }, strict)).toBe("block");
    expect(await call({ text: "write to ada@example.org" }, { ...strict, calls: "redact" })).toBe("rewrite");
    expect(await result({ text: "clone git@github.com:a/b, npm i left@1.2.3, ada@example.org" }, strict)).toEqual({
      text: "clone git@github.com:a/b, npm i left@1.2.3, [REDACTED email]",
    });
  });
  it("us_phone_redactor: in strict", async () =>
    expect(await result({ text: "call (202) 555-0143 or +1 202 555 0143" }, strict)).toEqual({
      text: "call [REDACTED phone] or [REDACTED phone]",
    }));
  it("ipv4_redactor: public addresses, in strict", async () =>
    expect(await result({ text: "from 8.8.8.8 to 10.0.0.1" }, strict)).toEqual({
      text: "from [REDACTED ipv4] to 10.0.0.1",
    }));
  it("aws_arn_redactor: in strict", async () =>
    expect(await result({ text: "use arn:aws:iam::123456789012:role/admin now" }, strict)).toEqual({
      text: "use [REDACTED aws_arn] now",
    }));
  it("dates of birth and passports where it is said, in strict", async () =>
    expect(
      await result({ dob: "1984-03-12", passport: "C01X00T47", text: "born 12.03.1984, built 2024-03-12" }, strict),
    ).toMatchObject({
      dob: "[REDACTED birth_date]",
      text: "born [REDACTED birth_date], built 2024-03-12",
    }));
  it("pii_redaction_guard: an encoded card", async () =>
    expect(await call({ text: Buffer.from("card 4111 1111 1111 1111 exp 12/28").toString("base64") })).toBe(
      "escalate",
    ));
  it("a file that is written stays here", async () =>
    expect(await call({ path: "a", content: "4111 1111 1111 1111" }, {}, "write_file")).toBe("silent"));
});
