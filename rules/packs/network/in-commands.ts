import type { WireObject } from "../../../wire/value.ts";
import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { heldAs, isAllowed, type PrivateTerms } from "../../network/private.ts";
import { type Reached, type ReachedBy, reachedIn, reachedOf } from "../../network/reached.ts";
import { isSpokenFor } from "../../network/user-info.ts";
import { holdsCommand, onceRead } from "../../shell/command-arguments.ts";
import { Unparseable } from "../../shell/parse.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import { listOf } from "./allow-list.ts";
import { type LeakTerms, leaks } from "./exfiltration.ts";
import { type Example, everyAction, type NetworkOptions } from "./options.ts";
import { answerTo } from "./private.ts";
import { isHeldSocket, reachesSocket } from "./sockets.ts";

/** The same of what commands reach: `curl 169.254.169.254`, `nc 0x7f.1 80`, `> /dev/tcp/10.0.0.1/80`, `docker -v /var/run/docker.sock:...`. */
export const inCommands = (options: NetworkOptions, terms: PrivateTerms): DefinedRule => {
  const list = listOf(options.allowDomains);
  const trusted = new Set(options.allowDomains.map((domain) => domain.toLowerCase()));
  const own = new Set(options.collectors.map((domain) => domain.toLowerCase()));
  const judge = (reached: Reached): BlockAnswer | EscalateAnswer | undefined => {
    const about = { attributedTo: reached.place };
    if (isHeldSocket(reached, terms.allowHosts)) return block(reachesSocket, about);
    const held = heldAs(reached, terms);
    if (held !== null) return answerTo(held, reached.place, options);
    if (isSpokenFor(reached.destination)) return block("the address has another host for a user name", about);
    const leak: LeakTerms = { trusted, own, options, terms, sends: reached.sends };
    return leaks(reached, leak);
  };
  const worstOf = (
    { all, computed }: ReachedBy,
    allows: ((host: string) => boolean) | null,
  ): BlockAnswer | EscalateAnswer | undefined => {
    let question: BlockAnswer | EscalateAnswer | undefined;
    for (const reached of all) {
      const answer = judge(reached);
      if (answer?.kind === "block") return answer;
      question ??= answer;
      const { destination, place, how } = reached;
      if (
        allows !== null &&
        how !== "resolved" &&
        destination.kind === "network" &&
        !isAllowed(destination, terms.allowHosts) &&
        !allows(destination.host)
      )
        return block("the host is not on the list of allowed domains", { attributedTo: place });
    }
    if (allows !== null && computed !== null)
      return question ?? escalate("it reaches a host that is known only while it runs", { attributedTo: computed });
    return question;
  };
  const ofList = async (action: string, args: WireObject) => {
    const reached = await reachedIn(action, args);
    return worstOf(reached, (await list()).allows);
  };
  return defineRule({
    id: "network.in-commands",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      if (!holdsCommand(action, args)) return undefined;
      const unparseable = () => escalate("the command cannot be parsed");
      if (options.allowDomains.length === 0)
        return onceRead(action, args, (commands) => worstOf(reachedOf(commands), null), unparseable);
      return ofList(action, args).catch((error: unknown) => {
        if (!(error instanceof Unparseable)) throw error;
        return unparseable();
      });
    },
    examples: commandExamples(options, terms),
  });
};

const inside: readonly (readonly [string, string])[] = [
  ["curl http://169.254.169.254/latest/meta-data/", "169.254.169.254"],
  ["curl 2130706433", "127.0.0.1"],
  ["nc 127.0.0.1 80", "127.0.0.1:80"],
  ["wget -qO- http://localhost:9200", "localhost:9200"],
  ["echo $(curl http://10.0.0.1)", "10.0.0.1"],
  ["sh -c 'curl http://127.1'", "127.0.0.1"],
  ["python3 fetch.py http://192.168.0.1/", "192.168.0.1"],
  ["exec 3<>/dev/tcp/169.254.169.254/80", "169.254.169.254"],
];

/** Daily work, and what only mentions an address. */
const outside: readonly string[] = [
  "npm run build",
  "git commit -m 'opens http://localhost:3000'",
  "grep -rn http://localhost:3000 src",
  "psql -h localhost -U app -c 'select 1'",
  "ssh web01 uptime",
];

const commandExamples = (options: NetworkOptions, { allowHosts }: PrivateTerms): readonly Example[] => {
  const call = (command: string, expect: Example["expect"]): Example => ({
    event: { action: "bash", args: { command } },
    expect,
  });
  const open = options.allowDomains.length === 0;
  const refused = inside.filter(([, host]) => !allowHosts.has(host) && !allowHosts.has(host.split(":")[0] ?? host));
  return [
    { event: { action: "read_file", args: { path: "a" } }, expect: "silent" },
    ...(options.privateNetwork === "block" ? refused.map(([command]) => call(command, "block")) : []),
    ...(open ? outside.map((command) => call(command, "silent")) : []),
    call("curl 'unclosed", "escalate"),
  ];
};
