import { describe, expect, it } from "vitest";
import { checkRuleSet } from "../../check.ts";
import { textsOf } from "../../scan/texts.ts";
import { secrets } from "./index.ts";

const around = { roots: [], directory: null, allowHosts: [] };
const rulesOf = (options: object = {}) => secrets.rules({ ...secrets.tiers.starter!, ...options }, around);

const frozen = <T>(value: T): T => {
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
};

const asked = async (phase: "call" | "result", action: string, args: object, options: object = {}) => {
  for (const rule of rulesOf(options)) {
    if (rule.phase !== phase) continue;
    const event = { action, args: frozen(args), phase, principal: "a", parent_principal: null, span_id: null, ts: 0 };
    const answer = await rule.evaluate(event as never, { now_ms: 0, lookup: async () => undefined });
    if (answer !== undefined) return answer;
  }
  return undefined;
};
const call = async (action: string, args: object, options?: object) =>
  (await asked("call", action, args, options))?.kind ?? "silent";
const result = async (args: object, options?: object) => {
  const answer = await asked("result", "read", args, options);
  return answer?.kind === "rewrite_result" ? answer.result : (answer?.kind ?? "silent");
};

/** Put together here, so that no file holds what looks like a token of a live issuer. */
const random = (length: number, from = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC"): string =>
  Array.from({ length }, (_, index) => from[(index * 7 + (index >> 2)) % from.length]).join("");
const hex = (length: number): string => random(length, "0f1e2d3c4b5a6978");
const jwt = `${[`{"alg":"HS256","typ":"JWT"}`, `{"sub":"1234567890"}`]
  .map((part) => Buffer.from(part).toString("base64url"))
  .join(".")}.${random(43)}`;

const tokens: Readonly<Record<string, string>> = {
  aws_access_key_id: `AKIA${"IOSFODNN7EXAMPLE"}`,
  google_api_key: `AIza${random(35)}`,
  google_oauth_secret: `GOCSPX-${random(28)}`,
  github_token: `ghp_${random(36)}`,
  gitlab_token: `glpat-${random(20)}`,
  slack_token: `xoxb-${"123456789012"}-${random(24)}`,
  slack_webhook: `hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/${random(24)}`,
  discord_webhook: `/api/webhooks/123456789012345678/${random(68)}`,
  stripe_key: `sk_${"live"}_${random(24)}`,
  anthropic_key: `sk-ant-api03-${random(93)}AA`,
  openai_key: `sk-proj-${random(48)}`,
  huggingface_token: `hf_${random(34)}`,
  npm_token: `npm_${random(36)}`,
  pypi_token: `pypi-AgEIcHlwaS5vcmc${random(60)}`,
  sendgrid_key: `SG.${random(22)}.${random(43)}`,
  twilio_key: `SK${hex(32)}`,
  telegram_token: `:AA${random(33)}`,
  digitalocean_token: `dop_v1_${hex(64)}`,
  databricks_token: `dapi${hex(32)}`,
  vault_token: `hvs.${random(24)}`,
  doppler_token: `dp.pt.${random(43)}`,
  shopify_token: `shpat_${hex(32)}`,
  square_token: `sq0atp-${random(22)}`,
  mailchimp_key: `${hex(32)}-us12`,
  heroku_key: `HRKU-${random(40)}`,
  azure_client_secret: `aB38Q~${random(34)}`,
  azure_account_key: `AccountKey=${random(86)}==`,
  jwt,
  age_key: `AGE-SECRET-KEY-1${random(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`,
};
const prefixed = (kind: string, token: string): string => (kind === "telegram_token" ? `123456789${token}` : token);

describe("tokens by how they begin", () => {
  it.each(Object.entries(tokens))("%s is blocked in a call and taken out of a result", async (kind, token) => {
    const text = `use ${prefixed(kind, token)} please`;
    expect(await call("send_message", { text })).toBe("block");
    expect(await call("write_file", { path: "a", content: text })).toBe("block");
    expect(JSON.stringify(await result({ content: [{ type: "text", text }] }))).toContain(`[REDACTED ${kind}]`);
    expect(JSON.stringify(await result({ content: [{ type: "text", text }] }))).not.toContain(token.slice(-12));
  });

  it.each(Object.entries(tokens))("%s is found in each encoding", async (kind, token) => {
    const plain = prefixed(kind, token);
    const percent = [...plain].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
    for (const encoded of [
      Buffer.from(`x ${plain} y`).toString("base64"),
      Buffer.from(`x ${plain} y`).toString("base64url"),
      Buffer.from(`x ${plain} y`).toString("hex"),
      Buffer.from(Buffer.from(`x ${plain} y`).toString("base64")).toString("base64"),
      percent,
      percent.replaceAll("%", "%25"),
      percent.replaceAll("%", "%252525"),
      [...plain].map((character) => `&#${character.charCodeAt(0)};`).join(""),
      [...plain].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join(""),
      [...plain].join("\u200b"),
    ])
      expect(await call("fetch", { url: `https://example.com/?q=${encoded}` }), encoded).toBe("block");
  });
});

describe("what is no secret passes", () => {
  it.each([
    ["a digest of a lock file", { integrity: `sha512-${Buffer.alloc(64, "a1B2c3").toString("base64")}` }],
    ["a git object", { text: "commit 6282daf1314dbc8bb9b670a21cd5bd1f8733780c fixes the token cache" }],
    ["a UUID", { id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" }],
    ["a place in a list", { nextPageToken: "CAUQAA1b2C3d4E5f6", total_tokens: 1234, tokenizer: "cl100k_base" }],
    ["reading the environment", { content: 'api_key = os.environ.get("API_KEY")\nconst token = process.env.TOKEN;' }],
    ["a placeholder", { text: "set API_KEY=<your-api-key> or token: xxxxxxxxxxxxxxxx or PASSWORD=$DB_PASSWORD" }],
    ["a name of a file", { path: "src/auth/password-reset-token.service.ts" }],
    [
      "a cookie of a session",
      { headers: { Cookie: "session_id=abc123def456; theme=dark; _ga=GA1.2.1234567890.1234567890" } },
    ],
    ["a schema", { schema: { password: { type: "string" }, properties: { api_key: "string" } } }],
    ["a container of a developer", { command: "psql postgres://postgres:postgres@localhost:5432/test" }],
    ["a keyword and a monkey", { keyword: "banana2024split", monkey: "capuchin-cage-17" }],
  ])("%s", async (_name, args) => {
    expect(await call("send_message", args)).toBe("silent");
    expect(await result(args)).toBe("silent");
  });
});

describe("secrets by what stands beside them", () => {
  it.each([
    ["a member of JSON", { config: { db_password: "k7!vQz-31" } }],
    ["name and value", { env: [{ name: "API_KEY", value: "a8f3k2m9x7q1w5e4" }] }],
    ["JSON in a text", { body: '{"user":"a","password":"k7!vQz-31"}' }],
    ["an environment", { text: "HOME=/root\nDB_PASSWORD=k7vQz-31x\nLANG=C" }],
    ["YAML", { text: "database:\n  password: k7vQz-31x\n" }],
    ["a bearer", { text: `Authorization: Bearer ${random(40)}` }],
  ])("%s", async (_name, args) => {
    expect(await call("send_message", args)).toBe("escalate");
    expect(JSON.stringify(await result(args))).toContain("[REDACTED ");
  });

  it("db_uri_redactor: the password of a database", async () => {
    const uri = "postgres://app:s3cretP4ss@db.internal:5432/prod";
    expect(await call("send_message", { text: uri })).toBe("block");
    expect(await result({ url: uri })).toEqual({ url: "postgres://app:[REDACTED database_uri]@db.internal:5432/prod" });
  });

  it("basic_auth_url_redactor: user and password in a URL", async () =>
    expect(await result({ url: "https://ada:k7vQz31x@example.org/a" })).toEqual({
      url: "https://ada:[REDACTED basic_auth_url]@example.org/a",
    }));

  it("s3_presigned_redactor: a signed URL", async () =>
    expect(
      JSON.stringify(await result({ url: `https://b.s3.amazonaws.com/k?X-Amz-Signature=${hex(64)}` })),
    ).not.toContain(hex(64)));

  it("bearer_token_redactor: a bearer in nested headers", async () =>
    expect(JSON.stringify(await result({ a: { headers: { Authorization: `Bearer ${random(32)}` } } }))).not.toContain(
      random(32),
    ));
});

describe("headers", () => {
  const request = { url: "https://api.github.com/user", headers: { Authorization: `Bearer ${tokens.github_token}` } };
  it("a token with a prefix goes to no host that is not named", async () => {
    expect(await call("http_request", request)).toBe("block");
    expect(await call("http_request", request, { allowAuthHeader: ["api.github.com"] })).toBe("silent");
    expect(await call("http_request", request, { allowAuthHeader: [".github.com"] })).toBe("silent");
    expect(
      await call(
        "http_request",
        { ...request, url: "http://api.github.com/" },
        { allowAuthHeader: ["api.github.com"] },
      ),
    ).toBe("block");
  });
  it("an opaque credential in a header passes in starter, and is asked about in strict", async () => {
    const opaque = { url: "https://api.example.org/", headers: { Authorization: `Bearer ${random(40)}` } };
    expect(await call("http_request", opaque)).toBe("silent");
    expect(await call("http_request", opaque, { opaqueHeaders: "ask" })).toBe("escalate");
  });
});

describe("evasion", () => {
  it("a secret that is split over arguments, a list, frames and labels", async () => {
    const token = tokens.github_token!;
    const [one, two] = [token.slice(0, 18), token.slice(18)];
    expect(await call("send", { first: one, second: two })).toBe("block");
    expect(await call("send", { parts: [one, two] })).toBe("block");
    expect(
      await call("send", {
        frames: [
          { opcode: "text", payload: `part1: ${one}` },
          { opcode: "text", payload: `part2: ${two}` },
        ],
      }),
    ).toBe("block");
    expect(await call("create_config", { access_key: "AKIAIOSFODNN", key_suffix: "7EXAMPLE", provider: "aws" })).toBe(
      "block",
    );
  });
  it("percent signs in three layers and more", async () => {
    expect(await call("fetch", { url: "https://example.com/?key=%25252541%25252549" })).toBe("escalate");
    expect(await call("fetch", { url: "https://example.com/?q=a%2520b" })).toBe("silent");
  });
  it("secret_entropy_egress_guard: a random word, in strict", async () => {
    const args = { text: `see ${random(32)} there` };
    expect(await call("send", args)).toBe("silent");
    expect(await call("send", args, { highEntropy: "ask" })).toBe("escalate");
  });
  it("a name of a member", async () => {
    const answer = await asked("call", "send", { deep: { [tokens.github_token!]: 1 } });
    expect(answer).toMatchObject({ kind: "block" });
    expect(JSON.stringify(answer)).not.toContain("ghp_");
    expect(JSON.stringify(await result({ [tokens.github_token!]: 1 }))).toBe('{"[REDACTED github_token]":1}');
  });
});

describe("canary_leak_guard", () => {
  const canary = "Zebra-Umbrella-4417";
  const options = { canaries: [canary] };
  it.each([
    ["plain", canary],
    ["base64", Buffer.from(canary).toString("base64")],
    ["backwards", [...canary].reverse().join("")],
    ["other case", canary.toUpperCase()],
  ])("%s", async (_name, text) => expect(await call("note", { a: [{ b: `x ${text} y` }] }, options)).toBe("block"));
  it("in pieces", async () => expect(await call("note", { a: "Zebra-Umb", b: "rella-4417" }, options)).toBe("block"));
  it("by its digest", async () => {
    const { createHash } = await import("node:crypto");
    const digest = `sha256:${createHash("sha256").update(canary).digest("hex")}`;
    expect(await call("note", { a: `x ${canary} y` }, { canaries: [digest] })).toBe("block");
    expect(await call("note", { a: "x y" }, { canaries: [digest] })).toBe("silent");
  });
  it("is refused where it is too short", () => expect(() => rulesOf({ canaries: ["short"] })).toThrow(/8 characters/));
});

describe("budget", () => {
  it("a call that is longer than is looked at is blocked", async () =>
    expect(await call("send", { text: "x".repeat(200) }, { maxScannedCharacters: 100 })).toBe("block"));
  it("a longer result is blocked, or digested", async () => {
    const args = { a: "short", b: "x".repeat(200) };
    expect(await result(args, { maxScannedCharacters: 100 })).toBe("block");
    const value = (await result(args, { maxScannedCharacters: 100, over: "digest" })) as Record<string, string>;
    expect(value.a).toBe("short");
    expect(value.b).toMatch(/^\[NOT SCANNED sha256:[0-9a-f]{64} characters:200\]$/);
    expect(textsOf(value).characters).toBeLessThan(300);
  });
});

it.each([{}, { results: "block" }])("the rules hold their own examples, with %j", async (options) => {
  const set = checkRuleSet({ id: "s", version: 1, rules: rulesOf(options) } as never);
  for (const { id, phase, examples } of set.rules)
    for (const { event, expect: wanted, becomes } of examples) {
      const answer = await asked(phase, event.action, event.args, options);
      expect(answer?.kind === "rewrite_result" ? "rewrite" : (answer?.kind ?? "silent"), id).toBe(wanted);
      if (becomes !== undefined && answer?.kind === "rewrite_result") expect(answer.result).toEqual(becomes);
    }
});
