/** Commands that run the command in their own arguments. What they skip before it: options, and operands of their own. */
export interface Wrapper {
  /** Options that take the next argument. */
  readonly valued: readonly string[];
  /** Own operands before the command. */
  readonly operands: number;
  /** `NAME=value` before the command. */
  readonly assignments?: boolean;
}

const plain: Wrapper = { valued: [], operands: 0 };
const user: Wrapper = {
  valued: [
    "-u",
    "-g",
    "-h",
    "-p",
    "-C",
    "-r",
    "-t",
    "-T",
    "-U",
    "-D",
    "-R",
    "--user",
    "--group",
    "--chdir",
    "--chroot",
  ],
  operands: 0,
  assignments: true,
};

export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["env", { valued: ["-u", "-C", "-a", "--unset", "--chdir", "--argv0"], operands: 0, assignments: true }],
  ["sudo", user],
  ["doas", user],
  ["timeout", { valued: ["-k", "-s", "--kill-after", "--signal"], operands: 1 }],
  ["nice", { valued: ["-n", "--adjustment"], operands: 0 }],
  ["ionice", { valued: ["-c", "-n", "-p", "--class", "--classdata"], operands: 0 }],
  ["chrt", { valued: ["-T", "-P", "-D"], operands: 1 }],
  ["taskset", { valued: [], operands: 1 }],
  ["stdbuf", { valued: ["-i", "-o", "-e", "--input", "--output", "--error"], operands: 0 }],
  ["nohup", plain],
  ["setsid", plain],
  ["time", { valued: ["-f", "-o", "--format", "--output"], operands: 0 }],
  ["command", plain],
  ["builtin", plain],
  ["exec", { valued: ["-a"], operands: 0 }],
  ["coproc", plain],
  ["unshare", plain],
  ["chroot", { valued: ["--userspec", "--groups"], operands: 1 }],
  ["strace", { valued: ["-e", "-o", "-p", "-s", "-u", "-E"], operands: 0 }],
  ["ltrace", { valued: ["-e", "-o", "-p", "-s", "-u"], operands: 0 }],
  ["watch", { valued: ["-n", "--interval"], operands: 0 }],
  ["parallel", { valued: ["-j", "--jobs", "-I"], operands: 0 }],
  [
    "xargs",
    {
      valued: [
        "-a",
        "-d",
        "-E",
        "-I",
        "-L",
        "-n",
        "-P",
        "-s",
        "--arg-file",
        "--delimiter",
        "--max-args",
        "--max-procs",
      ],
      operands: 0,
    },
  ],
  ["flock", { valued: ["-w", "-E", "--timeout", "--conflict-exit-code"], operands: 1 }],
  ["busybox", plain],
  ["toybox", plain],
]);

/** Programs whose `-c` is a script of their own. */
export const shells: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "mksh",
  "ash",
  "fish",
  "rbash",
]);

/** Programs that take a shell script after `-c` without being a shell. */
export const scriptTakers: ReadonlySet<string> = new Set(["su", "script", "flock", "runuser"]);
