import { canonicalJson } from "../../wire/canonical.ts";
import { maxListed } from "./limits.ts";
import type { Operator } from "./register.ts";
import type { SurfaceAsk } from "./surface-asks.ts";
import type { DriftView, SurfacesService } from "./surfaces-service.ts";

/** Findings of one line of a list; `drift.show` has all that are kept. */
const findingsInList = 4;
/** Definitions of one answer, in UTF-16 units: with the last one of them it fits a frame. */
const exportedLength = 1024 * 1024;

/** What the operators' socket answers about MCP servers. Throws OperatorRefused. */
export const answerSurfaces = async (
  service: SurfacesService,
  operator: Operator,
  ask: SurfaceAsk,
): Promise<object> => {
  switch (ask.kind) {
    case "servers.list":
      return { servers: service.listServers() };
    case "servers.show":
      return { server: service.showServer(ask.server) };
    case "servers.export":
      return exported(service, ask);
    case "servers.trust":
      return { server: await service.trust(operator, ask.server, ask) };
    case "servers.remove":
      return { server: await service.remove(operator, ask.server, ask.reason) };
    case "drift.list": {
      const all = service.listDrift(ask.server);
      return { drift: all.slice(0, maxListed).map(inList), total: all.length };
    }
    case "drift.show":
      return { drift: await service.showDrift(ask.server, ask.item) };
    case "drift.approve":
      return { server: await service.approve(operator, ask.server, ask.item, ask.hash) };
    case "drift.quarantine":
      return { server: await service.quarantine(operator, ask.server, ask.item, ask.reason) };
    case "drift.rebaseline":
      return { server: await service.rebaseline(operator, ask.server, ask) };
    case "drift.history":
      return { history: await service.history(ask.server) };
  }
};

const inList = (view: DriftView): DriftView => ({ ...view, findings: view.findings.slice(0, findingsInList) });

/** `{baseline, items, next}`: `next` is where the rest begins, null where there is none. */
const exported = async (
  service: SurfacesService,
  { server, from }: Extract<SurfaceAsk, { kind: "servers.export" }>,
): Promise<object> => {
  const { record } = service.showServer(server);
  const all = await service.baselineItems(server);
  let length = 0;
  let to = from;
  while (to < all.length && length < exportedLength) {
    length += canonicalJson(all[to]?.definition ?? null).length;
    to += 1;
  }
  const { baseline } = record;
  const head = baseline === null ? null : { ...baseline, items: baseline.items.length };
  return { baseline: head, items: all.slice(from, to), next: to < all.length ? to : null };
};
