import { expect, test } from "vitest";
import { ExitCode, Refusal } from "./exit-codes.ts";
import { KeyRefused } from "./keys/key-error.ts";
import { RuleSetRefused } from "./rulesets/refusal.ts";
import { refusalOf } from "./start-refusal.ts";
import { StoreFailed, StoreRefused } from "./store/refused.ts";

test("the exit codes are literals that scripts rely on", () => {
  expect(ExitCode).toEqual({ done: 0, no: 1, refused: 2, alreadyServed: 3, cannotServe: 4, storeUnavailable: 5 });
});

test.each([
  [new RuleSetRefused("expired", "rule set r expired"), 2, "rule set r expired"],
  [new KeyRefused("key_missing", "no key"), 2, "no key"],
  [new StoreRefused("ledger_corrupt", "ledger.db is damaged"), 5, "ledger.db is damaged"],
  [new StoreFailed("disk full"), 5, "disk full"],
  [Object.assign(new Error("open '/secret'"), { code: "ENOSPC" }), 2, "cannot start: ENOSPC"],
  [
    Object.assign(new Error("Cannot find module '/secret'"), { code: "ERR_MODULE_NOT_FOUND" }),
    2,
    "a file of interlock is gone: if it was installed anew, restart the daemon",
  ],
  [new TypeError("secret"), 2, "cannot start: TypeError"],
  ["secret", 2, "cannot start: string"],
  [null, 2, "cannot start: object"],
  [undefined, 2, "cannot start: undefined"],
])("%s is one line and its exit code; what is not ours is named by its type alone", (error, exitCode, message) => {
  expect(refusalOf(error)).toMatchObject({ name: "Refusal", exitCode, message });
});

test("a refusal passes as it is", () => {
  const refusal = new Refusal(ExitCode.cannotServe, "cannot serve");
  expect(refusalOf(refusal)).toBe(refusal);
});
