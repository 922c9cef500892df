import { expect, test } from "vitest";
import { hostile, keep, surface, taken, tool } from "../surfaces/test-keeper.ts";
import { noStops } from "./plane.testkit.ts";
import type { Operator } from "./register.ts";
import { SurfacesService } from "./surfaces-service.ts";

const server = { server: "orders", credential: null };
const ann = { name: "ann", roles: [] } as unknown as Operator;
const total = { kind: "tool" as const, name: "total" };
const calm = [tool("status"), tool("total")];
const poisoned = [tool("status"), tool("total", { description: hostile })];

const serving = async () => {
  const kept = await keep();
  const service = new SurfacesService({
    ledger: kept.ledger,
    surfaces: kept.keeper,
    stops: noStops,
    now_ms: () => 5,
    rules: () => "sha256:rules",
    redacted: () => [],
    resolved: () => undefined,
  });
  return { ...kept, service };
};

test("from first sight to approval: listed, shown word by word, approved by the hash that was shown", async () => {
  const { keeper, service, noted } = await serving();
  await taken(keeper, surface(calm));
  await taken(keeper, surface(poisoned));
  expect(service.listServers()).toMatchObject([{ ...server, trust: "first_use", items: 2, quarantined: 1, denied: 0 }]);
  const [drift] = service.listDrift(null);
  expect(drift).toMatchObject({ ...server, ...total, action: "quarantine", severity: "critical", by: "daemon" });
  const shown = await service.showDrift(server, total);
  expect([shown.approved, shown.observed, shown.held]).toEqual([calm[1], poisoned[1], null]);
  await expect(service.approve(ann, server, total, shown.approved_hash)).rejects.toMatchObject({
    code: "stale_surface",
    message: `it is ${shown.observed_hash} by now; review that`,
  });
  expect(await service.approve(ann, server, total, shown.observed_hash)).toMatchObject({ quarantined: 0 });
  expect(service.listDrift(server)).toEqual([]);
  expect((await service.history(server)).map(({ version, approved_by }) => [version, approved_by])).toEqual([
    [2, "operator:ann"],
    [1, "first_use"],
  ]);
  expect((await service.baselineItems(server)).map(({ definition }) => definition)).toEqual(poisoned);
  expect((await noted()).at(-1)?.[1]).toContain(`tool total ${shown.observed_hash} by operator:ann, baseline 2`);
});

test("a rebaseline by the hashes that the list shows; quarantine, trust and remove", async () => {
  const { keeper, service } = await serving();
  await taken(keeper, surface(calm));
  expect(await service.quarantine(ann, server, total, "odd")).toMatchObject({ quarantined: 1 });
  const { current_hash: current, candidate_hash: candidate } = service.showServer(server);
  await expect(service.rebaseline(ann, server, { current: null, candidate })).rejects.toMatchObject({
    code: "stale_surface",
  });
  expect(await service.rebaseline(ann, server, { current, candidate })).toMatchObject({ quarantined: 0 });
  await expect(service.rebaseline(ann, server, { current, candidate })).rejects.toMatchObject({
    code: "nothing_to_approve",
  });
  expect(await service.remove(ann, server, "over")).toMatchObject({ trust: "removed" });
  expect(await service.trust(ann, server, { environment: "non_production", probes: true })).toMatchObject({
    trust: "operator",
    environment: "non_production",
    probes: true,
  });
});

test("what there is not", async () => {
  const { keeper, service } = await serving();
  await expect(service.remove(ann, server, "")).rejects.toMatchObject({ code: "no_server" });
  expect(() => service.showServer(server)).toThrow(/ever reported/);
  await taken(keeper, surface(calm));
  const none = { kind: "tool" as const, name: "none" };
  await expect(service.quarantine(ann, server, none, "")).rejects.toMatchObject({ code: "no_item" });
  await expect(service.showDrift(server, none)).rejects.toMatchObject({ code: "no_item" });
  expect(await service.showDrift(server, total)).toMatchObject({ severity: "none", findings: [] });
});
