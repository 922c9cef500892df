// `npm run eval:mcp-conformance -- [--json FILE]`: the official conformance suite, without and behind the gateway.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { aloneServer, type Score, scoreOf, startGateway } from "./suite.ts";

const { values } = parseArgs({ options: { json: { type: "string" } } });
const told = (name: string, { passed, failed }: Score): void => {
  process.stdout.write(
    `${name.padEnd(34)} ${String(passed).padStart(3)} passed ${String(failed).padStart(3)} failed\n`,
  );
};

const alone = await aloneServer();
const own = await scoreOf(alone.url).finally(() => alone.end());
told("own server", own);
const gateway = await startGateway();
try {
  const ownBehind = await scoreOf(`${gateway.url}/mcp/own`);
  told("own server, behind the gateway", ownBehind);
  const everythingBehind = await scoreOf(`${gateway.url}/mcp/everything`);
  told("everything, behind the gateway", everythingBehind);
  const scores = { own, own_behind_gateway: ownBehind, everything_behind_gateway: everythingBehind };
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(scores, null, 2)}\n`);
} finally {
  await gateway.end();
}
