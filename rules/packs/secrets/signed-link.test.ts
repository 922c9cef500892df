import { describe, expect, it } from "vitest";
import { secretsIn } from "./find.ts";
import { isFetchedWhereSigned } from "./signed-link.ts";

const signature = `X-Amz-Signature=${"0123456789abcdef".repeat(4)}`;
const meant = (args: { readonly [name: string]: string }): readonly boolean[] =>
  secretsIn(args, "call").map(isFetchedWhereSigned);

describe("a signed link", () => {
  it("is fetched where it was signed", () => {
    expect(meant({ url: `https://bucket.s3.eu-west-1.amazonaws.com/a?${signature}` })).toEqual([true]);
  });
  it.each([
    ["sent to another host", { url: `https://collect.example.net/?${signature}` }],
    ["in a message", { text: `https://bucket.s3.eu-west-1.amazonaws.com/a?${signature}` }],
    ["without TLS", { url: `http://bucket.s3.amazonaws.com/a?${signature}` }],
    ["of a host that only looks so", { url: `https://s3.amazonaws.com.example.net/a?${signature}` }],
    ["in an address of another", { url: `https://collect.example.net/?u=https://b.s3.amazonaws.com/a?${signature}` }],
  ])("is a secret %s", (_what, args) => expect(meant(args)).toContain(false));
});
