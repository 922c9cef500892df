import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { defaultRuntime, type Settings } from "../../config/settings.ts";
import { anyOrigin } from "../../surfaces/provenance/policy.ts";
import type { LoadedRuleSet } from "../loaded.ts";
import { type DaemonItself, type Protected, protectedBy } from "./places.ts";

/** For tests: a home with a daemon's files in it, which goes with the test. */
export const homeOfDaemon = (): string => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "il-self-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const folder of ["run", "state", "keys", "rules", "program"]) mkdirSync(join(home, folder));
  for (const file of [
    "interlock.yaml",
    "keys/rules.key",
    "keys/rules.key.pub",
    "rules/own.json",
    "rules/own.ts",
    "scopes.signed.json",
  ]) {
    writeFileSync(join(home, file), "");
  }
  return home;
};

export const settingsOf = (home: string): Settings => ({
  socket: join(home, "run/guard.sock"),
  state: join(home, "state"),
  store: "sqlite",
  operator_socket: join(home, "state/operator.sock"),
  rules: [join(home, "rules/own.json")],
  trust: [join(home, "keys/rules.key.pub")],
  keyring: { path: join(home, "keyring.json"), whenMissing: "none" },
  unknown: "allow",
  scope_document: join(home, "scopes.signed.json"),
  durability: "process",
  capture_days: 0,
  receipts_days: 0,
  checkpoint_receipts: 4_096,
  checkpoint_ms: 1_000,
  surfaces: { baseline: "first_use", max_age_s: 300, provenance: anyOrigin, runtime: defaultRuntime },
  principals: "claimed",
  principal: null,
  claims: "any",
  audience: null,
  clock_skew_s: 30,
  tokenKey: join(home, "tokens.key"),
  coordination: "local",
  deployment_key: join(home, "deployment.key"),
  self_protection: "on",
  file: join(home, "interlock.yaml"),
  configuration: join(home, "interlock.yaml"),
  signingKey: join(home, "keys/rules.key"),
  fallback_policy: null,
  fallback_key: join(home, "keys", "fallback.key"),
  offlineSpool: join(home, "offline"),
  operatorTokens: join(home, "operators"),
});

export const protectedIn = (
  home: string,
  daemon: Partial<DaemonItself> = {},
  settings: Partial<Settings> = {},
): Protected => {
  const origin = { path: join(home, "rules/own.json"), sources: ["own.ts", "gone.ts"] };
  const sets: Pick<LoadedRuleSet, "origin">[] = [{ origin }];
  const itself = {
    pid: 4242,
    group: 4200,
    commandLine: "node /opt/interlock-sidecar.js",
    program: join(home, "program"),
  };
  return protectedBy({ ...settingsOf(home), ...settings }, sets, { ...itself, ...daemon });
};
