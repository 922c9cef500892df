import { secretVariable } from "../../shell/effects/machine.ts";
import type { Command } from "../../shell/script.ts";
import { doesToSystem, type Judge, type Judged, judgement } from "./judgement.ts";

/** Variables of a process, secrets among them, that would be printed or sent. */
export const environment: Judge = (command, options) => [
  doesToSystem(command, "shows_environment") && !command.script.commands.some((one) => picksOut(one))
    ? judgement(options.environment, "it prints the variables of a process, which hold secrets")
    : null,
  doesToSystem(command, "shows_credentials")
    ? judgement(
        options.environment === "pass" ? "escalate" : options.environment,
        "it prints what a store of keys and passwords keeps",
      )
    : null,
  command.effects.some((effect) => effect.kind === "reaches" && effect.sends) &&
  command.script.commands.some(({ fedBy }) => fedBy.some((name) => dumping.has(name)))
    ? judgement("escalate", "it sends away a whole database, or a history of what was typed")
    : null,
  command.effects.some((effect) => effect.kind === "reads" && isProcessFile(effect.path.text))
    ? judgement("block", "it reads the variables or the memory of a process")
    : null,
  ...secretsShown(command).map(() =>
    judgement(
      options.environment === "pass" ? "escalate" : options.environment,
      "it prints or sends a variable that holds a secret",
    ),
  ),
];

/** Programs that print everything: what was typed, or what a database holds. */
const dumping: ReadonlySet<string> = new Set([
  "history",
  "fc",
  "mysqldump",
  "mariadb-dump",
  "pg_dump",
  "pg_dumpall",
  "mongodump",
  "mongoexport",
  "slapcat",
  "ldapsearch",
]);

/** `/proc/self/environ`, whatever number or name stands for the process: https://man7.org/linux/man-pages/man5/proc_pid_environ.5.html. */
const isProcessFile = (path: string): boolean => {
  const text = path.replace(/\/(?:\.?\/)+/g, "/");
  return /^\/proc\/(?:self|thread-self|\d+|[^/]*[\0*?[][^/]*)(?:\/task\/[^/]+)?\/(?:environ|mem|maps|root|cwd|fd|cmdline|[^/]*[*?[\0][^/]*)(?:\/|$)/i.test(
    text,
  );
};

/** `env | grep NODE_ENV` asks for one that is named. */
const picksOut = ({ name, args, fedBy }: Command): boolean => {
  if (!/^[efz]?grep$|^rg$/.test(name) || !fedBy.some((from) => /^(?:env|printenv|set|export|declare)$/.test(from)))
    return false;
  const pattern = args.find(({ text }) => !text.startsWith("-"));
  return (
    pattern?.known === true &&
    /^\^?[A-Za-z_][A-Za-z0-9_]{2,}=?/.test(pattern.text) &&
    !/secret|token|key|pass|cred|auth|aws|api/i.test(pattern.text)
  );
};

/** Programs that show or send their arguments. */
const showing: ReadonlySet<string> = new Set([
  "echo",
  "printf",
  "print",
  "logger",
  "wall",
  "write",
  "notify-send",
  "cat",
  "tee",
  "xxd",
  "base64",
  "say",
]);
const sending: ReadonlySet<string> = new Set([
  "nc",
  "ncat",
  "netcat",
  "dig",
  "nslookup",
  "host",
  "ping",
  "wget",
  "mail",
]);

/** Names of variables with a secret's name that are read where they are shown. curl may need one to sign in; in its URL it leaves. */
const secretsShown = ({ script, effects }: Judged): readonly string[] => {
  const secrets = script.reads.filter((name) => secretVariable.test(name) && !/^(?:PWD|OLDPWD)$/.test(name));
  if (secrets.length === 0) return [];
  const isShown = script.commands.some(
    ({ name, args }) => (showing.has(name) || sending.has(name)) && args.some(({ known }) => !known),
  );
  const leaves = effects.some((effect) => effect.kind === "reaches" && !effect.known);
  const feeds = script.commands.some(({ input }) => input !== null && !input.known);
  return isShown || leaves || feeds ? secrets : [];
};
