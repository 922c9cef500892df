// Guards `fs` alone, from a build of the client that INTERLOCK_BUILD names; without a socket nothing is guarded.
import fs from "node:fs";

/** For what a program prepares and looks at, which is not to be asked about. */
globalThis.unguarded = { ...fs };
const { INTERLOCK_BUILD, INTERLOCK_SOCKET, INTERLOCK_TIMEOUT } = process.env;
if (INTERLOCK_SOCKET !== undefined) {
  const { RemoteEngine } = await import(`${INTERLOCK_BUILD}/client-node/index.js`);
  const { installInterceptors } = await import(`${INTERLOCK_BUILD}/client-node/intercept/install.js`);
  const engine = new RemoteEngine(INTERLOCK_SOCKET, { timeout: Number(INTERLOCK_TIMEOUT ?? 10) });
  globalThis.guard = installInterceptors({ engine, exec: false, http: false, net: false });
}
