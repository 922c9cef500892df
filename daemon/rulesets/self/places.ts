import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { holdsPassword } from "../../coordination/address.ts";
import { stopMarkOf } from "../../stops/stop-mark.ts";
import { restartMarkOf } from "../../supervisor/restart-mark.ts";
import type { LoadedRuleSet } from "../loaded.ts";
import { linksOnce, namesOf } from "./path-names.ts";
import { privateKeysBeside } from "./private-keys.ts";
import { type Extent, folded } from "./relation.ts";

/** A path that a guarded process may not alter, under one of its names. */
export interface Place {
  /** Folded. */
  readonly path: string;
  readonly extent: Extent;
  /** For a reason: it would alter ... */
  readonly what: string;
  /** Holds a secret: it is not to be read either. */
  readonly isSecret: boolean;
  /** A command that names it is refused, whatever the command is: nothing but the daemon and its operator has use for it. */
  readonly isPrivate: boolean;
}

/** The daemon as a guarded process could reach it. */
export interface Protected {
  readonly places: readonly Place[];
  /** The sockets under each of their names, folded. */
  readonly sockets: readonly string[];
  readonly pid: number;
  /** Its process group; null where the system does not tell. */
  readonly group: number | null;
  /** What it was started as: by this `pkill` finds it. */
  readonly commandLine: string;
}

export interface DaemonItself {
  readonly pid: number;
  readonly group: number | null;
  readonly commandLine: string;
  /** Where its own code is. */
  readonly program: string;
}

/** Names are looked up once, here: a link that is made later leads to what is protected already. */
export const protectedBy = (
  {
    socket,
    state,
    operator_socket,
    configuration,
    store,
    trust,
    keyring,
    scope_document,
    signingKey,
    tokenKey,
    fallback_policy,
    fallback_key,
    offlineSpool,
    operatorTokens,
    deployment_key,
    coordination,
  }: Settings,
  sets: readonly Pick<LoadedRuleSet, "origin">[],
  daemon: DaemonItself,
): Protected => {
  const links = linksOnce();
  const places: Place[] = [];
  const add = (path: string, what: string, more: Partial<Place> = {}): void => {
    for (const name of namesOf(path, links)) {
      const place: Place = { path: folded(name), extent: "tree", what, isSecret: false, isPrivate: false, ...more };
      const isKnown = places.some((known) => known.path === place.path && known.isSecret === place.isSecret);
      if (!isKnown) places.push(Object.freeze(place));
    }
  };
  const secret = { isSecret: true, isPrivate: true };
  add(join(state, "store.key"), "the key of the daemon's store", { ...secret, extent: "named" });
  // Who has it may open what daemons share, and claim what they claim.
  add(deployment_key, "the key of the daemons' deployment", { ...secret, extent: "named" });
  // Who has it signs another history.
  add(join(state, "receipts.key"), "the key of the daemon's receipts", secret);
  add(signingKey, "a private key", secret);
  for (const path of privateKeysBeside(signingKey)) add(path, "a private key", secret);
  add(fallback_key, "a private key", secret);
  // Who has it is whom he likes.
  add(tokenKey, "a private key", secret);
  // Who reads one decides as its operator.
  add(operatorTokens, "the tokens of operators", secret);
  for (const path of trust) if (path.endsWith(".pub")) add(path.slice(0, -".pub".length), "a private key", secret);
  // What another process's memory holds.
  add(`/proc/${daemon.pid}/mem`, "the daemon's memory", secret);
  add(`/proc/${daemon.pid}/task`, "the daemon's memory", secret);
  add(`/proc/${daemon.pid}`, "the daemon's process");
  add(socket, "the daemon's socket", { extent: "named", isPrivate: true });
  add(restartMarkOf(socket), "the daemon's socket", { isPrivate: true });
  add(stopMarkOf(socket), "the daemon's socket", { isPrivate: true });
  add(dirname(socket), "the folder of the daemon's socket", { extent: "alone" });
  add(operator_socket, "the socket of operators", { extent: "named", isPrivate: true });
  add(state, "the daemon's state directory", { isPrivate: true });
  // Who reads the password of what daemons share may give their claims back.
  add(configuration, "the daemon's configuration", { isSecret: holdsPassword(coordination) || holdsPassword(store) });
  for (const path of trust) add(path, "a trusted key");
  // Also where there is none yet: one that somebody makes would be believed at the next start.
  add(keyring.path, "the keyring", { extent: "named" });
  if (scope_document !== null) add(scope_document, "the scope document");
  if (fallback_policy !== null) {
    add(fallback_policy, "the fallback policy");
    add(`${fallback_policy}.signed`, "the fallback policy", { extent: "named" });
  }
  // Who takes something away takes away what was decided without the daemon, or lets an older policy decide again.
  add(offlineSpool, "what was decided without the daemon");
  for (const { origin } of sets) {
    if (origin === null) continue;
    add(origin.path, "a rule set");
    for (const source of origin.sources.map((path) => join(dirname(origin.path), path)))
      if (existsSync(source)) add(source, "the source of a rule set");
  }
  add(daemon.program, "the daemon's program");
  return Object.freeze({
    places: Object.freeze(places),
    sockets: Object.freeze([...namesOf(socket, links), ...namesOf(operator_socket, links)].map(folded)),
    pid: daemon.pid,
    group: daemon.group,
    commandLine: daemon.commandLine,
  });
};
