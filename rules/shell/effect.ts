import type { Directory } from "./directories.ts";

/** A path that a command names: where it leads depends on the directory that the command runs in. */
export interface EffectPath {
  /** As the program will see it; `unknown` (word.ts) stands in it for what only the running shell knows. */
  readonly text: string;
  readonly known: boolean;
  /** Every directory that the command may run in. */
  readonly directories: readonly Directory[];
}

/** What one command of a script does. Rules are written on these, not on spellings. Closed. */
export type Effect = {
  /** The program that does it, bare and in lower case; empty for the shell's own redirections. */
  readonly program: string;
} & (
  | {
      readonly kind: "reads" | "writes" | "deletes" | "lists" | "alters";
      readonly path: EffectPath;
      /** Everything below it too. `alters` is owner, mode, links, times. */
      readonly recursive: boolean;
    }
  | {
      readonly kind: "reaches";
      /** A URL, a host, `host:port`, `user@host:path`: as it stands in the command. */
      readonly address: string;
      readonly known: boolean;
      /** It takes data there: a body, a file, standard input. */
      readonly sends: boolean;
    }
  | {
      readonly kind: "runs";
      /** `download`: a program that just came from the network; `file`: a script at `path`; `code`: a program text of another language. */
      readonly what: "download" | "file" | "code";
      readonly path: EffectPath | null;
      /** The program text of `code`; null where the command does not hold it. `unknown` stands in it for what only the running shell knows. */
      readonly text: string | null;
    }
  | {
      readonly kind: "system";
      /**
       * `runs_later`: at start-up, at a time, or when somebody logs in; `shows_environment`: prints the variables of a process, secrets among
       * them; `shows_credentials`: prints what a store of keys and passwords keeps; `rewrites_history` and `discards_work`: of a repository; `hides_traces`: logs and histories; `weakens_guard`: firewall and the like; `destroys_elsewhere`: what a container or another machine
       * needs; `harms_windows`: a known way to destroy or to run what nobody read, for PowerShell or cmd.
       */
      readonly what:
        | "formats_disk"
        | "stops_machine"
        | "ends_processes"
        | "multiplies"
        | "changes_privileges"
        | "runs_later"
        | "shows_environment"
        | "shows_credentials"
        | "rewrites_history"
        | "discards_work"
        | "hides_traces"
        | "weakens_guard"
        | "removes_resources"
        | "publishes"
        | "destroys_elsewhere"
        | "harms_windows";
    }
  | {
      /** It cannot be told what it does. */
      readonly kind: "unknown";
      readonly why: "computed_program" | "unknown_wrapper" | "unreadable_script" | "other_shell";
    }
);

export type FileEffect = Extract<Effect, { readonly path: EffectPath; readonly recursive: boolean }>;
export type ReachEffect = Extract<Effect, { readonly kind: "reaches" }>;
