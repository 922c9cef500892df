import { isatty } from "node:tty";

/** Said where a person sits at the terminal that is read, who would else wait with the command. */
export const sayAwaited = (what: string): void => {
  // Not by process.stdin: looking at it makes a pipe non-blocking, and a read of it may then find nothing yet.
  if (isatty(0)) process.stderr.write(`interlock: reading ${what} from the terminal; Ctrl-D ends it\n`);
};
