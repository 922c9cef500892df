import { Refusal } from "../exit-codes.ts";
import { parseRedisUrl } from "./redis/url.ts";

/** One daemon, one store: nothing is shared. */
export const localOnly = "local";

/** Why a text says nothing to agree with, or null where it does. The text is never part of the answer: it may hold a password. */
export const coordinationProblem = (text: string): string | null => {
  if (text === localOnly) return null;
  try {
    parseRedisUrl(text);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
};

/** @param text an address that is none refused by `coordinationProblem`. */
export const holdsPassword = (text: string): boolean => text !== localOnly && parseRedisUrl(text).password !== null;
