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

/** The class of whatever was thrown, for a record that is kept: a name that no class has might be text of the caller's. Never throws. */
export const errorClass = (error: unknown): string => {
  try {
    if (!isError(error)) return typeof error;
    const { name } = error;
    return typeof name === "string" && /^[A-Za-z_$][\w$]{0,63}$/.test(name) ? name : "Error";
  } catch {
    return "Error";
  }
};
