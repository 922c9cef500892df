/**
 * Text of a rule module for guarded programs: what contains `blockme` is blocked, `redirectme` becomes `target`, and the address
 * 127.0.0.9 stands for one that no name may lead to.
 */
export const netRules = `import { block, defineRules, rewrite } from "interlock/rules";
const part = (value) => JSON.parse(JSON.stringify(value).replaceAll("redirectme", "target"));
const changed = (args) => Object.fromEntries(Object.entries(args).map(([name, value]) =>
  [name, JSON.stringify(value).includes("redirectme") ? part(value) : value]));
export default defineRules({ id: "net", version: 1, rules: [
  {
    id: "net.words",
    actions: ["http.*", "http2.*", "net.connect", "tls.*", "dgram.*", "dns.*", "websocket.*"],
    phase: "call",
    evaluate({ args }) {
      const text = JSON.stringify(args);
      if (text.includes("blockme")) return block("off limits");
      return text.includes("redirectme") ? rewrite(changed(args)) : undefined;
    },
    examples: [
      { event: { action: "http.fetch", args: { url: "http://blockme/" } }, expect: "block" },
      { event: { action: "http.fetch", args: { url: "http://plain/" } }, expect: "silent" },
    ],
  },
  {
    id: "net.addresses",
    actions: ["net.dial"],
    phase: "call",
    evaluate: ({ args }) => (args.address === "127.0.0.9" ? block("a private address") : undefined),
    examples: [
      { event: { action: "net.dial", args: { address: "127.0.0.9" } }, expect: "block" },
      { event: { action: "net.dial", args: { address: "127.0.0.1" } }, expect: "silent" },
    ],
  },
] });
`;
