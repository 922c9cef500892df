import { dirname } from "node:path";
import type { Settings } from "./config/settings.ts";
import { ExitCode, Refusal } from "./exit-codes.ts";
import { preparedFallback, publishedFallback } from "./fallback/configured.ts";
import { nearExpiry } from "./keys/near-expiry.ts";
import { readTrustFiles, trustFrom } from "./keys/trust-files.ts";
import { beginUpkeep } from "./ledger/upkeep-thread.ts";
import { keepServed, keptVersionsIn } from "./rulesets/kept-versions.ts";
import { checkRuleSetsWithDeadline } from "./rulesets/load-with-deadline.ts";
import { readRuleSetFiles } from "./rulesets/signed-file.ts";
import { loadConfiguredScopes } from "./scopes/in-force.ts";
import { readScopeFile } from "./scopes/read-file.ts";
import { clearDeadSocket, secureSocketDirectory } from "./socket/path.ts";
import { refusalOf } from "./start-refusal.ts";
import { removeStatusFile, rewriteStatusFile, writeStatusFile } from "./status-file.ts";
import { acquireLock, type Lock } from "./store/sqlite/lock.ts";
import { openStateDirectory, type StateDirectory } from "./store/state-directory.ts";
import type { Engine } from "./supervisor/engine-thread.ts";
import type { RuleSources } from "./supervisor/messages.ts";
import { engineEndRecorder } from "./supervisor/record-engine-end.ts";
import { clearRestartMark } from "./supervisor/restart-mark.ts";
import { Supervisor } from "./supervisor/supervisor.ts";

/** A daemon that serves. */
export interface Daemon {
  /**
   * Serves the rule sets that `settings` name from now on; what is served stays when they are refused. Everything else
   * of the settings waits for a restart. Resolves to one line.
   */
  reload(settings: () => Promise<Settings>): Promise<string>;
  /** Blocks everything until somebody lifts it (stops/). */
  stopAll(): void;
  /** Answers what was asked, removes the socket, gives the locks back. */
  stop(): Promise<void>;
}

export interface DaemonEvents {
  /** One line for whoever started it. */
  log(line: string): void;
  /** It can serve no longer: exit with this. */
  failed(refusal: Refusal): void;
}

/**
 * Start-up, in order: keys and rules are read, the socket's directory and the state directory are ours alone, both
 * are locked, the path is free; then the engine verifies, runs the examples, and serves. Everything that is refused is
 * refused here, with nothing half made: `Refusal` carries the line and the exit code.
 */
export const serve = async (settings: Settings, engine: Engine, events: DaemonEvents): Promise<Daemon> => {
  const locks: Lock[] = [];
  try {
    const sources = await readSources(settings);
    const directory = openStateDirectory(settings.state);
    secureSocketDirectory(settings.socket);
    locks.push(lockOr(`${settings.socket}.lock`, `another daemon serves ${settings.socket}`));
    await clearDeadSocket(settings.socket);
    locks.push(lockOr(directory.lockPath, `another daemon keeps its ledger in ${settings.state}`));
    await freeOperatorSocket(settings, directory, locks);
    clearRestartMark(settings.socket);
    const supervisor = new Supervisor(settings, engine, sources, {
      ...events,
      recordEnd: engineEndRecorder(settings, events.log),
    });
    await supervisor.start();
    warnOfKeys(sources, events);
    // Beside the first calls: nobody waits for a copy.
    const keeping = keepOrSay(directory.path, sources, events);
    const fallback = await publishedFallback(sources.fallback).catch(async (error: unknown) => {
      await supervisor.stop();
      throw error;
    });
    if (fallback !== null) events.log(fallback);
    const started = new Date().toISOString();
    writeStatusFile(settings, { started, unsigned: null });
    const upkeep = beginUpkeep(
      new URL("./upkeep-worker.js", engine.url),
      {
        place: { state: directory.path, store: settings.store },
        pace: { receipts: settings.checkpoint_receipts, after_ms: settings.checkpoint_ms },
      },
      (unsigned) => {
        events.log(unsigned === null ? "checkpoints are made again" : `no checkpoint can be made: ${unsigned}`);
        rewriteStatusFile(settings, { started, unsigned });
      },
    );
    return {
      reload: (fresh) => reload(fresh, supervisor, directory, events),
      stopAll: () => supervisor.stopAll(),
      stop: async () => {
        await supervisor.stop();
        await keeping;
        await upkeep.stop();
        removeStatusFile(settings);
        for (const lock of locks) lock.release();
      },
    };
  } catch (error) {
    await engine.first.terminate();
    for (const lock of locks) lock.release();
    throw refusalOf(error);
  }
};

/** Where operators decide is served by the daemon that keeps the ledger, so it is free once that lock is held. */
const freeOperatorSocket = async (
  { socket, operator_socket }: Settings,
  directory: StateDirectory,
  locks: Lock[],
): Promise<void> => {
  if (operator_socket === socket) {
    throw new Refusal(
      ExitCode.refused,
      `operator_socket and socket are both ${socket}; agents may not reach operators'`,
    );
  }
  secureSocketDirectory(operator_socket, "operator_socket");
  if (dirname(operator_socket) !== directory.path) {
    locks.push(lockOr(`${operator_socket}.lock`, `another daemon serves ${operator_socket}`));
  }
  await clearDeadSocket(operator_socket, "operator_socket");
};

const readSources = async (settings: Settings): Promise<RuleSources> => {
  const { rules, scope_document } = settings;
  const [files, trust, scopes] = await Promise.all([
    readRuleSetFiles(rules),
    readTrustFiles(settings),
    scope_document === null ? null : readScopeFile(scope_document),
  ]);
  // Refused here by its own words; the threads that verify by it judge the same text again.
  const believing = trustFrom(trust);
  return { files, trust, scopes, fallback: await preparedFallback(settings, believing) };
};

/** A copy for people: without it nothing is judged differently, so a full disk is told and no more. */
const keepOrSay = async (state: string, { files }: RuleSources, { log }: DaemonEvents): Promise<void> => {
  try {
    await keepServed(state, files);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    log(`no copy of the rule sets is kept in ${keptVersionsIn(state)} (${code})`);
  }
};

/** Whose days end soon: the day after, what it signed is refused. */
const warnOfKeys = ({ trust }: RuleSources, { log }: DaemonEvents): void => {
  for (const line of nearExpiry(trustFrom(trust), Date.now())) log(`WARNING: ${line}`);
};

const lockOr = (path: string, message: string): Lock => {
  const lock = acquireLock(path);
  if (lock === null) throw new Refusal(ExitCode.alreadyServed, message);
  return lock;
};

const notPublished = (error: unknown): string =>
  `the fallback policy stays as it was published: ${refusalOf(error).message}`;

/** Verified and tried in a thread of its own first, so that a module that hangs costs the reload and not the engine. */
const reload = async (
  settings: () => Promise<Settings>,
  supervisor: Supervisor,
  directory: StateDirectory,
  events: DaemonEvents,
): Promise<string> => {
  try {
    const sources = await readSources(await settings());
    const checked = await checkRuleSetsWithDeadline({
      files: sources.files,
      trust: sources.trust,
      // The engine knows what was served and refuses a rollback; this thread proves that the modules end.
      served: new Map(),
      now_ms: Date.now(),
    });
    const scopes = await checkedScopes(sources);
    const outcome = await supervisor.swap(sources);
    if (!outcome.ok) return `reload refused, the rules stay as they were: ${outcome.message}`;
    warnOfKeys(sources, events);
    await keepOrSay(directory.path, sources, events);
    const rules = `rules reloaded: ${checked.sets.map(({ id, version }) => `${id} ${version}`).join(", ")}${scopes}`;
    const fallback = await publishedFallback(sources.fallback).catch(notPublished);
    return fallback === null ? rules : `${rules}; ${fallback}`;
  } catch (error) {
    const { message } = refusalOf(error);
    await supervisor.reloadRefused(message);
    return `reload refused, the rules stay as they were: ${message}`;
  }
};

/** The scope document as it would be served, named for the end of a line. Whether it was rolled back, the engine knows. */
const checkedScopes = async ({ scopes, trust }: RuleSources): Promise<string> => {
  const by = { trust: trustFrom(trust), served: new Map(), now_ms: Date.now(), when: "reload" } as const;
  const loaded = await loadConfiguredScopes(scopes, by);
  return loaded === null ? "" : `; scope document ${loaded.document.id} ${loaded.document.version}`;
};

/** `--check`: what a start verifies of the files, and nothing started. What was served before is the store's, which is not opened: a rollback passes here. */
export const checkRules = async (settings: Settings): Promise<string> => {
  try {
    const sources = await readSources(settings);
    const { sets } = await checkRuleSetsWithDeadline({
      files: sources.files,
      trust: sources.trust,
      served: new Map(),
      now_ms: Date.now(),
    });
    const rules = sets.reduce((sum, set) => sum + set.rules, 0);
    return `${rules} rules loaded from ${settings.rules.join(", ")}${await checkedScopes(sources)}`;
  } catch (error) {
    throw refusalOf(error);
  }
};
