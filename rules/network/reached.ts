import type { WireObject } from "../../wire/value.ts";
import { type CommandArgument, commandsIn } from "../shell/command-arguments.ts";
import type { ReachEffect } from "../shell/effect.ts";
import { isKnownProgram } from "../shell/effects/index.ts";
import type { Command, Script } from "../shell/script.ts";
import { effectsFor } from "../shell/script-effects.ts";
import { unknown } from "../shell/word.ts";
import { type Destination, destinationOf } from "./destination.ts";
import { grantsMachine } from "./socket-path.ts";
import type { Stated } from "./stated.ts";

/** A destination that a command reaches. */
export interface Reached extends Stated {
  /** It takes data there. */
  readonly sends: boolean;
}

export interface ReachedBy {
  readonly all: readonly Reached[];
  /** The argument whose command reaches an address that only the running shell knows. */
  readonly computed: string | null;
}

/** Everything that the commands of a call reach. Throws `Unparseable`. */
export const reachedIn = async (action: string, args: WireObject): Promise<ReachedBy> =>
  reachedOf(await commandsIn(action, args));

/** The same of commands that have been read. */
export const reachedOf = (commands: readonly CommandArgument[]): ReachedBy => {
  const all: Reached[] = [];
  let computed: string | null = null;
  for (const { name, script } of commands) {
    const found = reachedBy(script);
    for (const one of found.all) all.push({ ...one, place: name });
    if (found.computed !== null) computed ??= name;
  }
  return { all, computed };
};

const known = new WeakMap<Script, ReachedBy>();

const reachedBy = (script: Script): ReachedBy => {
  const before = known.get(script);
  if (before !== undefined) return before;
  const all: Reached[] = [];
  let computed: string | null = null;
  for (const effect of effectsFor(script)) {
    if (effect.kind === "reaches") {
      const reached = ofEffect(effect);
      if (reached === null) computed = effect.program;
      else if (!isAlias(effect.program, reached)) all.push(reached);
    } else if ("path" in effect && effect.path !== null) all.push(...ofDevice(effect.path.text));
  }
  for (const command of script.commands) all.push(...ofWords(command));
  const found = Object.freeze({ all: Object.freeze(all), computed });
  known.set(script, found);
  return found;
};

/** Programs that ask a name server, or whether a machine is there: nothing but the name goes out. */
const resolving: ReadonlySet<string> = new Set([
  "dig",
  "host",
  "nslookup",
  "drill",
  "whois",
  "ping",
  "ping6",
  "traceroute",
]);
/** Clients of the database beside them. */
const clients: ReadonlySet<string> = new Set([
  ...[
    "psql",
    "pg_dump",
    "pg_restore",
    "createdb",
    "dropdb",
    "mysql",
    "mysqldump",
    "mariadb",
    "redis-cli",
    "mongosh",
    "mongo",
  ],
  ...["mongodump", "mongorestore", "clickhouse-client", "cqlsh", "sqlcmd"],
]);
/** Programs that have names of their own for hosts: in ~/.ssh/config. */
const aliasing: ReadonlySet<string> = new Set(["ssh", "scp", "sftp", "rsync", "git", "mosh", "ssh-copy-id", "sshfs"]);

/** Null where the host is not known before the shell runs. */
const ofEffect = ({ program, address, sends }: ReachEffect): Reached | null => {
  if (isComputed(address)) return null;
  const text = address.replaceAll(unknown, "x");
  return {
    place: "",
    text,
    sends,
    how: resolving.has(program) ? "resolved" : clients.has(program) ? "named" : "whole",
    destination: ofClient(program, text),
  };
};

/** Is it the host that is made up? What follows a host that is known is not what is judged. */
const isComputed = (address: string): boolean => {
  const at = address.indexOf(unknown);
  if (at < 0) return false;
  const head = address.slice(0, at);
  return !/^(?:[a-z][a-z0-9+.-]*:[\\/]{2})?[^\s/?#]+[/?#]/i.test(head);
};

/** A database client speaks its own protocol to a host that is written without a scheme. */
const ofClient = (program: string, text: string): Destination => {
  const destination = destinationOf(text);
  return clients.has(program) && destination.kind === "network" && !text.includes("://")
    ? { ...destination, scheme: "postgres" }
    : destination;
};

const isAlias = (program: string, { destination }: Reached): boolean =>
  aliasing.has(program) &&
  destination.kind === "network" &&
  destination.is === "private" &&
  !/[.[\]]/.test(destination.host);

/** bash opens a connection where it is told to read or write `/dev/tcp/HOST/PORT`. */
const ofDevice = (path: string): readonly Reached[] => {
  const host = /^\/dev\/(?:tcp|udp)\/([^/]{1,255})/.exec(path)?.[1];
  return host === undefined || host.includes(unknown)
    ? []
    : [{ place: "", text: host, sends: true, how: "whole", destination: destinationOf(host) }];
};

/** They show a word, or look for it, and go nowhere. */
const quiet: ReadonlySet<string> = new Set(["echo", "printf", "grep", "rg", "ls", "stat", "test", "[", "file", "du"]);

/** A URL that a program nobody knows is given, and sockets that any program is given, in a word or behind its `=`. */
const ofWords = ({ name, args }: Command): readonly Reached[] => {
  if (quiet.has(name)) return [];
  const isOpen = !isKnownProgram(name) || scripting.has(name.replace(/[\d.]+$/, ""));
  return args.flatMap(({ text }): readonly Reached[] => {
    const value = text.startsWith("-") && text.includes("=") ? text.slice(text.indexOf("=") + 1) : text;
    const socket = value.length > 1_024 ? undefined : value.split(/[:,=]/).find((part) => grantsMachine(part));
    if (socket !== undefined)
      return [{ place: "", text: socket, sends: true, how: "whole", destination: { kind: "socket", path: socket } }];
    if (!isOpen || !/^(?:https?|wss?|ftp|gopher|dict|ldap):/i.test(value) || /\s/.test(value) || isComputed(value))
      return [];
    const url = value.replaceAll(unknown, "x");
    return [{ place: "", text: url, sends: false, how: "whole", destination: destinationOf(url) }];
  });
};

/** What they do with an address is written in a program of their own. */
const scripting: ReadonlySet<string> = new Set([
  "python",
  "node",
  "deno",
  "bun",
  "ruby",
  "perl",
  "php",
  "tsx",
  "npx",
  "bunx",
  "uvx",
  "uv",
]);
