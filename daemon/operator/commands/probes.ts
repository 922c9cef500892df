import { createHash } from "node:crypto";
import { canonical } from "../../../wire/canonical.ts";
import type { JsonObject } from "../../../wire/value.ts";
import { type CommandResult, done } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import type { Observation, ProbeKind, ProbeRecord } from "../../surfaces/probes/probe.ts";
import { type ProbeCall, type ProbedServer, runCleanup } from "../../surfaces/probes/run-probe.ts";
import { shownName } from "../../surfaces/shown-name.ts";
import type { ServerKey } from "../../surfaces/surface.ts";
import { askOperators, type OperatorSeat } from "../ask-operators.ts";
import { orSaidNo } from "./or-said-no.ts";

/** What a probe is asked to do. */
export interface ProbeRequest {
  readonly server: ServerKey;
  readonly target: ProbeCall;
  readonly probe: ProbeKind;
  readonly cleanup: ProbeCall | null;
  readonly safety_note: string;
}

/**
 * `interlock probe permission` and `readback`: the daemon permits it, it runs here, the daemon judges and keeps it. The server is started
 * only once it was permitted, and what came of a probe that was begun is told whatever happened. Exit code 1 where it is not as expected.
 */
export const probeCommand = (
  seat: OperatorSeat,
  { server, target, probe, cleanup, safety_note }: ProbeRequest,
  open: () => Promise<ProbedServer & { close(): Promise<void> }>,
  run: (server: ProbedServer) => Promise<Observation>,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const argument_hash = `sha256:${createHash("sha256").update(canonical(target.args)).digest("hex")}`;
    const plan = { argument_hash, safety_note, server: { ...server }, tool: target.tool, ...probe };
    const { probe_id } = await askOperators(seat, "probes.begin", plan);
    const end = async (observed: Observation, cleaned: ProbeRecord["cleanup"]): Promise<ProbeRecord> => {
      const answer = await askOperators(seat, "probes.end", {
        probe_id: probe_id as string,
        observed: { ...observed },
        cleanup: cleaned,
      });
      return answer.probe as unknown as ProbeRecord;
    };
    let ran: ProbeRecord;
    try {
      const opened = await open();
      try {
        const observed = await run(opened);
        ran = await end(observed, await runCleanup(opened, cleanup));
      } finally {
        await opened.close();
      }
    } catch (error) {
      await end(notRun(probe), cleanup === null ? "none" : "failed").catch(() => undefined);
      throw error;
    }
    const { exitCode, ...result } = done([probeLine(ran), ...cleanupLines(ran)], {
      probe: ran as unknown as JsonObject,
    });
    return { ...result, exitCode: ran.verdict.decision === "allow" ? exitCode : ExitCode.no };
  });

/** `interlock probe list`: newest first. */
export const listProbes = (seat: OperatorSeat, server: ServerKey): Promise<CommandResult> =>
  orSaidNo(async () => {
    const { probes } = await askOperators(seat, "probes.list", { server: { ...server } });
    const lines = (probes as unknown as readonly ProbeRecord[]).map(probeLine);
    return done(lines.length === 0 ? ["no probe was run"] : lines, { probes });
  });

const notRun = ({ kind }: ProbeKind): Observation =>
  kind === "permission"
    ? { kind, outcome: "inconclusive_probe_error", error_class: "not_run" }
    : {
        kind,
        failed_at: "before_readback",
        error_class: "not_run",
        changed: 0,
        claims_no_effect: false,
        before: null,
        after: null,
      };

const probeLine = ({ probe_id, probe, tool, observed, verdict }: ProbeRecord): string => {
  const found = verdict.finding_types.length === 0 ? "" : ` (${verdict.finding_types.join(", ")})`;
  return `${verdict.decision}  ${shownName(tool)}: expected ${probe.expected}, observed ${shown(observed)}${found}  ${probe_id}`;
};

const shown = (observed: Observation): string => {
  if (observed.kind === "permission")
    return observed.error_class === null ? observed.outcome : `${observed.outcome}, ${observed.error_class}`;
  if (observed.failed_at !== null) return `nothing: ${observed.error_class ?? "it failed"} at ${observed.failed_at}`;
  return observed.changed === 0 ? "no change" : `${observed.changed} changed`;
};

const cleanupLines = ({ cleanup }: ProbeRecord): readonly string[] =>
  cleanup === "failed" ? ["the cleanup did not succeed: take back by hand what the probe made"] : [];
