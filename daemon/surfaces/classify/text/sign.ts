import type { Severity, SurfaceFindingType } from "../../finding.ts";

/** What a new piece of text does. The reason is ours, never the text's. */
export interface Sign {
  readonly type: SurfaceFindingType;
  readonly severity: Severity;
  readonly reason: string;
}

export const sign = (type: SurfaceFindingType, severity: Severity, reason: string): Sign => ({
  type,
  severity,
  reason,
});
