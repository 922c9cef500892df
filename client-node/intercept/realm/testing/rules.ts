/** Text of a rule module: what contains `blockme` is blocked, `redirectme` becomes `changed`, and nobody dials 127.0.0.9. */
export const spiedRules = `import { block, defineRules, rewrite } from "interlock/rules";
const changed = (value) =>
  typeof value === "string" ? value.replaceAll("redirectme", "changed") : Array.isArray(value) ? value.map(changed) : value;
export default defineRules({ id: "spied", version: 1, rules: [
  {
    id: "spied.words",
    actions: ["child_process.*", "dgram.*", "dns.*", "fs.*", "http.*", "http2.*", "module.*", "net.*", "process.*", "tls.*", "v8.*", "worker_threads.*"],
    phase: "call",
    evaluate({ action, args }) {
      if (action === "net.dial") return args.address === "127.0.0.9" ? block("nobody dials it") : undefined;
      const text = JSON.stringify(args);
      if (text.includes("blockme")) return block("off limits");
      if (!text.includes("redirectme")) return undefined;
      const { resolved_path, resolved_dest, resolved_target, ...rest } = args;
      const kept = Object.entries({ resolved_path, resolved_dest, resolved_target }).filter(([, value]) => value !== undefined);
      return rewrite({ ...Object.fromEntries(kept), ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, changed(value)])) });
    },
    examples: [
      { event: { action: "fs.readFile", args: { path: "/blockme" } }, expect: "block" },
      { event: { action: "fs.readFile", args: { path: "/plain" } }, expect: "silent" },
    ],
  },
] });
`;
