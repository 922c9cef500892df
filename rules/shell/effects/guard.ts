import { first, second, when } from "./machine.ts";
import type { Call, Program, Programs } from "./program.ts";

/** Parts of the command line that only show, check or start; what is left grants, signs, trusts or resumes. */
const harmless =
  /^(?:scan|simulate|analyze|doctor|conformance|receipts|store|chain|policy|mcp|stop|stops|help|version|completion)$/;
const showing = /^(?:list|show|explain|verify|check|test|packs|compare|diff|tail|status|)$/;

/** An agent that grants what it asked for, signs its own rules or ends a stop has no guard any more. */
const interlock: Program = when("weakens_guard", (call) => {
  const what = first(call);
  if (what === "" || harmless.test(what)) return false;
  return !/^(?:rules|fallback|scope|approvals|transactions|operators|keys)$/.test(what) || !showing.test(second(call));
});

const removing = /^(?:uninstall|remove|rm|r|un|unlink|erase|purge)$/;
const named = /^(?:@[\w.-]{1,64}\/)?interlock(?:[-_]guard)?(?:@.{0,64})?$/i;

const uninstalls: Program = when(
  "weakens_guard",
  (call) =>
    call.operands.some(({ text }) => removing.test(text)) &&
    call.operands.slice(1).some(({ text }) => named.test(text)),
);

const ends = ({ operands }: Call): boolean => operands.some(({ text }) => /interlock/i.test(text));
const killer: Program = when("weakens_guard", ends, { short: "uUgGsPt", long: ["user", "signal"] });

/** What would take this guard away: https://attack.mitre.org/techniques/T1562/001/. */
export const guardPrograms: Programs = {
  interlock,
  npm: uninstalls,
  pnpm: uninstalls,
  yarn: uninstalls,
  bun: uninstalls,
  pip: uninstalls,
  pip3: uninstalls,
  pipx: uninstalls,
  uv: uninstalls,
  pkill: killer,
  killall: killer,
  systemctl: when("weakens_guard", (call) => /^(?:stop|disable|mask|kill)$/.test(first(call)) && ends(call)),
  launchctl: when(
    "weakens_guard",
    (call) => /^(?:unload|bootout|disable|stop|remove|kill)$/.test(first(call)) && ends(call),
  ),
};
