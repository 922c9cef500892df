import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../../../test/kit/place.ts";
import { client } from "../../exec/testing/guarded-program.ts";
import { run } from "../../fs/testing/rig.ts";

export { nodes } from "../../fs/testing/rig.ts";

let count = 0;

/** Runs the text of a CommonJS program guarded by a place's daemon, on this Node, and answers the line of JSON that it printed. */
export const saidOn = async (
  node: string,
  place: Place,
  text: string,
  flags: readonly string[] = [],
): Promise<Record<string, unknown>> => {
  const program = join(place.home, `on-node-${count++}.cjs`);
  writeFileSync(program, `${prelude}(async () => {${text}\nconsole.log(JSON.stringify(said)); process.exit(0); })();`);
  const hook = join(client, "client-node/intercept/require-hook.cjs");
  const ended = await run(node, ["--no-warnings", ...flags, "--require", hook, program], place.home, {
    INTERLOCK_SOCKET: place.socket,
    INTERLOCK_TIMEOUT: "20",
  });
  if (ended.code !== 0) throw new Error(`the program ended with ${ended.code}: ${ended.stderr}`);
  return JSON.parse(ended.stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
};

/** `tried(name, step)` keeps what a step answered, or the name of its error; `has(module)` tells whether this Node has it. */
const prelude = `const said = {};
const has = (name) => require("node:module").isBuiltin(name);
const tried = async (name, step) => {
  try { said[name] = (await step()) ?? "ran"; } catch (error) { said[name] = error.name; }
};
`;

/**
 * Text of a rule module: blocks what leads into a folder \`secret\`, and turns \`allow\` to true where an argument says \`mayreach\`.
 */
export const reachRules = `import { allow, block, defineRules, rewrite } from "interlock/rules";
const isSecret = (path) => typeof path === "string" && path.split("/").includes("secret");
export default defineRules({ id: "reach", version: 1, rules: [
  {
    id: "reach.secret",
    actions: ["fs.*", "sqlite.*", "wasi.*", "v8.*", "trace_events.*", "module.*", "process.*", "net.*"],
    phase: "call",
    evaluate: ({ args }) => ([args.path, args.resolved_path].some(isSecret) ? block("is secret") : undefined),
    examples: [
      { event: { action: "fs.open", args: { path: "/secret/x" } }, expect: "block" },
      { event: { action: "fs.open", args: { path: "/open" } }, expect: "silent" },
    ],
  },
  {
    id: "reach.allowed",
    actions: ["sqlite.attach", "inspector.*", "v8.setFlagsFromString", "crypto.setEngine", "tls.createSecureContext", "process.kill"],
    phase: "call",
    evaluate: ({ args }) =>
      JSON.stringify(args).includes("mayreach") ? rewrite({ allow: true }) : args.allow === false ? allow() : undefined,
    examples: [
      { event: { action: "inspector.open", args: { host: "mayreach", allow: false } }, expect: "rewrite" },
      { event: { action: "inspector.open", args: { host: "x", allow: false } }, expect: "allow" },
    ],
  },
] });
`;
