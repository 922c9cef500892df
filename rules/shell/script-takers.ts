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
  "lksh",
  "yash",
  "sh.exe",
  "bash.exe",
]);

/** Programs that take a shell script after `-c` (or another option) without being a shell. */
export const scriptTakers: ReadonlyMap<string, RegExp> = new Map([
  ["su", /^(?:-[A-Za-z]*c|--command)$/],
  ["script", /^(?:-[A-Za-z]*c|--command)$/],
  ["flock", /^(?:-[A-Za-z]*c|--command)$/],
  ["runuser", /^(?:-[A-Za-z]*c|--command)$/],
  ["sg", /^-c$/],
  ["newgrp", /^-c$/],
  ["nix-shell", /^--(?:run|command)$/],
  ["vagrant", /^(?:-c|--command)$/],
  ["gcloud", /^--command$/],
  ["capsh", /^-c$/],
  ["npx", /^(?:-c|--call)$/],
  ["npm", /^(?:-c|--call)$/],
  ["nodemon", /^(?:-x|--exec)$/],
  ["watchexec", /^$/],
  ["wsl", /^(?:-e|--exec)$/],
  ["cargo-watch", /^(?:-s|--shell)$/],
  ["xterm", /^-e$/],
  ["gnome-terminal", /^(?:-e|--command)$/],
  ["konsole", /^-e$/],
]);

/** Programs that take whole lines for a shell as their operands: after their own options, each joined or each alone. */
export const lineTakers: ReadonlyMap<string, "joined" | "each"> = new Map<string, "joined" | "each">([
  ["eval", "joined"],
  ["watch", "joined"],
  ["parallel", "joined"],
  ["trap", "each"],
  ["hyperfine", "each"],
  ["concurrently", "each"],
  ["entr", "joined"],
]);

/** The shells of Windows: what they run is told by foreign-shell.ts. */
export const foreignShells: ReadonlyMap<string, "powershell" | "cmd"> = new Map<string, "powershell" | "cmd">([
  ["powershell", "powershell"],
  ["powershell.exe", "powershell"],
  ["pwsh", "powershell"],
  ["pwsh.exe", "powershell"],
  ["powershell_ise.exe", "powershell"],
  ["cmd", "cmd"],
  ["cmd.exe", "cmd"],
]);
