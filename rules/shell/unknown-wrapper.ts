import { isFamiliarProgram } from "./known-programs.ts";
import type { Word } from "./word.ts";

/** Programs whose names nobody takes for a verb: behind a program that is not known, they are what it runs. */
const telling: ReadonlySet<string> = new Set([
  ...[
    "git",
    "curl",
    "wget",
    "bash",
    "sh",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "python",
    "python2",
    "python3",
    "perl",
    "ruby",
    "node",
  ],
  ...[
    "php",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "sudo",
    "doas",
    "su",
    "docker",
    "kubectl",
    "nc",
    "ncat",
    "socat",
    "npm",
    "npx",
    "pip",
  ],
  ...[
    "pip3",
    "aws",
    "gcloud",
    "terraform",
    "systemctl",
    "shutdown",
    "reboot",
    "mkfs",
    "dd",
    "crontab",
    "iptables",
    "useradd",
  ],
  ...["env", "xargs", "nohup", "setsid", "timeout", "busybox", "powershell", "pwsh", "gpg", "openssl", "psql", "mysql"],
]);
/** Names that are verbs of other programs too (`dvc rm`, `./manage.py test`): only what follows tells. */
const verbs: ReadonlySet<string> = new Set([
  ...[
    "rm",
    "mv",
    "cp",
    "ln",
    "cat",
    "tee",
    "chmod",
    "chown",
    "chgrp",
    "kill",
    "killall",
    "pkill",
    "find",
    "grep",
    "sed",
    "awk",
  ],
  ...["tar", "zip", "truncate", "shred", "unlink", "rmdir", "mount", "umount", "chattr", "eval", "source", "exec"],
]);

/** Is a program that is not known given a command that it may run? `./wrap git add -A`, but not `./gradlew build`. */
export const mayBeWrapped = (name: string, path: string, args: readonly Word[]): boolean => {
  if (isFamiliarProgram(name)) return false;
  const at = args.findIndex(({ text }) => !text.startsWith("-"));
  const operand = args[at];
  if (operand === undefined || !operand.known) return false;
  const inner = operand.text.slice(operand.text.lastIndexOf("/") + 1).toLowerCase();
  const next = args[at + 1]?.text;
  // A file named like a program is an operand: `./convert git`.
  if (next === undefined) return operand.text.startsWith("/") && telling.has(inner);
  if (telling.has(inner)) return true;
  return (
    verbs.has(inner) &&
    (path.includes("/") || operand.text.includes("/")
      ? /^[-/~.]/.test(next)
      : /^-[A-Za-z]+$/.test(next) && args.length > at + 2)
  );
};
