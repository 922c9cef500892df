import type { DeclaredLimit } from "../../client-node/intercept/coverage/declared-limits.ts";
import { moduleOf } from "../../client-node/intercept/coverage/inventory.ts";
import type { Row } from "../../client-node/intercept/coverage/row.ts";
import type { Inventory } from "./inventories.ts";

/** The text of docs/coverage.md. */
export const coveragePage = (
  rows: readonly Row[],
  limits: readonly DeclaredLimit[],
  inventories: readonly Inventory[],
): string => {
  const modules = [...new Set(rows.flatMap(({ names }) => names.map(moduleOf)))].sort();
  const guarded = modules.filter((module) => rows.some((row) => row.is !== "outOfScope" && has(row, module)));
  return [
    head(rows, inventories),
    "## What is not caught, and why\n",
    "`npm run eval:escape` tries some 500 ways to read a protected file, to run a blocked program and to reach a blocked port, each in a guarded process of its own. Each is blocked, or shows one of these.\n",
    ...limits.map(limitText),
    "## The table\n",
    "An export that is on fewer versions than all three has these behind it. A number or a text is not listed: reading it reaches nothing.\n",
    ...guarded.map((module) => section(module, rows, inventories)),
    "## Builtins of which nothing is guarded\n",
    ...harmless(rows, new Set(guarded), inventories),
  ].join("\n");
};

const head = (rows: readonly Row[], inventories: readonly Inventory[]): string => {
  const count = (is: Row["is"]): number => rows.filter((row) => row.is === is).flatMap(({ names }) => names).length;
  const versions = inventories.map(({ version }) => version).join(", ");
  return `# What guarding a process covers

\`node --import interlock-guard/esm-hook app.mjs\` puts a question to the daemon before each of these, in the callback, promise and
synchronous form alike, in every worker thread and in every Node process that is started from there:

- a file: each function of \`fs\`, databases of \`node:sqlite\`, folders of \`node:wasi\`, and what Node itself writes (reports, heap
  snapshots, traces, compiled code)
- a program: each function of \`child_process\`, \`cluster.fork\`, \`process.execve\`, \`process.kill\`
- code: threads, module loaders' threads, native addons; \`process.binding\` is refused
- the network: \`fetch\`, \`http\`, \`https\`, \`http2\`, \`net\`, \`tls\`, \`dgram\`, \`dns\`, \`WebSocket\`, each address that is dialed
- what lies beneath the guard: debuggers, flags of V8, OpenSSL engines; refused unless a rule rewrites \`allow\` to true

Made by \`npm run docs:coverage\` from the rows that \`installInterceptors\` answers from, and from every export of Node ${versions}:
${count("guarded")} are guarded, ${count("refused")} refused, ${count("outOfScope")} out of scope. A test fails when one of these versions has an export that is in no row.
`;
};

const limitText = ({ id, what, why, instead }: DeclaredLimit): string => `**${id}.** ${what}
${why} *Instead:* ${instead}
`;

const has = (row: Row, module: string): boolean => row.names.some((name) => moduleOf(name) === module);

const section = (module: string, rows: readonly Row[], inventories: readonly Inventory[]): string => {
  const lines = merged(rows, module).map(
    ([standing, names]) => `| ${listed(names, module, inventories)} | ${standing} |`,
  );
  return [`### ${module}\n`, "| exports | in a guarded process |", "| --- | --- |", ...lines, ""].join("\n");
};

/** Names by what becomes of them: rows that say the same are one line. */
const merged = (rows: readonly Row[], module: string): readonly (readonly [string, readonly string[]])[] => {
  const lines = new Map<string, string[]>();
  for (const row of rows) {
    const names = row.names.filter((name) => moduleOf(name) === module);
    if (names.length > 0) lines.set(standing(row), [...(lines.get(standing(row)) ?? []), ...names]);
  }
  return [...lines];
};

const standing = (row: Row): string => {
  if (row.is === "guarded") return `asks ${row.asks.map((action) => `\`${action}\``).join(", ")}`;
  return row.is === "refused" ? `refused: ${row.why}` : `out of scope: ${row.why}`;
};

const listed = (names: readonly string[], module: string, inventories: readonly Inventory[]): string =>
  names.map((name) => `\`${shown(name, module)}\`${versionsOf(name, inventories)}`).join(", ");

/** Without its module: the heading has it. */
const shown = (name: string, module: string): string =>
  name.startsWith(`${module}.`) ? name.slice(module.length + 1) : name;

const versionsOf = (name: string, inventories: readonly Inventory[]): string => {
  const those = inventories.filter(({ exports }) => exports.has(name));
  if (those.length === 0 || those.length === inventories.length) return "";
  return ` (${those.map(({ major }) => major).join(", ")})`;
};

/** By reason: one paragraph each, and what of each module it holds for. */
const harmless = (
  rows: readonly Row[],
  guarded: ReadonlySet<string>,
  inventories: readonly Inventory[],
): readonly string[] =>
  rows.flatMap((row) => {
    if (row.is !== "outOfScope") return [];
    const modules = [...new Set(row.names.map(moduleOf))].filter((module) => !guarded.has(module));
    if (modules.length === 0) return [];
    const lines = modules.map((module) => {
      const names = row.names.filter((name) => moduleOf(name) === module);
      return `| ${module} | ${listed(names, module, inventories)} |`;
    });
    return [`${row.why}:\n`, "| module | exports |", "| --- | --- |", ...lines, ""];
  });
