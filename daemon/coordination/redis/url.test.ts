import { expect, test } from "vitest";
import { parseRedisUrl } from "./url.ts";

test("a URL is taken apart, and shown without its name and password", () => {
  expect(parseRedisUrl("rediss://app:p%23ss@redis.internal:6380/2?prefix=refunds:")).toEqual({
    host: "redis.internal",
    port: 6380,
    tls: true,
    db: 2,
    username: "app",
    password: "p#ss",
    prefix: "refunds:",
    shown: "rediss://redis.internal:6380/2",
  });
});

test("what is not said has defaults", () => {
  expect(parseRedisUrl("redis://localhost")).toEqual({
    host: "localhost",
    port: 6379,
    tls: false,
    db: 0,
    username: null,
    password: null,
    prefix: "interlock:",
    shown: "redis://localhost:6379/0",
  });
});

test("an IPv6 address loses its brackets where it is dialled", () => {
  expect(parseRedisUrl("redis://[::1]:7000")).toMatchObject({ host: "::1", port: 7000, shown: "redis://[::1]:7000/0" });
});

const refused: readonly (readonly [name: string, url: string, message: string])[] = [
  ["no URL", "hunter2", "must be `local`, or a URL such as"],
  ["another protocol", "http://hunter2@localhost", "must be `local`, or a URL that begins with redis://"],
  ["a URL without a host", "redis:///0", "names no host"],
  ["a path that is no number of a database", "redis://:hunter2@localhost/zero", "must be the number of a database"],
  ["a parameter that nobody knows", "redis://:hunter2@localhost?db=1", "may have one parameter, prefix"],
  ["a prefix given twice", "redis://:hunter2@localhost?prefix=a&prefix=b", "may have one parameter, prefix"],
  ["a prefix with a pattern in it", "redis://:hunter2@localhost?prefix=*", "prefix: 1 to 64 letters"],
  ["an empty prefix", "redis://:hunter2@localhost?prefix=", "prefix: 1 to 64 letters"],
  ["a password that is not encoded: #", "redis://:hunter2#x@localhost", ""],
  ["a fragment", "redis://:hunter2@localhost/0#x", "the URL has a fragment"],
  ["a password that is not encoded: %", "redis://:hunter2%zz@localhost", "not percent-encoded"],
  ["one that is too long", `redis://localhost/${"0".repeat(3000)}`, "longer than 2048 bytes"],
];

test.each(refused)("%s is refused, and nothing of it is told", (_name, url, message) => {
  expect(() => parseRedisUrl(url)).toThrowError(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
  );
  expect(() => parseRedisUrl(url)).not.toThrow(/hunter2/);
});
