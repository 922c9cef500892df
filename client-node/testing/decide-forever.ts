// Decides one call after the other by the policy, and says so after each: until it is killed.
import { RemoteEngine } from "../remote-engine.ts";

const [path = "", fallbackFile = "", fallbackKeyFile = "", fallbackSpool = "", name = ""] = process.argv.slice(2);
const engine = new RemoteEngine(path, {
  ...{ unreachable: "degraded", fallbackFile, fallbackKeyFile, fallbackSpool },
  ...{ grace_ms: 0, onFallback: () => {} },
});
for (let at = 0; ; at++) {
  const call_id = `${name}-${at}`;
  const { verdictName } = await engine.evaluate({ action: "read_file", args: { path: "/srv/a" }, call_id });
  process.stdout.write(`${call_id} ${verdictName}\n`);
}
