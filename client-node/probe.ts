import { connect } from "node:net";
import { asOwnCall } from "./intercept/own-call.ts";
import { defaultProbeTimeout_s } from "./limits.ts";

// Taken before a guarded process has its builtins replaced.
const connectTo = connect;

/** Does anybody accept connections on this socket? `timeout` in seconds. Says nothing about verdicts. */
export const probe = (path: string, timeout: number = defaultProbeTimeout_s): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = asOwnCall(() => connectTo({ path }));
    const answer = (isThere: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isThere);
    };
    const timer = setTimeout(() => answer(false), timeout * 1000);
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
  });
