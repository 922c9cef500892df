import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { eventFrame, healthFrame } from "../../wire/request-frame.ts";
import { verdictName } from "../../wire/verdict.ts";
import type { Settings } from "../config/settings.ts";
import { ExitCode } from "../exit-codes.ts";
import { isIdentityRefusal } from "../identity/acting.ts";
import { nearExpiry } from "../keys/near-expiry.ts";
import { readTrust } from "../keys/trust-files.ts";
import { refusalOf } from "../start-refusal.ts";
import { restartMarkOf } from "../supervisor/restart-mark.ts";
import { type Conversation, NoDaemon, withDaemon } from "./ask-daemon.ts";
import { candidateRules } from "./candidate-rules.ts";
import type { CommandResult } from "./command-result.ts";
import { type DoctorProbe, doctorPrincipal, probesOf } from "./doctor-probes.ts";

interface Finding {
  readonly ok: boolean;
  readonly check: string;
  readonly found: string;
}

/**
 * `interlock doctor`: is anything really enforced here? Sends calls that must be denied (doctor-probes.ts) through the
 * real socket, and says so when one is not. Exit code 1 where anything is wrong.
 */
export const doctor = async (
  settings: Settings,
  now_ms: number,
  token: string | null = null,
): Promise<CommandResult> => {
  const findings: Finding[] = [];
  const find = (ok: boolean, check: string, found: string): void => void findings.push({ ok, check, found });
  checkFiles(settings, find);
  try {
    const { rules, self_protection } = settings;
    const index = await candidateRules({ files: rules, trust: settings, servedBy: settings }, now_ms);
    find(true, "the signed rule sets verify", index.loaded.digest);
    const ending = nearExpiry(await readTrust(settings), now_ms);
    for (const line of ending) find(true, "trusted keys have days left", line);
    if (self_protection === "off") find(true, "the daemon protects itself", "no: self_protection is off");
    await withDaemon(
      settings.socket,
      async (conversation) => {
        const { hello } = conversation;
        find(true, "a daemon answers", hello.daemon);
        find(
          hello.rules === index.loaded.digest,
          "it serves the rule sets that are configured",
          hello.rules === index.loaded.digest ? hello.rules : `${hello.rules}; run interlock rules reload`,
        );
        await probe(probesOf(index), conversation, find);
      },
      token,
    );
  } catch (error) {
    const message = error instanceof NoDaemon ? error.message : refusalOf(error).message;
    find(false, "a daemon with these rules can be asked", message);
  }
  const ok = findings.every((finding) => finding.ok);
  const lines = findings.map((finding) => `${finding.ok ? "ok  " : "FAIL"} ${finding.check}: ${finding.found}`);
  lines.push(ok ? "calls are enforced" : "calls are NOT enforced as configured");
  return { exitCode: ok ? ExitCode.done : ExitCode.no, lines, json: { ok, findings } };
};

type Find = (ok: boolean, check: string, found: string) => void;

const checkFiles = ({ socket }: Settings, find: Find): void => {
  if (!existsSync(socket)) {
    find(false, "the socket is there", `${socket} is missing; start interlock-sidecar`);
    return;
  }
  const mode = lstatSync(socket).mode & 0o777;
  find(mode === 0o600, "only its owner can reach the socket", `mode ${mode.toString(8)}`);
  const directoryMode = statSync(dirname(socket)).mode & 0o7777;
  find(
    (directoryMode & 0o1077) === 0,
    "only its owner can enter the socket's directory",
    `mode ${directoryMode.toString(8)}`,
  );
  const marked = existsSync(restartMarkOf(socket));
  find(!marked, "no restart is under way", marked ? `${restartMarkOf(socket)} stands` : "no mark");
};

const probe = async (probes: readonly DoctorProbe[], { ask, features }: Conversation, find: Find): Promise<void> => {
  const receiptsBefore = await receipts(ask);
  let asked = 0;
  const proved: DoctorProbe[] = [];
  let byScopes = 0;
  for (const one of probes) {
    const { by, call, principals } = one;
    let verdict = "";
    let isOfScopes = false;
    for (const principal of principals) {
      const id = `doctor-${asked++}`;
      const answer = await ask(id, eventFrame(id, { ...call, principal }, features), features);
      const said = answer.kind === "answer" ? answer.decision : null;
      // Blocked for who asks, or because everything is, which says nothing of what is asked.
      const { code = "" } = said?.details ?? {};
      if (code === "stopped" || code === "stop_unknown") {
        find(false, "nothing is stopped", "everything is, so nothing could be proved; interlock stops tells by whom");
        return;
      }
      if (isIdentityRefusal(code)) continue;
      verdict = said === null ? answer.kind : verdictName(said.verdict);
      isOfScopes = code.startsWith("scope_") || (said?.policy_id?.startsWith("scope:") ?? false);
      if (verdict === "BLOCK") break;
    }
    if (verdict === "") continue;
    proved.push(one);
    if (isOfScopes) byScopes++;
    // The document decides first, so that nobody asked the rule.
    const found = `${call.action}: ${verdict}${isOfScopes ? " by the scope document, before its rule was asked" : ""}`;
    find(verdict === "BLOCK", `a call that ${by} must block is blocked`, found);
  }
  if (probes.length > 0 && proved.length === 0) {
    find(false, "the daemon lets this command ask", "no: it asks for a token; give one by --token-file");
    return;
  }
  // The daemon's own rules are put too, and prove nothing of the configured ones.
  if (!proved.some(({ isConfigured }) => isConfigured)) {
    const check = "some rule has an example that blocks without facts, or a tool has a contract";
    find(false, check, "none, so nothing could be proved; add one");
    return;
  }
  if (byScopes > 0) {
    const hint = `give ${doctorPrincipal} a scope that does not deny its calls`;
    find(
      true,
      "the rules were asked too",
      `not where the scope document decided, ${byScopes} of ${proved.length}; ${hint}`,
    );
  }
  const recorded = (await receipts(ask)) - receiptsBefore;
  find(recorded >= asked, "each of those calls has its receipt", `${recorded} receipts for ${asked} calls`);
};

const receipts = async (ask: Conversation["ask"]): Promise<number> => {
  const answer = await ask("health", healthFrame("health"));
  if (answer.kind !== "health") throw new NoDaemon("the daemon does not tell its health");
  return answer.health.receipts;
};
