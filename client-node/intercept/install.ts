import { checkedOptions, type Enforcement, type Engine } from "../guard-options.ts";
import { addressOf, type EngineAddress } from "../known-engines.ts";
import { makeGuard } from "./ask.ts";
import * as beneath from "./beneath/index.ts";
import type { BridgeThread } from "./bridge-thread.ts";
import { type Coverage, coverage } from "./coverage/lists.ts";
import type { Switch } from "./coverage/row.ts";
import * as exec from "./exec/index.ts";
import * as files from "./files/index.ts";
import * as fs from "./fs/index.ts";
import type { Group, GroupOptions } from "./group.ts";
import { handedToken } from "./handed-token.ts";
import { inheritThreads } from "./inherit-threads.ts";
import { installedCoverage, markInstalled } from "./installed.ts";
import { lent } from "./lent-engine.ts";
import * as net from "./net/index.ts";
import { Patches } from "./patch.ts";
import { handToWorkers, type PreloadSettings } from "./preload-settings.ts";
import { engineOf, syncEngineOf } from "./sync-engine.ts";
import { keepWorkerSettings } from "./worker-settings.ts";

export interface InterceptorOptions {
  /** A `RemoteEngine`: its synchronous twin in a thread of its own answers what must return at once. */
  readonly engine: Engine;
  /** Default `blocking`. */
  readonly enforcement?: Enforcement;
  readonly principal?: string | null;
  /** Which groups are guarded; each is by default. */
  readonly fs?: boolean;
  readonly exec?: boolean;
  readonly http?: boolean;
  readonly net?: boolean;
}

export interface Installed extends Coverage {
  /** Puts the builtins back, and ends the bridge. */
  uninstall(): void;
}

/**
 * Guards the builtins of this thread: each call asks first. While they are guarded a second call changes nothing: it answers the
 * same lists, and an `uninstall` that does nothing, so that only whoever installed the guard can take it away.
 *
 * @throws TypeError an option that is none of those above
 */
export const installInterceptors = (options: InterceptorOptions): Installed => installWith(options, null);

/** The same with a bridge's thread that was begun already. */
export const installWith = (options: InterceptorOptions, begun: BridgeThread | null): Installed => {
  checkedInterceptors(options);
  const already = installedCoverage();
  if (already !== null) return installed(already, () => {});
  const groups = chosen(options);
  const address = addressOf(options.engine);
  const principal = options.principal ?? address?.settings.principal ?? null;
  const bridge = syncEngineOf(options.engine, address, begun);
  const engine = engineOf(options.engine, bridge, begun);
  const guard = makeGuard({
    engine,
    syncEngine: bridge,
    enforcement: options.enforcement ?? "blocking",
    principal,
  });
  const shared: GroupOptions = {
    socketPath: address?.path ?? null,
    principal,
    timeout: address?.settings.timeout ?? null,
    scope: address?.settings.scope ?? null,
    tokenFile: address?.settings.token.kind === "file" ? address.settings.token.path : null,
    http: options.http !== false,
    net: options.net !== false,
  };
  if (address !== null) handToWorkers(settingsFor(address, options, principal));
  const patches = new Patches();
  let unmark = (): void => {};
  const end = (): void => {
    guard.release();
    patches.uninstall();
    bridge?.close();
    handToWorkers(null);
    unmark();
  };
  try {
    keepWorkerSettings(patches);
    inheritThreads(patches, shared);
    for (const group of groups) group.install(patches, guard, shared);
    patches.publish();
  } catch (error) {
    end();
    throw error;
  }
  let isOver = false;
  const uninstall = (): void => {
    if (!isOver) end();
    isOver = true;
  };
  const lists = coverage(new Set(switches.filter((name) => options[name] !== false)));
  unmark = markInstalled({ lists, socketPath: shared.socketPath, ...lent(engine) });
  return installed(lists, uninstall);
};

/** The lists stay unmade until they are read. */
const installed = (lists: Coverage, uninstall: () => void): Installed =>
  Object.freeze({
    get covered() {
      return lists.covered;
    },
    get uncovered() {
      return lists.uncovered;
    },
    get outOfScope() {
      return lists.outOfScope;
    },
    uninstall,
  });

/** What a worker thread guards itself with. A daemon's absence is decided by `deny` there. */
const settingsFor = (
  { path, settings }: EngineAddress,
  { enforcement = "blocking", fs = true, exec = true, http = true, net = true }: InterceptorOptions,
  principal: string | null,
): PreloadSettings => ({
  socketPath: path,
  principal,
  timeout: settings.timeout,
  scope: settings.scope,
  token: handedToken(settings.token),
  enforcement,
  groups: { fs, exec, http, net },
});

const chosen = (options: InterceptorOptions): readonly Group[] => [
  ...(options.fs === false ? [] : [fs, files]),
  ...(options.exec === false ? [] : [exec, beneath]),
  ...(options.http === false && options.net === false ? [] : [net]),
];

const switches: readonly Switch[] = ["fs", "exec", "http", "net"];

/** A switch that is misspelled or not a boolean would leave a group unguarded unseen. */
const checkedInterceptors = (options: InterceptorOptions): void => {
  checkedOptions(options);
  for (const name of switches) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== "boolean") {
      throw new TypeError(`installInterceptors: \`${name}\` is true or false`);
    }
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new TypeError(`installInterceptors: there is no option \`${name}\``);
  }
};

const known: readonly string[] = ["engine", "enforcement", "principal", ...switches];
