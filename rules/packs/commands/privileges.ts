import { readOptions } from "../../shell/effects/options.ts";
import type { Command } from "../../shell/script.ts";
import { shells } from "../../shell/script-takers.ts";
import { doesToSystem, type Judge, judgement } from "./judgement.ts";

/** Programs that only become somebody else to run another. */
const becoming: ReadonlySet<string> = new Set(["sudo", "doas", "run0"]);
/** What is run as root every day: packages, services, looking. */
const daily: ReadonlySet<string> = new Set([
  ...[
    "apt",
    "apt-get",
    "apt-cache",
    "dnf",
    "yum",
    "apk",
    "pacman",
    "zypper",
    "snap",
    "brew",
    "systemctl",
    "service",
    "docker",
  ],
  ...[
    "docker-compose",
    "npm",
    "pip",
    "pip3",
    "make",
    "ls",
    "journalctl",
    "nginx",
    "ufw",
    "lsof",
    "ss",
    "netstat",
    "dmesg",
    "tail",
  ],
  ...[
    "mkdir",
    "true",
    "echo",
    "du",
    "df",
    "find",
    "grep",
    "head",
    "ps",
    "kill",
    "cp",
    "mv",
    "ln",
    "install",
    "tee",
    "rm",
    "chown",
    "chmod",
  ],
  ...[
    "env",
    "timeout",
    "nice",
    "-v",
    "git",
    "node",
    "tcpdump",
    "sysctl",
    "ldconfig",
    "update-ca-certificates",
    "xcode-select",
  ],
]);

/** More rights, other accounts, weaker guards, wiped traces. */
export const privileges: Judge = (command, options) => {
  const measure = options.privileges === "root_shells" ? "escalate" : options.privileges;
  const changes = command.effects.some(
    (effect) => effect.kind === "system" && effect.what === "changes_privileges" && !becoming.has(effect.program),
  );
  const becomes = command.script.commands.some(
    (one, at) =>
      becoming.has(one.name) &&
      (options.privileges !== "root_shells" || isRootShell(one, command.script.commands[at + 1])),
  );
  return [
    changes ? judgement(measure, "it changes accounts, privileges or the kernel") : null,
    becomes ? judgement(measure, "it becomes another user") : null,
    command.script.commands.some(setsUserId) ? judgement(measure, "it lets a program run as its owner") : null,
    doesToSystem(command, "weakens_guard") ? judgement(measure, "it weakens a guard of the machine") : null,
    doesToSystem(command, "hides_traces") ||
    command.effects.some(isTrace) ||
    command.script.assignments.some(turnsOffHistory)
      ? judgement(measure, "it removes traces of what was done")
      : null,
  ];
};

/** `sudo -i`, `sudo su`, `sudo bash`, and what is not daily work. */
const isRootShell = ({ args }: Command, inner: Command | undefined): boolean => {
  const { options, operands } = readOptions(args, { short: "ughpCrtTUDR", leading: true });
  if (operands.length === 0)
    return !options.some(({ name }) => /^(?:[lvkKVh]|validate|list|help|version|non-interactive)$/.test(name));
  const name = inner?.name ?? "";
  return shells.has(name) ? !inner?.args.some(({ text }) => text === "-c" || !text.startsWith("-")) : !daily.has(name);
};

/** `chmod u+s`, `chmod 4755`: https://attack.mitre.org/techniques/T1548/001/. */
const setsUserId = ({ name, args }: Command): boolean =>
  name === "chmod" &&
  args.some(
    ({ text }) => /^(?:[ugoa]*[+=][rwxXt]*s[rwxXts]*|0?[2-7][0-7]{3})$/.test(text) && !/^0?[0-7]{3}$/.test(text),
  );

const traces =
  /(?:^|\/)(?:\.(?:bash|zsh|sh|python|mysql|psql|node_repl)_history|wtmp|btmp|utmp|lastlog|auth\.log|audit\.log|secure|syslog)$/i;

/** `HISTFILE=/dev/null`: https://attack.mitre.org/techniques/T1562/003/. */
const turnsOffHistory = ({
  name,
  value,
}: {
  readonly name: string;
  readonly value: { readonly text: string };
}): boolean =>
  (name === "HISTFILE" && (value.text === "" || value.text === "/dev/null")) ||
  (/^HIST(?:FILE)?SIZE$/.test(name) && value.text === "0");

const isTrace = (effect: { readonly kind: string; readonly path?: { readonly text: string } | null }): boolean =>
  (effect.kind === "deletes" || effect.kind === "writes") && traces.test(effect.path?.text ?? "");
