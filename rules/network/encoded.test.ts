import { describe, expect, it } from "vitest";
import { carriesEncodedText, hasDataInHost, hidesLetters } from "./encoded.ts";

const inHost = (name: string): boolean => hasDataInHost(name.toLowerCase(), name);

describe("data in a host", () => {
  it.each([
    "a1b2c3d4.e5f6a7b8.c9d0e1f2.a3b4c5d6.x.example.com",
    "QUtJQUlPU0ZPRE5ON0VYQU1QTEU.x.example.com",
    "4a6f686e446f6540636f72702e636f6d.t.example.com",
    "nbswy3dpeb3w64tmmqqgm33p2.d.example.com",
    "0123456789abcdef0123456789abcdef01.example.com",
  ])("is seen: %s", (name) => expect(inHost(name)).toBe(true));

  it.each([
    "d111111abcdef8.cloudfront.net",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301.example.com",
    "8f14e45fceea167a5a36dedd4bea2543.example.com",
    "1234567890-abcdefghijklmnopqrstuvwxyz012345.apps.googleusercontent.com",
    "my-app-git-feature-x7f2a-team.vercel.app",
    "ec2-52-1-2-3.compute-1.amazonaws.com",
    "internationalization-and-localization.example.com",
    "a.very.deep.name.of.many.short.labels.example.com",
  ])("is not %s", (name) => expect(inHost(name)).toBe(false));
});

describe("letters behind percent signs", () => {
  it.each(["?k=%41%4b%49", "?k=%2541%254b%2549", "?k=%25252541", "/%61%64%6d%69n"])("are seen: %s", (rest) =>
    expect(hidesLetters(new URL(rest, "https://example.com/"))).toBe(true),
  );
  it.each([
    "?q=caf%C3%A9",
    "?u=https%3A%2F%2Fa.example%3Fb%3D%2520c",
    "?q=%E6%9D%B1%E4%BA%AC",
    "?r=https%253A%252F%252Fx%25252Fy",
    "?q=100%25+41",
  ])("are not in %s", (rest) => expect(hidesLetters(new URL(rest, "https://example.com/"))).toBe(false));
});

describe("encoded text", () => {
  const long = Buffer.from("root:x:0:0:root:/root:/bin/bash\n".repeat(10)).toString("base64");
  it.each([
    "?d=70617373776f72643d68756e74657232",
    "/x/70617373776f72643d68756e74657232",
    `?d=${encodeURIComponent(long)}`,
    `?d=${long}`,
    `/p/${long.replaceAll("/", "_")}`,
  ])("is seen: %.60s", (rest) => expect(carriesEncodedText(new URL(rest, "https://example.com/"), 256)).toBe(true));
  it.each([
    "?sha=3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
    `?state=${encodeURIComponent(long)}`,
    "?id=33333333333333333333333333",
    `?after=Y3Vyc29yOnYyOpHOAAE%3D`,
    `?SAMLRequest=${encodeURIComponent(long)}`,
  ])("is not %.60s", (rest) => expect(carriesEncodedText(new URL(rest, "https://example.com/"), 256)).toBe(false));
});
