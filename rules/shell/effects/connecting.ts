import type { Effect } from "../effect.ts";
import type { Word } from "../word.ts";
import { isUrl } from "./network.ts";
import type { Grammar } from "./options.ts";
import {
  type Call,
  has,
  onAddress,
  onFiles,
  onSystem,
  type Program,
  type Programs,
  runsCode,
  valuesOf,
} from "./program.ts";

const listens = ({ text }: Word): boolean => /(?:^|[-:])listen/i.test(text);

/** `nc HOST PORT`; with -l it waits for others. */
const netcat: Program = {
  grammar: {
    short: "egGIiLmnNOpPqsTVwWXxc",
    long: ["exec", "sh-exec", "source-port", "proxy", "idle-timeout", "wait"],
  },
  does: (call) => {
    const [host, port] = call.operands;
    const address =
      host === undefined || has(call, "l", "listen")
        ? []
        : [{ text: port === undefined ? host.text : `${host.text}:${port.text}`, known: host.known }];
    return [...onAddress(call, address, "sends"), ...(has(call, "e", "c", "exec", "sh-exec") ? runsCode(call) : [])];
  },
};

/** `socat TCP:host:port EXEC:sh`: two addresses of socat's own. */
const socat = (call: Call): readonly Effect[] =>
  call.operands.flatMap((word): readonly Effect[] => {
    const colon = word.text.indexOf(":");
    const kind = word.text.slice(0, Math.max(colon, 0)).toLowerCase();
    const rest = { ...word, text: word.text.slice(colon + 1).split(",", 1)[0] ?? "" };
    if (listens({ text: kind, known: true })) return [];
    if (/^(?:exec|system|shell)$/.test(kind)) return runsCode(call);
    if (/^(?:tcp|udp|sctp|openssl|ssl|proxy|socks)/.test(kind)) return onAddress(call, [rest], "sends");
    if (/^unix|^abstract/.test(kind)) return onAddress(call, [{ ...rest, text: `unix:${rest.text}` }], "sends");
    if (/^(?:file|open|gopen|create|pipe)$/.test(kind))
      return [...onFiles("reads", call, [rest]), ...onFiles("writes", call, [rest])];
    return colon < 0 && word.text.startsWith("/") ? onFiles("reads", call, [word]) : [];
  });

const firstHost = (grammar: Grammar, direction: "sends" | "fetches" = "fetches"): Program => ({
  grammar,
  does: (call) => onAddress(call, call.operands.slice(0, 1), direction),
});

const lookup: Program = {
  grammar: { short: "tcpkbxqy" },
  does: (call) =>
    onAddress(
      call,
      call.operands.filter(({ text }) => text.includes(".") || text.startsWith("@") || text.includes("\0")),
      "fetches",
    ),
};

/** Programs that open a connection to a host: for a terminal, a question, a mail, a database. */
export const connectingPrograms: Programs = {
  ssh: {
    grammar: { short: "BbcDEeFIiJLlmOopQRSWw", leading: true },
    does: (call) => [
      ...onAddress(call, call.operands.slice(0, 1), "sends"),
      ...onFiles("reads", call, valuesOf(call, "i", "F")),
      ...onAddress(call, valuesOf(call, "J", "W"), "sends"),
      ...(valuesOf(call, "o").some(({ text }) => /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)\b/i.test(text))
        ? runsCode(call)
        : []),
    ],
  },
  mosh: firstHost({}, "sends"),
  "ssh-copy-id": {
    grammar: { short: "ipoF" },
    does: (call) => [
      ...onAddress(call, call.operands.slice(0, 1), "sends"),
      ...onFiles("reads", call, valuesOf(call, "i")),
      // Whoever holds the key may come back: https://attack.mitre.org/techniques/T1098/004/.
      ...(has(call, "n") ? [] : onSystem(call, "runs_later")),
    ],
  },
  telnet: {
    does: (call) =>
      onAddress(
        call,
        call.operands.slice(0, 2).length === 2
          ? [{ text: `${call.operands[0]?.text}:${call.operands[1]?.text}`, known: true }]
          : call.operands,
        "sends",
      ),
  },
  ftp: firstHost({}, "sends"),
  lftp: {
    grammar: { short: "ecfup" },
    does: (call) => [
      ...onAddress(call, call.operands.slice(0, 1), "sends"),
      ...(has(call, "e", "c") ? runsCode(call) : []),
    ],
  },
  tftp: firstHost({}, "sends"),
  nc: netcat,
  ncat: netcat,
  netcat,
  "nc.traditional": netcat,
  "nc.openbsd": netcat,
  socat: { does: socat },
  ping: firstHost({ short: "cistWwIMpQ" }),
  ping6: firstHost({ short: "cistWw" }),
  traceroute: firstHost({ short: "fimpqw" }),
  dig: lookup,
  nslookup: lookup,
  host: lookup,
  drill: lookup,
  whois: firstHost({ short: "hp" }),
  nmap: { grammar: { short: "piDSegox", long: ["script"] }, does: (call) => onAddress(call, call.operands, "fetches") },
  mail: {
    grammar: { short: "saAcbr" },
    does: (call) => [...onAddress(call, call.operands, "sends"), ...onFiles("reads", call, valuesOf(call, "a", "A"))],
  },
  mailx: {
    grammar: { short: "saAcbr" },
    does: (call) => [...onAddress(call, call.operands, "sends"), ...onFiles("reads", call, valuesOf(call, "a", "A"))],
  },
  mutt: {
    grammar: { short: "saceibFH" },
    does: (call) => [
      ...onAddress(call, call.operands, "sends"),
      ...onFiles("reads", call, valuesOf(call, "a", "i", "H")),
    ],
  },
  sendmail: { grammar: { short: "fFo" }, does: (call) => onAddress(call, call.operands, "sends") },
  psql: {
    grammar: { short: "cdfhpUvoL", long: ["command", "dbname", "file", "host", "port", "username", "output"] },
    does: (call) => [
      ...onAddress(call, [...valuesOf(call, "h", "host"), ...call.operands.filter(isUrl)], "sends"),
      ...onFiles("reads", call, valuesOf(call, "f", "file")),
      ...onFiles("writes", call, valuesOf(call, "o", "output")),
    ],
  },
  mysql: {
    grammar: { short: "ehuPDS", long: ["execute", "host", "user", "port", "database"] },
    does: (call) => onAddress(call, valuesOf(call, "h", "host"), "sends"),
  },
  "redis-cli": { grammar: { short: "hpanu" }, does: (call) => onAddress(call, valuesOf(call, "h", "u"), "sends") },
};
