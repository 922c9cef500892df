import type { Phase, SensorEvent } from "../wire/event.ts";
import type { Grade } from "../wire/grade.ts";
import type { NamedServer } from "../wire/surface-body.ts";

/** An event as a caller writes it: `args` may hold whatever the caller has, and encoding refuses what JSON cannot carry. */
export interface EventFields {
  readonly action: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly principal?: string | null;
  readonly span_id?: string | null;
  readonly parent_principal?: string | null;
  readonly phase?: Phase;
  /** Seconds since the epoch. Default: now. */
  readonly ts?: number | null;
  readonly call_id?: string | null;
  /** How its caller intercepts: told to a daemon that records it, and judged by nobody. */
  readonly grade?: Grade | null;
  /** The MCP server whose tool it is; the daemon holds the call against what the server listed. */
  readonly server?: NamedServer | null;
}

/** An event with its defaults filled in; `args` is not yet known to have a JSON form. */
export interface UncheckedEvent extends Omit<SensorEvent, "args"> {
  readonly args: Readonly<Record<string, unknown>>;
  readonly grade: Grade | null;
  readonly server: NamedServer | null;
}

/** Fills the defaults: `{}`, phase `call`, null identity and grade, and the present moment. */
export const sensorEvent = (fields: EventFields): UncheckedEvent => ({
  action: fields.action,
  args: fields.args ?? {},
  phase: fields.phase ?? "call",
  principal: fields.principal ?? null,
  span_id: fields.span_id ?? null,
  parent_principal: fields.parent_principal ?? null,
  ts: fields.ts ?? Date.now() / 1000,
  call_id: fields.call_id ?? null,
  grade: fields.grade ?? null,
  server: fields.server ?? null,
});
