import { parseArgs } from "node:util";
import { conformanceMisbehave, type MisbehaveRequest } from "./misbehave-command.ts";

/**
 * The misbehaving daemon as a process, from a checkout:
 * `npx tsx conformance/misbehave.ts NAME --socket PATH`, or `--all DIR`; `--timeout-ms N` is the client's timeout.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { socket: { type: "string" }, all: { type: "string" }, "timeout-ms": { type: "string" } },
});

const request = (): MisbehaveRequest | null => {
  const timeout_ms = values["timeout-ms"] === undefined ? undefined : Number(values["timeout-ms"]);
  if (timeout_ms !== undefined && !(timeout_ms > 0)) return null;
  if (values.all !== undefined) return { directory: values.all, timeout_ms };
  const [name] = positionals;
  return name === undefined || values.socket === undefined ? null : { name, socket: values.socket, timeout_ms };
};

const asked = request();
if (asked === null) {
  process.stderr.write("usage: misbehave NAME --socket PATH | misbehave --all DIR [--timeout-ms N]\n");
  process.exitCode = 2;
} else {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const { exitCode, lines } = await conformanceMisbehave(asked, stop.signal, (line) =>
    process.stderr.write(`${line}\n`),
  );
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = exitCode;
}
