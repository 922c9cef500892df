import { isNativeError } from "./captured.ts";

/** An error of Node's about another path or call than the program's own, as the program would have got it. */
export const callersWords = (
  error: unknown,
  ended: string,
  { syscall, path }: { readonly syscall: string; readonly path: unknown },
): unknown => {
  if (!isNativeError(error) || !error.message.endsWith(ended)) return error;
  const { message, stack = "" } = error;
  const words = `${message.slice(0, -ended.length)}${syscall} '${path}'`;
  const rest = stack.startsWith(`Error: ${message}`) ? stack.slice(`Error: ${message}`.length) : "";
  return Object.assign(error, { message: words, stack: `Error: ${words}${rest}`, syscall, path: String(path) });
};
