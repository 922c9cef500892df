import { ExitCode, Refusal } from "./exit-codes.ts";
import { PolicyRefused } from "./fallback/refusal.ts";
import { DocumentRefused } from "./keys/document-refused.ts";
import { KeyRefused } from "./keys/key-error.ts";
import { exitCodeOf, OperatorRefused } from "./operator/refusal.ts";
import { RuleSetRefused } from "./rulesets/refusal.ts";
import { SigningRefused } from "./rulesets/sign-refusal.ts";
import { ScopesRefused } from "./scopes/refusal.ts";
import { StoreFailed, StoreRefused } from "./store/refused.ts";

/** Any failure to start as one line and its exit code. What is not one of ours is named by its type only. */
export const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  if (
    error instanceof KeyRefused ||
    error instanceof DocumentRefused ||
    error instanceof PolicyRefused ||
    error instanceof RuleSetRefused ||
    error instanceof ScopesRefused ||
    error instanceof SigningRefused
  )
    return new Refusal(ExitCode.refused, error.message);
  if (error instanceof StoreRefused || error instanceof StoreFailed) {
    return new Refusal(ExitCode.storeUnavailable, error.message);
  }
  if (error instanceof OperatorRefused) return new Refusal(exitCodeOf(error.code), error.message);
  const code = (error as NodeJS.ErrnoException | null)?.code;
  // A daemon loads parts of itself when it needs them: another release under its feet has them elsewhere.
  if (code === "ERR_MODULE_NOT_FOUND")
    return new Refusal(ExitCode.refused, "a file of interlock is gone: if it was installed anew, restart the daemon");
  const type = error instanceof Error ? error.constructor.name : typeof error;
  return new Refusal(ExitCode.refused, `cannot start: ${code ?? type}`);
};
