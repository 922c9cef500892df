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

/** Does an address of a Redis or of a store hold a password? Whatever is no URL holds none. */
export const holdsPassword = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.password !== "" || url.searchParams.has("password");
};
