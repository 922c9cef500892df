// Guards `fs` with an engine of this thread that records each question, blocks what leads to a `secret`, and rewrites `asked-for`.
import fs from "node:fs";

const { INTERLOCK_BUILD } = process.env;
const { Decision, Verdict } = await import(`${INTERLOCK_BUILD}/client-node/index.js`);
const { installInterceptors } = await import(`${INTERLOCK_BUILD}/client-node/intercept/install.js`);

export const originals = { ...fs };
export const questions = [];
export const hooks = { before: () => {} };
const decide = ({ action, args }) => {
  questions.push([action, args]);
  hooks.before(action, args);
  const leads = ["path", "dest", "target", "resolved_path", "resolved_dest", "resolved_target"].map((key) => args[key]);
  if (leads.some((text) => typeof text === "string" && text.split("/").includes("secret")))
    return Decision.block("is secret");
  if (hooks.rewrite !== undefined) return new Decision({ verdict: Verdict.MODIFY, modified_args: hooks.rewrite });
  return Decision.allow();
};
const engine = { evaluate: async (event) => decide(event), evaluateSync: decide };
export const installed = installInterceptors({ engine, exec: false, http: false, net: false });
