import { types } from "node:util";

const { isNativeError } = types;

/** Any error of any realm, and what inherits from this one's. */
export const isError = (value: unknown): value is Error => isNativeError(value) || value instanceof Error;

/** The name of whatever was thrown. Its message is left out: messages quote arguments. */
export const errorName = (error: unknown): string => {
  if (!isError(error)) return typeof error;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? `${error.name} ${code}` : error.name;
};
