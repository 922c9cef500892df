import { block } from "../../../rules/answers.ts";
import type { Rule } from "../../../rules/types.ts";
import type { Protected } from "./places.ts";
import { folded, plainPath } from "./relation.ts";

const names = ["resolved_path", "path", "socketPath"] as const;

/**
 * The guard alone speaks to the daemon: its own connection is not asked about. A program that could would be heard as the
 * guard is.
 */
export const socketRule = ({ sockets }: Protected): Rule => {
  const known = new Set(sockets);
  const [socket = "/"] = sockets;
  const last = sockets.at(-1) ?? "/";
  return Object.freeze<Rule>({
    id: "interlock.self.socket",
    actions: ["net.connect", "tls.connect", "http.request"],
    phase: "call",
    evaluate({ args }) {
      for (const name of names) {
        const path = args[name];
        if (typeof path === "string" && path.startsWith("/") && known.has(folded(plainPath(path))))
          return block("it is the daemon's socket, for the guard alone", {
            attributedTo: name === "resolved_path" ? "path" : name,
          });
      }
      return undefined;
    },
    examples: [
      { event: { action: "net.connect", args: { path: socket } }, expect: "block" },
      { event: { action: "net.connect", args: { path: "g", resolved_path: socket } }, expect: "block" },
      { event: { action: "net.connect", args: { path: last } }, expect: "block" },
      { event: { action: "http.request", args: { url: "http://a/", socketPath: socket } }, expect: "block" },
      { event: { action: "net.connect", args: { path: `${socket}-of-another` } }, expect: "silent" },
      { event: { action: "net.connect", args: { host: "example.com", port: 443 } }, expect: "silent" },
    ],
  });
};
