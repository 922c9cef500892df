/** What the rules of the eval protect. */
export interface Protected {
  /** A folder: every file in it. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly ports: readonly number[];
  readonly address: string;
}

/**
 * The text of a rule module that blocks exactly this: use of the protected files by any path that leads to them, any start of
 * `id`, and any dial of a protected port or address. It is silent about the rest, which is allowed.
 */
export const escapeRules = (what: Protected): string => `import { block, defineRules } from "interlock/rules";
const what = ${JSON.stringify(what)};
const trees = [what.folder, ...what.files];
const within = (path, tree) => path === tree || path.startsWith(tree === "/" ? tree : tree + "/");
const pathsOf = ({ path, dest, target, resolved_path, resolved_dest, resolved_target }) =>
  [path, dest, target, resolved_path, resolved_dest, resolved_target].filter((text) => typeof text === "string");
// What takes a whole tree takes what is in it.
const takesTree = ["fs.cp", "fs.rename", "wasi.WASI"];
const strings = (value) => typeof value === "string" ? [value] : Array.isArray(value) ? value.flatMap(strings) : [];
const words = (text) => text.replace(/["'\\\\]/g, "").split(/[^A-Za-z0-9_.\\/+$*?-]+/);
const isId = (word) => word.slice(word.lastIndexOf("/") + 1) === "id";
export default defineRules({ id: "escape", version: 1, rules: [
  {
    id: "escape.read",
    actions: ["fs.*", "sqlite.*", "wasi.*", "process.*", "module.*", "v8.*", "worker_threads.*"],
    phase: "call",
    evaluate({ action, args }) {
      const paths = pathsOf(args);
      if (paths.some((path) => trees.some((tree) => within(path, tree)))) return block("is protected");
      if (takesTree.includes(action) && paths.some((path) => trees.some((tree) => within(tree, path)))) return block("holds what is protected");
      return undefined;
    },
    examples: [
      { event: { action: "fs.readFile", args: { path: what.folder + "/x" } }, expect: "block" },
      { event: { action: "fs.readFile", args: { path: "x", resolved_path: what.files[0] } }, expect: "block" },
      { event: { action: "fs.cp", args: { path: "/", dest: "/copy" } }, expect: "block" },
      { event: { action: "fs.readFile", args: { path: "/plain" } }, expect: "silent" },
    ],
  },
  {
    id: "escape.run",
    actions: ["child_process.*", "process.execve"],
    phase: "call",
    evaluate({ args: { command, args, options = {} } }) {
      const { argv0, shell, execPath, execArgv } = options;
      return strings([command, args, argv0, shell, execPath, execArgv]).flatMap(words).some(isId) ? block("starts id") : undefined;
    },
    examples: [
      { event: { action: "child_process.exec", args: { command: "true; /usr/bin/id -u" } }, expect: "block" },
      { event: { action: "child_process.fork", args: { command: "x", options: { execPath: "id" } } }, expect: "block" },
      { event: { action: "child_process.exec", args: { command: "grep aid" } }, expect: "silent" },
    ],
  },
  {
    id: "escape.reach",
    actions: ["net.dial"],
    phase: "call",
    evaluate: ({ args: { port, address } }) => what.ports.includes(port) || address === what.address ? block("is out of reach") : undefined,
    examples: [
      { event: { action: "net.dial", args: { port: what.ports[0], address: "127.0.0.1" } }, expect: "block" },
      { event: { action: "net.dial", args: { port: 1, address: what.address } }, expect: "block" },
      { event: { action: "net.dial", args: { port: 1, address: "127.0.0.1" } }, expect: "silent" },
    ],
  },
] });
`;
