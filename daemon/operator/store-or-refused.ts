import { StoreFailed } from "../store/refused.ts";
import { OperatorRefused } from "./refusal.ts";

/** A store that is away is the operator's to know, not an error of the daemon's. */
export const storeOrRefused = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreFailed) throw new OperatorRefused("store_unavailable");
    throw error;
  }
};
