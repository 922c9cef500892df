import { expect, test } from "vitest";
import { addressProblem, mustEncrypt, printableAddress } from "./address.ts";

test.each([
  "sqlite",
  "postgres://db/app",
  "postgresql://me:secret@db:5432/app?sslmode=require",
  "postgres:///app?host=/run",
])("%s is an address", (text) => expect(addressProblem(text)).toBeNull());

test.each(["", "SQLite", "mysql://db/app", "postgres://db", "postgres://db/", "/var/lib/db", "postgres"])(
  "%j is none, and is not repeated",
  (text) => expect(addressProblem(text)).toMatch(/^(must be sqlite, or|names no database:) /),
);

test("is printed without its password and its parameters", () => {
  expect(printableAddress("postgres://me:secret@db:5433/app?password=secret")).toBe("postgres://me@db:5433/app");
  expect(printableAddress("postgres://db/app")).toBe("postgres://db/app");
  expect(printableAddress("sqlite")).toBe("sqlite");
  expect(printableAddress("secret")).toBe("a store");
});

test.each([
  ["postgres://db/app", true],
  ["postgres://10.0.0.7/app", true],
  ["postgres://db/app?sslmode=disable", false],
  ["postgres://localhost/app", false],
  ["postgres://127.0.0.1:5432/app", false],
  ["postgres://[::1]/app", false],
  ["postgres:///app", false],
  ["postgres://db/app?host=/run/postgresql", false],
])("%s must be encrypted by default: %s", (text, encrypted) => expect(mustEncrypt(text)).toBe(encrypted));
