// A client of its own, that dies at the step it is told: `node client.ts '{"socket": ..., "step": ..., "call": ...}'`.
import { RemoteEngine } from "../../../../client-node/index.ts";
import { type CrashCall, runCall, type Step } from "./run-call.ts";

interface Told {
  readonly socket: string;
  readonly step: Step;
  readonly call: CrashCall;
}

const { socket, step, call } = JSON.parse(process.argv[2] ?? "") as Told;

const die = async (): Promise<void> => {
  // Long enough that the question is on its way, and short enough that the answer may not be.
  if (step === "asked") await new Promise((resolve) => setTimeout(resolve, 2));
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => undefined);
};

await runCall(new RemoteEngine(socket), call, async (now) => {
  if (now === step) await die();
});
