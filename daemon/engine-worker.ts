import { once } from "node:events";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type MessagePort, parentPort } from "node:worker_threads";
import { buildIdIn } from "./build-id.ts";
import { openCoordination } from "./coordination/open.ts";
import { indexRules, type RuleIndex } from "./engine/rule-index.ts";
import { transactionKeys } from "./engine/transaction-state.ts";
import { ExitCode, Refusal } from "./exit-codes.ts";
import { checkPublication, notePublication } from "./fallback/in-force.ts";
import { audienceOf } from "./identity/audience.ts";
import { identities } from "./identity/identities.ts";
import type { KeyringTrust } from "./keys/keyring-trust.ts";
import { noteKeys, refuseLostKeyring } from "./keys/note-keys.ts";
import { placesOf, trustFrom } from "./keys/trust-files.ts";
import { durabilityNotice } from "./ledger/durability-notice.ts";
import { openConfiguredLedger } from "./ledger/open-configured.ts";
import { retention } from "./ledger/pruning/retention.ts";
import type { ControlRecord, OpenLedger } from "./ledger/record.ts";
import { serveOperators } from "./operator/serve-operators.ts";
import { heldExamples } from "./rulesets/held-examples.ts";
import { loadRuleSets } from "./rulesets/load.ts";
import type { LoadedRules } from "./rulesets/loaded.ts";
import { ownProcess } from "./rulesets/self/own-process.ts";
import { withSelfProtection } from "./rulesets/self/with-self-protection.ts";
import { judgingScopes, loadConfiguredScopes, noteScopes } from "./scopes/in-force.ts";
import type { LoadedScopes } from "./scopes/load.ts";
import { CommitGroup } from "./socket/commit-group.ts";
import { EventCapture } from "./socket/event-capture.ts";
import { FrontDesk, type Health } from "./socket/front-desk.ts";
import { type Listener, listen } from "./socket/listener.ts";
import { OpenCalls } from "./socket/open-calls.ts";
import { type Bench, QuestionDesk } from "./socket/question-desk.ts";
import type { WaitingDuplicates } from "./socket/waiting-duplicates.ts";
import { refusalOf } from "./start-refusal.ts";
import { engineStops } from "./stops/engine-stops.ts";
import { orLater } from "./store/or-later.ts";
import { whenDone } from "./store/steps.ts";
import { afterDelay } from "./supervisor/after-delay.ts";
import type { EngineStart, FromEngine, RuleSources, ToEngine } from "./supervisor/messages.ts";
import { Resumptions } from "./supervisor/resumptions.ts";
import { EngineSlot } from "./supervisor/slot.ts";
import { isPassing } from "./supervisor/store-away.ts";
import { engineSurfaces } from "./surfaces/engine-surfaces.ts";
import { approvedCalls } from "./transactions/approved-calls.ts";
import { newTransactionId } from "./transactions/ids.ts";
import { keyedHash } from "./transactions/keyed-hash.ts";
import { outcomesOf } from "./transactions/outcomes-of.ts";
import { priorCall } from "./transactions/prior-call.ts";
import { becameUnknown, openCallIds, recoverNow } from "./transactions/recover-now.ts";

/**
 * The thread that owns sockets, engine and ledger, and runs rules inline. It may be ended at any moment by the
 * supervisor: everything it has answered is durable, and everything else is asked again or blocked.
 */
const heartbeat_ms = 100;
const settle_ms = 100;
const sweepKept_ms = 10_000;
/** How late a lease or an approval that is over may be noticed; what is asked in between is judged by its time all the same. */
const recover_ms = 1_000;
/** How late a receipt that is over may be pruned. */
const retain_ms = 60_000;
const drainTimeout_ms = 10_000;

/** Told once this module has loaded: what is loaded before does not depend on it. */
const [start] = (await once(parentPort as MessagePort, "message")) as [EngineStart];
const slot = new EngineSlot(start.memory);
const now_ms = (): number => Date.now();
const tell = (message: FromEngine): void => parentPort?.postMessage(message);

const program = dirname(fileURLToPath(import.meta.url));
const itself = ownProcess(program);

/** Whom this engine believes, for whoever is not told with every rule set: another one after a reload. */
let believed: KeyringTrust = trustFrom({ trust: [], keyring: null });

interface InForce {
  readonly loaded: LoadedRules;
  readonly trust: KeyringTrust;
  readonly scopes: LoadedScopes | null;
}

const load = async (
  ledger: OpenLedger,
  { files, trust, scopes, fallback }: RuleSources,
  when: "start" | "reload" | "restart",
): Promise<InForce> => {
  slot.enterLoading();
  try {
    await refuseLostKeyring(ledger, trust);
    const believing = trustFrom(trust);
    const served = { get: async (id: string) => (await ledger.served(id)) ?? undefined };
    const held = heldExamples({
      state: start.settings.state,
      mark: ledger.keyedHash("examples-held"),
      daemon: buildIdIn(program),
    });
    const loaded = await loadRuleSets({
      files,
      trust: believing,
      served,
      now_ms: now_ms(),
      examples: when === "start" ? held : "held_before",
    });
    // Beside the first calls; where it cannot be noted, the next start runs them again.
    held.keep(loaded.sets.map(({ digest }) => digest)).catch(() => undefined);
    await checkPublication(ledger, fallback);
    const settings = {
      ...start.settings,
      ...placesOf(trust, start.settings),
      scope_document: scopes === null ? start.settings.scope_document : scopes.path,
      fallback_policy: fallback === null ? start.settings.fallback_policy : fallback.path,
    };
    return {
      loaded: withSelfProtection(loaded, settings, itself),
      trust: believing,
      scopes: await loadConfiguredScopes(scopes, { trust: believing, served, now_ms: now_ms(), when }),
    };
  } finally {
    slot.leave();
  }
};

let nextRuleNumber = start.firstRuleNumber;

const putInForce = async (ledger: OpenLedger, loaded: LoadedRules): Promise<RuleIndex> => {
  for (const { id, version, digest, origin } of loaded.sets) {
    // The daemon's own is as old as the daemon.
    if (origin === null) continue;
    const before = await ledger.served(id);
    // An engine that is restarted has nothing new to write, so that a full disk does not keep it from blocking.
    if (before?.version !== version || before.digest !== digest) await ledger.recordServed(id, { version, digest });
  }
  const index = indexRules(loaded, nextRuleNumber);
  nextRuleNumber += index.rules.length + index.contracts.size;
  tell({
    kind: "rules",
    rules: [
      ...index.rules.map(({ number, rule, set }) => ({ number, id: rule.id, deadline_ms: set.deadline_ms })),
      ...[...index.contracts.values()].map(({ number, id, contract }) => ({
        number,
        id,
        deadline_ms: contract.deadline_ms,
      })),
    ],
    digest: loaded.digest,
    version: loaded.version,
  });
  return index;
};

const record = async (
  ledger: OpenLedger,
  event: ControlRecord["event"],
  rules: string,
  before: string | null,
  detail: string,
): Promise<void> => {
  const result = await ledger.appendControl({ time_ms: now_ms(), event, rules, rules_before: before, detail });
  if (!result.durable) throw new Refusal(ExitCode.storeUnavailable, `the ledger cannot be written: ${result.error}`);
};

const serve = async (): Promise<void> => {
  const { settings } = start;
  const ledger = await openConfiguredLedger(settings, start.chain, now_ms());
  const { coordination, key } = await openCoordination(settings, {
    chain: ledger.chain,
    when: start.runExamples ? "start" : "restart",
    log: (line) => tell({ kind: "notice", line }),
  });
  await coordination.recover(outcomesOf(ledger, now_ms));
  const { loaded, trust, scopes } = await load(ledger, start.sources, start.runExamples ? "start" : "restart");
  believed = trust;
  const index = await putInForce(ledger, loaded);
  const health: Health = {
    started_ms: start.started_ms,
    receipts: () => ledger.receipts(),
    reload: start.reload,
  };
  const log = (line: string): void => tell({ kind: "notice", line });
  const stops = engineStops(ledger, settings, { now_ms, rules: () => loaded.digest, tell });
  const rules = (): string => bench.state.index.loaded.digest;
  const surfaces = await engineSurfaces(ledger, settings, { now_ms, log, rules });
  const bench: Bench = {
    state: {
      index,
      unknown: settings.unknown,
      scopes: await judgingScopes(scopes, loaded.policies.principal),
      suspended: new Set(start.suspended),
      watch: slot,
      timer: { after: afterDelay },
      resumptions: new Resumptions(),
      transactions: {
        keys: transactionKeys(key === null ? ledger.keyedHash : (purpose) => keyedHash(key, purpose)),
        newTransactionId,
        look: (key, at_ms) => whenDone(ledger.reads.findClaim(key), (claim) => priorCall(claim, at_ms)),
      },
    },
    disabled: start.disabled,
    overran: new Set(start.overran),
    identities: identities({
      rules: settings,
      audience: audienceOf(settings, ledger.chain),
      skew_ms: settings.clock_skew_s * 1000,
      trust: () => believed,
      notes: { ledger, coordination },
      now_ms,
    }),
    stops: stops.state,
    ledger,
    coordination,
    approved: approvedCalls(ledger),
    openCalls: new OpenCalls(await openCallIds(ledger)),
    capture: settings.capture_days === 0 ? null : new EventCapture(settings.capture_days),
    slot,
    now_ms,
    surfaces,
  };
  const group = new CommitGroup(ledger);
  group.onResults(durabilityNotice(log, () => performance.now()));
  const questions = new QuestionDesk(bench, group);
  stops.onBegun(() => questions.waiting.ended(null));
  coordination.onEnded((transaction_id) => questions.waiting.ended(transaction_id));
  const desk = new FrontDesk(bench, questions, group, health);
  if (start.runExamples) await record(ledger, "started", loaded.digest, null, `${loaded.sets.length} rule sets`);
  const { digest } = loaded;
  await noteKeys(ledger, start.sources.trust, trust, (line) => record(ledger, "keys_changed", digest, digest, line));
  await noteScopes(ledger, scopes, (line) => record(ledger, "scopes_changed", digest, digest, line));
  await notePublication(ledger, start.sources.fallback, (line) =>
    record(ledger, "fallback_changed", digest, digest, line),
  );
  await stops.open(start.stopAsked);
  const operators = await serveOperators(settings, {
    ledger,
    stops: stops.desk,
    surfaces: surfaces.keeper,
    now_ms,
    rules,
    redacted: (action) => bench.state.index.loaded.contracts.of(action)?.redact ?? [],
    resolved: (id, as) => {
      coordination.closed(id, as === "executed" ? { kind: "executed", result: null } : { kind: "released" });
      questions.waiting.ended(id);
    },
  });
  const listener = await listen(settings.socket, desk);
  // The first beat: from here on a loop that does not turn is a stall.
  slot.beat();
  setInterval(() => slot.beat(), heartbeat_ms).unref();
  setInterval(() => orLater(() => ledger.settle()), settle_ms).unref();
  setInterval(() => orLater(() => ledger.sweep(now_ms())), sweepKept_ms).unref();
  const recoverAndWake = () =>
    whenDone(recoverNow(ledger, bench.state.index.loaded.digest, now_ms()), (recovered) => {
      for (const id of becameUnknown(recovered)) {
        coordination.closed(id, { kind: "unknown" });
        questions.waiting.ended(id);
      }
    });
  setInterval(() => orLater(recoverAndWake), recover_ms).unref();
  if (settings.receipts_days > 0) {
    const retain = retention(ledger, settings.receipts_days, rules, now_ms);
    setInterval(() => orLater(retain), retain_ms).unref();
  }
  stops.watch();
  parentPort?.on("message", (message: ToEngine) => {
    if (message.kind === "swap") void swap(message, bench, ledger, health);
    else if (message.kind === "stop_all") stops.bySignal();
    else if (message.kind === "reload_refused") void reloadRefused(message.message, bench, ledger, health);
    else void stop([listener, operators], bench, group, ledger, questions.waiting);
  });
  process.on("unhandledRejection", rejected);
  tell({ kind: "listening", chain: ledger.chain });
};

let rejections = 0;

/**
 * A rule left a promise behind that nobody waits for, such as a second lookup after the first one failed. Its answer
 * does not hang on it, so it costs nobody an engine; the operator is told once.
 */
const rejected = (): void => {
  if (rejections++ > 0) return;
  tell({ kind: "notice", line: "a rule left a promise that failed and that it does not wait for" });
};

/** Questions that are being judged keep the state they started with; the next one gets the new one whole. */
const swap = async (
  { sources }: Extract<ToEngine, { kind: "swap" }>,
  bench: Bench,
  ledger: OpenLedger,
  health: Health,
): Promise<void> => {
  const before = bench.state.index.loaded.digest;
  try {
    const { loaded, trust, scopes } = await load(ledger, sources, "reload");
    await record(ledger, "rules_loaded", loaded.digest, before, `${loaded.sets.length} rule sets`);
    await noteKeys(ledger, sources.trust, trust, (line) => record(ledger, "keys_changed", loaded.digest, before, line));
    const index = await putInForce(ledger, loaded);
    const judging = await judgingScopes(scopes, loaded.policies.principal);
    await noteScopes(ledger, scopes, (line) => record(ledger, "scopes_changed", loaded.digest, before, line));
    await notePublication(ledger, sources.fallback, (line) =>
      record(ledger, "fallback_changed", loaded.digest, before, line),
    );
    bench.state = { ...bench.state, index, scopes: judging, suspended: new Set() };
    believed = trust;
    bench.overran.clear();
    bench.disabled = false;
    health.reload = { count: health.reload.count + 1, ok: true, message: "" };
    tell({ kind: "swapped" });
  } catch (error) {
    const { message } = refusalOf(error);
    await reloadRefused(message, bench, ledger, health);
    tell({ kind: "swap_refused", message });
  }
};

const reloadRefused = async (message: string, bench: Bench, ledger: OpenLedger, health: Health): Promise<void> => {
  const { digest } = bench.state.index.loaded;
  await ledger.appendControl({
    time_ms: now_ms(),
    event: "rules_refused",
    rules: digest,
    rules_before: digest,
    detail: message,
  });
  health.reload = { count: health.reload.count + 1, ok: false, message };
};

const stop = async (
  listeners: readonly Listener[],
  bench: Bench,
  group: CommitGroup,
  ledger: OpenLedger,
  waiting: WaitingDuplicates,
): Promise<void> => {
  waiting.close();
  await Promise.all(listeners.map((listener) => listener.drain(drainTimeout_ms)));
  await group.flush();
  orLater(() => bench.surfaces.behaviours.flush());
  const { digest } = bench.state.index.loaded;
  await ledger.appendControl({ time_ms: now_ms(), event: "stopped", rules: digest, rules_before: digest, detail: "" });
  await bench.coordination.close();
  await ledger.close();
  tell({ kind: "drained" });
};

serve().catch((error: unknown) => {
  const { exitCode, message } = refusalOf(error);
  tell({ kind: "refused", exitCode, message, isPassing: isPassing(error) });
});
