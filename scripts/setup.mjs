// What `npm run quickstart`, `npm test`, `npm run bench`, `npm run eval`, `npm run eval:...` and `npm run demo:refund` call: makes a fresh clone
// ready, then runs. It needs nothing but Node, because nothing is installed yet when it starts.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildWhenStale } from "./setup/build.mjs";
import { installRuntimesWhenStale, installWhenStale } from "./setup/install.mjs";
import { refuse } from "./setup/refuse.mjs";
import { runTests } from "./setup/test.mjs";

const oldestNode = [20, 16];

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
  refuse(`this is Node ${process.versions.node}; install Node ${oldestNode.join(".")} or newer`);
}

/** Runs a TypeScript file of the project to its end and returns its exit code. */
const runTypeScript = (path, args) => {
  const ended = spawnSync(process.execPath, ["--import", "tsx", path, ...args], { stdio: "inherit" });
  return ended.status ?? 1;
};

const commands = {
  "demo:refund": (args) => runTypeScript("scripts/demo-refund.ts", args),
  quickstart: (args) => runTypeScript("scripts/quickstart.ts", args),
  test: async (args) => {
    await installRuntimesWhenStale();
    return runTests(args);
  },
  bench: (args) => runTypeScript("bench/main.ts", args),
  eval: (args) => runTypeScript("test/eval/main.ts", args),
  "eval:detect": (args) => runTypeScript("test/detect/main.ts", args),
  "eval:drift": (args) => runTypeScript("test/drift/main.ts", args),
  "eval:mcp-conformance": async (args) => {
    await installRuntimesWhenStale();
    return runTypeScript("test/mcp/main.ts", args);
  },
  "eval:escape": (args) => runTypeScript("test/escape/main.ts", args),
  "eval:tamper": (args) => runTypeScript("test/tamper/main.ts", args),
  "eval:transparent": (args) => runTypeScript("test/transparent/main.ts", args),
};

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? "") ? commands[name] : undefined;
if (command === undefined) refuse(`name one of ${Object.keys(commands).join(", ")}`);

await installWhenStale();
await buildWhenStale();
process.exitCode = await command(args);
