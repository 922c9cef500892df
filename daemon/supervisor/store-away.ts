import { ExitCode, Refusal } from "../exit-codes.ts";
import { StoreFailed, StoreRefused } from "../store/refused.ts";

/** The store cannot be had now, and may be had again as it is: a full disk, not a ledger that is missing or damaged. */
export class StoreAway extends Refusal {
  constructor(message: string) {
    super(ExitCode.storeUnavailable, message);
  }
}

/** Is it the kind of failure that passes? */
export const isPassing = (error: unknown): boolean =>
  error instanceof StoreFailed || (error instanceof StoreRefused && error.code === "store_unavailable");
