import { type CommandResult, done } from "../../commands/command-result.ts";
import type { BaselineFile } from "../../surfaces/offline/baseline-file.ts";
import type { ServerRecord } from "../../surfaces/state/record.ts";
import { askOperators, type OperatorSeat } from "../ask-operators.ts";
import { driftLine, itemName, reviewLines, serverLine } from "../display/surface-lines.ts";
import type { ServerDetail, ServerView } from "../surfaces-service.ts";
import { exportBaseline } from "./export-baseline.ts";
import { askServers, namedServer } from "./named-server.ts";
import { orSaidNo } from "./or-said-no.ts";

/** A server as a person names it. */
export interface Named {
  readonly server: string;
  readonly credential: string | undefined;
}

/** `interlock servers list`. */
export const listServers = (seat: OperatorSeat): Promise<CommandResult> =>
  orSaidNo(async () => {
    const servers = await askServers(seat);
    return done(servers.length === 0 ? ["no MCP server was reported yet"] : servers.map(serverLine), { servers });
  });

/** `interlock servers show NAME`: what is known of it, and each item with its state. */
export const showServer = (seat: OperatorSeat, { server, credential }: Named): Promise<CommandResult> =>
  orSaidNo(async () => {
    const named = await namedServer(seat, server, credential);
    const answer = await askOperators(seat, "servers.show", { server: named });
    const detail = answer.server as unknown as ServerDetail;
    return done([serverLine(detail), ...reviewLines(detail), ...itemLines(detail)], { server: detail });
  });

const itemLines = ({ record }: ServerDetail): readonly string[] => {
  const { server, credential, items, observed } = record;
  const states = new Map(items.map((state) => [itemName(state), state]));
  const listed = observed.items.map((item) => {
    const state = states.get(itemName(item));
    return `  ${itemName(item)} ${item.hash} ${state === undefined ? "as approved" : `${state.action}, ${state.severity}`}`;
  });
  const gone = items.filter(({ observed_hash }) => observed_hash === null);
  return [...listed, ...gone.map((state) => `  ${driftLine({ server, credential, ...state })} (not listed any more)`)];
};

/** `interlock servers show NAME --export`: what is approved with its definitions, as `drift check` and `ci-gate` take it. */
export const exportServer = (
  seat: OperatorSeat,
  { server, credential }: Named,
  tell: (items: number) => void,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const file: BaselineFile = await exportBaseline(seat, await namedServer(seat, server, credential), tell);
    return { ...done([JSON.stringify(file, null, 2)], {}), json: { ...file } };
  });

const changed = (answer: { readonly [key: string]: unknown }): CommandResult => {
  const server = answer.server as ServerView;
  return done([serverLine(server), ...reviewLines(server)], { server });
};

/** `interlock servers trust NAME`. */
export const trustServer = (
  seat: OperatorSeat,
  { server, credential }: Named,
  { environment, probes }: Pick<ServerRecord, "environment" | "probes">,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const named = await namedServer(seat, server, credential);
    return changed(await askOperators(seat, "servers.trust", { server: named, environment, probes }));
  });

/** `interlock servers remove NAME`: nothing of it may be called from here on. */
export const removeServer = (
  seat: OperatorSeat,
  { server, credential }: Named,
  reason: string,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const named = await namedServer(seat, server, credential);
    return changed(await askOperators(seat, "servers.remove", { server: named, reason }));
  });
