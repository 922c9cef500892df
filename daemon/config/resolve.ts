import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { coordinationProblem, localOnly } from "../coordination/address.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";
import type { KeyringPlace } from "../keys/trust-files.ts";
import { addressProblem, embeddedStore } from "../store/postgres/address.ts";
import { anyOrigin } from "../surfaces/provenance/policy.ts";
import { placesFor } from "./places.ts";
import {
  defaultClockSkew_s,
  defaultRuntime,
  type FileRuntime,
  type FileSettings,
  type RuntimeSettings,
  type Settings,
} from "./settings.ts";

/** What the command line gave; each beats the file. */
export type Flags = FileSettings & { readonly config?: string | undefined };

const absolute = (from: string, path: string): string =>
  path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(from, path);

/** A start without a file does not wait for the parser of one. */
const readFile = async (path: string): Promise<FileSettings> => (await import("./file.ts")).readConfigFile(path);

type IdentitySettings = Pick<Settings, "principals" | "principal" | "claims" | "audience" | "clock_skew_s">;

/** Where tokens are asked for, whoever has none may not name anybody he likes, unless somebody wrote that. */
const identity = (flags: FileSettings, file: FileSettings | null): IdentitySettings => {
  const principals = flags.principals ?? file?.principals ?? "claimed";
  const principal = flags.principal ?? file?.principal ?? null;
  const claims = flags.claims ?? file?.claims ?? (principals === "token" ? "below" : "any");
  if (principals === "claimed" && claims === "below" && principal === null) {
    throw new Refusal(ExitCode.refused, "claims: below needs `principal`, or `principals: token`: nobody could act");
  }
  return {
    principals,
    principal,
    claims,
    audience: flags.audience ?? file?.audience ?? null,
    clock_skew_s: flags.clock_skew_s ?? file?.clock_skew_s ?? defaultClockSkew_s,
  };
};

const keyringPlace = (
  flag: string | null,
  written: string | null,
  cwd: string,
  fileDirectory: string,
): KeyringPlace => {
  const named = flag === null ? (written === null ? null : absolute(fileDirectory, written)) : absolute(cwd, flag);
  return Object.freeze(
    named === null
      ? { path: join(fileDirectory, "keyring.json"), whenMissing: "none" }
      : { path: named, whenMissing: "refuse" },
  );
};

/** The key that `interlock init` made is needed where nothing else says whom to believe. */
const defaultTrust = (path: string, { path: keyring }: KeyringPlace): readonly string[] =>
  existsSync(keyring) && !existsSync(path) ? [] : [path];

const runtimeSettings = (written: FileRuntime): RuntimeSettings =>
  Object.freeze({
    reach: written.reach ?? defaultRuntime.reach,
    response: written.response ?? defaultRuntime.response,
    effect: written.effect ?? defaultRuntime.effect,
    chain: written.chain ?? defaultRuntime.chain,
    chain_classes: Object.freeze(written.chain_classes ?? defaultRuntime.chain_classes),
    destinations: Object.freeze(written.destinations ?? defaultRuntime.destinations),
  });

/**
 * Flags over the file over the defaults. A path in the file is relative to the file, one on the command line to the
 * working directory. A file that was named must exist; the default one need not.
 */
export const resolveSettings = async (flags: Flags, env: NodeJS.ProcessEnv, cwd: string): Promise<Settings> => {
  const places = placesFor(env);
  const named = flags.config ?? env.INTERLOCK_CONFIG;
  const path = named === undefined ? places.config : absolute(cwd, named);
  const file = named !== undefined || existsSync(path) ? await readFile(path) : null;
  const fileDirectory = dirname(path);
  type Path = "socket" | "state" | "operator_socket" | "deployment_key" | "fallback_key" | "fallback_policy";
  const place = <T>(key: Path, fallback: T): string | T => {
    const flag = flags[key];
    if (flag !== undefined) return absolute(cwd, flag);
    const written = file?.[key];
    return written === undefined ? fallback : absolute(fileDirectory, written);
  };
  const list = (key: "rules" | "trust", fallback: readonly string[]): readonly string[] => {
    const flag = flags[key];
    if (flag !== undefined) return flag.map((item) => absolute(cwd, item));
    return file?.[key]?.map((item) => absolute(fileDirectory, item)) ?? fallback;
  };
  const written = file?.scope_document;
  const scopeFile = flags.scope_document === undefined ? null : absolute(cwd, flags.scope_document);
  const keyring = keyringPlace(flags.keyring ?? null, file?.keyring ?? null, cwd, fileDirectory);
  // What the file says is judged with its line, where it is read.
  const refuse = (flag: string, problem: string | null): void => {
    if (problem !== null) throw new Refusal(ExitCode.refused, `${flag}: ${problem}`);
  };
  if (flags.coordination !== undefined) refuse("--coordination", coordinationProblem(flags.coordination));
  if (flags.store !== undefined) refuse("--store", addressProblem(flags.store));
  const state = place("state", places.state);
  return Object.freeze({
    socket: place("socket", places.socket),
    state,
    store: flags.store ?? file?.store ?? embeddedStore,
    operator_socket: place("operator_socket", join(state, "operator.sock")),
    rules: Object.freeze(list("rules", [places.rules])),
    trust: Object.freeze(list("trust", defaultTrust(places.trust, keyring))),
    keyring,
    scope_document: scopeFile ?? (written === undefined ? null : absolute(fileDirectory, written)),
    fallback_policy: place("fallback_policy", null),
    fallback_key: place("fallback_key", places.fallbackKey),
    // A call that nobody wrote a rule for goes to a person: allowing it would be a silent allow, blocking it would
    // stop an agent over tools that nobody has looked at yet.
    unknown: flags.unknown ?? file?.unknown ?? "escalate",
    durability: flags.durability ?? file?.durability ?? "process",
    ...identity(flags, file),
    coordination: flags.coordination ?? file?.coordination ?? localOnly,
    deployment_key: place("deployment_key", places.deploymentKey),
    // Only the file can take it away: a flag is too quickly copied.
    self_protection: file?.self_protection ?? "on",
    capture_days: file?.capture_days ?? 0,
    receipts_days: file?.receipts_days ?? 0,
    checkpoint_receipts: file?.checkpoint_receipts ?? 4_096,
    checkpoint_ms: file?.checkpoint_ms ?? 1_000,
    surfaces: Object.freeze({
      baseline: file?.surfaces?.baseline ?? "first_use",
      max_age_s: file?.surfaces?.max_age_s ?? 300,
      provenance: file?.surfaces?.provenance ?? anyOrigin,
      runtime: runtimeSettings(file?.surfaces?.runtime ?? {}),
    }),
    file: file === null ? null : path,
    configuration: path,
    signingKey: places.signingKey,
    tokenKey: places.tokenKey,
    offlineSpool: places.offlineSpool,
    operatorTokens: places.operatorTokens,
  });
};
