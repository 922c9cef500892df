import type { Finding } from "../surfaces/finding.ts";
import { judgeProbe, type Observation, type ProbeKind, type ProbeRecord } from "../surfaces/probes/probe.ts";
import { shownItem, shownServer } from "../surfaces/state/notes.ts";
import { type Changed, quarantineItem } from "../surfaces/state/operator-changes.ts";
import { hashesOf, recordKey, type ServerRecord } from "../surfaces/state/record.ts";
import { itemKey, type ServerKey } from "../surfaces/surface.ts";
import { newProbeId } from "../transactions/ids.ts";
import type { OperatorPlane } from "./operator-ledger.ts";
import { OperatorRefused } from "./refusal.ts";
import type { Operator } from "./register.ts";
import { storeOrRefused } from "./store-or-refused.ts";

/** What an operator means to do. */
export interface ProbePlan {
  readonly server: ServerKey;
  readonly tool: string;
  readonly probe: ProbeKind;
  readonly argument_hash: string;
  readonly safety_note: string;
}

export interface ProbeEnd {
  readonly probe_id: string;
  readonly observed: Observation;
  readonly cleanup: ProbeRecord["cleanup"];
}

interface Running {
  readonly plan: ProbePlan;
  readonly by: string;
  readonly began_ms: number;
}

/** A probe whose command went without a word keeps no other from running for longer. */
const lease_ms = 15 * 60_000;
const mostListed = 100;

/**
 * Probes of what a server really does, on an operator's word. They run in the operator's command; here they are permitted, one at a time
 * for each server, judged and kept. Throws OperatorRefused.
 */
export class ProbeService {
  readonly #plane: OperatorPlane;
  readonly #running = new Map<string, Running>();

  constructor(plane: OperatorPlane) {
    this.#plane = plane;
  }

  /** Only where an operator said of the server that it may be probed, and says now why this probe harms nobody. */
  begin({ name }: Operator, plan: ProbePlan): { readonly probe_id: string } {
    const key = recordKey(plan.server);
    const record = this.#plane.surfaces.list().find((known) => known.key === key)?.record;
    if (record === undefined) throw new OperatorRefused("no_server");
    if (record.trust !== "operator" || record.environment !== "non_production" || !record.probes)
      throw new OperatorRefused("probes_not_enabled");
    if (plan.safety_note === "") throw new OperatorRefused("no_safety_note");
    if (!hashesOf(record.observed.items).has(itemKey({ kind: "tool", name: plan.tool })))
      throw new OperatorRefused("no_item");
    const began_ms = this.#plane.now_ms();
    for (const [id, running] of this.#running) {
      if (began_ms - running.began_ms > lease_ms) this.#running.delete(id);
      else if (recordKey(running.plan.server) === key) throw new OperatorRefused("probe_running");
    }
    const probe_id = newProbeId(began_ms);
    this.#running.set(probe_id, { plan, by: `operator:${name}`, began_ms });
    return { probe_id };
  }

  /** Judges what came of it; where that is against the tool, the tool is quarantined in the store transaction that keeps the probe. */
  async end({ name }: Operator, { probe_id, observed, cleanup }: ProbeEnd): Promise<ProbeRecord> {
    const running = this.#running.get(probe_id);
    if (running === undefined || running.by !== `operator:${name}`) throw new OperatorRefused("not_found");
    const { plan, by, began_ms } = running;
    const verdict = judgeProbe(plan.probe, observed);
    if (verdict === null) throw new OperatorRefused("not_found", "the probe of that id is of the other kind");
    const { server, tool, probe, argument_hash, safety_note } = plan;
    const ended_ms = this.#plane.now_ms();
    let kept: ProbeRecord | null = null;
    const changed = await storeOrRefused(async () =>
      this.#plane.surfaces.change(server, (record) => {
        const surface = record.baseline?.hash ?? null;
        const tool_hash = hashesOf(record.baseline?.items ?? []).get(itemKey({ kind: "tool", name: tool })) ?? null;
        const ran = {
          probe_id,
          tool,
          probe,
          argument_hash,
          safety_note,
          by,
          began_ms,
          ended_ms,
          observed,
          verdict,
          cleanup,
        };
        kept = { v: 1, ...server, ...ran, surface, tool_hash };
        return withProbe(record, kept);
      }),
    );
    this.#running.delete(probe_id);
    if (changed === null || kept === null) throw new OperatorRefused("no_server");
    return kept;
  }

  /** Those of one server, newest first. */
  async list(server: ServerKey): Promise<readonly ProbeRecord[]> {
    const { reads } = this.#plane.ledger;
    const prefix = `${recordKey(server)}:`;
    const found: ProbeRecord[] = [];
    for (let after = ""; ; ) {
      const page = { prefix, after, limit: mostListed };
      const rows = await storeOrRefused(async () => reads.listDocuments("probe", page));
      found.push(...rows.map(({ body }) => JSON.parse(body) as ProbeRecord));
      const last = rows.at(-1);
      if (last === undefined || rows.length < mostListed) return found.slice(-mostListed).reverse();
      after = last.key;
    }
  }
}

const withProbe = (record: ServerRecord, probe: ProbeRecord): Changed => {
  const { verdict, tool, by, probe_id } = probe;
  const item = { kind: "tool", name: tool } as const;
  const types = verdict.finding_types.join(", ");
  const held =
    verdict.decision === "quarantine"
      ? quarantineItem(record, item, findingsOf(probe), { by, now_ms: probe.ended_ms }, `probe ${probe_id}`)
      : null;
  const detail = `${shownServer(record)}: ${shownItem(item)} ${probe.probe.kind} expected ${probe.probe.expected}, observed ${shownObservation(probe.observed)}: ${verdict.decision}${types === "" ? "" : ` (${types})`}, ${probe_id} by ${by}`;
  const isHeld = held?.kind === "changed";
  return {
    kind: "changed",
    record: isHeld ? held.record : record,
    notes: [{ event: "probe_run", detail }, ...(isHeld ? held.notes : [])],
    probe: { key: `${recordKey(record)}:${probe_id}`, body: JSON.stringify(probe) },
  };
};

const findingsOf = ({ verdict, probe, observed }: ProbeRecord): readonly Finding[] =>
  verdict.finding_types.map((type) => ({
    type: type as Finding["type"],
    severity: verdict.severity,
    path: null,
    reason: `a ${probe.kind} probe expected ${probe.expected} and observed ${shownObservation(observed)}`,
    relation: null,
  }));

const shownObservation = (observed: Observation): string => {
  if (observed.kind === "permission")
    return observed.error_class === null ? observed.outcome : `${observed.outcome} (${observed.error_class})`;
  if (observed.failed_at !== null)
    return `nothing conclusive at ${observed.failed_at} (${observed.error_class ?? "unknown"})`;
  return observed.changed === 0 ? "no change" : `${observed.changed} places changed`;
};
