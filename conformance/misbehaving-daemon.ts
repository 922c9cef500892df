import { join } from "node:path";
import { misbehaviours } from "./misbehaving/catalogue.ts";
import { type MisbehavingDaemon, serveMisbehaviour } from "./misbehaving/serve.ts";

export { misbehaviours } from "./misbehaving/catalogue.ts";
export { type MisbehavingDaemon, serveMisbehaviour } from "./misbehaving/serve.ts";

/** How long the client under test waits for a verdict, where its runner says nothing else. */
export const clientTimeout_ms = 1_000;

/** `interlock conformance misbehave NAME --socket PATH`. Rejects with `RangeError` for a name that is none. */
export const misbehave = async (
  name: string,
  socket: string,
  timeout_ms = clientTimeout_ms,
): Promise<MisbehavingDaemon> => {
  const found = misbehaviours.find((one) => one.name === name);
  if (found === undefined) {
    throw new RangeError(`no misbehaviour is named ${JSON.stringify(name)}; conformance/misbehaviours.json lists them`);
  }
  return serveMisbehaviour(found, socket, timeout_ms);
};

/** `interlock conformance misbehave --all DIR`: each misbehaviour on `DIR/NAME.sock`, all at once. */
export const misbehaveAll = (directory: string, timeout_ms = clientTimeout_ms): Promise<MisbehavingDaemon[]> =>
  Promise.all(misbehaviours.map((one) => serveMisbehaviour(one, join(directory, `${one.name}.sock`), timeout_ms)));
