import { describe, expect, it } from "vitest";
import { judgeBy } from "./judge.ts";
import { measure } from "./measure.ts";
import { agentEgressSet } from "./sets/agent-egress.ts";

describe("agent-egress-bench", () => {
  const cases = agentEgressSet.load();

  it("is put as events, whatever its kind of input", () => {
    expect(cases.length).toBe(66);
    for (const { id, events } of cases) expect(events.length, id).toBeGreaterThan(0);
  });

  it("is held where it leads into the private network, to a collector, or hides what it says", async () => {
    const kinds = new Set(["ssrf_bypass", "hostname_exfiltration", "url"]);
    const { recall, wrong } = await measure(
      cases.filter(({ kind }) => kinds.has(kind)),
      judgeBy("starter"),
    );
    expect(wrong).toEqual([]);
    expect(recall).toBe(1);
  });

  it("passes where it is daily work", async () => {
    const { false_positive_rate } = await measure(cases, judgeBy("starter"));
    expect(false_positive_rate).toBeLessThanOrEqual(agentEgressSet.wanted.falsePositiveRate);
  });
});
