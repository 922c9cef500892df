import { setTimeout as delay } from "node:timers/promises";
import { Command } from "commander";
import {
  denyApproval,
  grantApproval,
  listApprovals,
  revokeApproval,
  showApproval,
} from "../../daemon/operator/commands/approvals.ts";
import { limitOf, scopeOf, untilOf } from "../../daemon/operator/commands/terms.ts";
import { watchApprovals } from "../../daemon/operator/commands/watch.ts";
import { maxListed } from "../../daemon/operator/limits.ts";
import { approvalStatuses } from "../../daemon/operator/request.ts";
import { print } from "./print.ts";
import { choice, type SeatedOptions, seat, seated } from "./seated.ts";

export const approvalsCommand = (): Command => {
  const approvals = new Command("approvals").description("what waits for a person: list, grant, deny");
  seated(approvals.command("list"))
    .description("requests that wait, oldest first; of another status, newest first")
    .addOption(choice("--status <status>", "which", approvalStatuses).default("pending"))
    .option("--limit <count>", "how many", "100")
    .action(async ({ status, limit, json, ...flags }) =>
      print(await listApprovals(await seat(flags), { status, limit: limitOf(limit, maxListed) }, Date.now()), json),
    );
  seated(approvals.command("show"))
    .description("one request: its whole arguments, and each vote")
    .argument("<id>", "the approval")
    .action(async (id: string, { json, ...flags }: SeatedOptions) =>
      print(await showApproval(await seat(flags), id, Date.now()), json),
    );
  seated(approvals.command("grant"))
    .description("say yes; it runs when its client resumes it")
    .argument("<id>", "the approval")
    .option("--scope <scope>", "once, exact, or shape:ARG,ARG where the policy permits it", "once")
    .option("--until <when>", "a span (30m, 2h, 7d) or a time with its zone; default: as the policy says")
    .option("--note <text>", "why")
    .action(async (id: string, { scope, until, note, json, ...flags }) => {
      const now_ms = Date.now();
      const terms = { scope: scopeOf(scope), until_s: untilOf(until ?? null, now_ms), note: note ?? null };
      print(await grantApproval(await seat(flags), id, terms, now_ms), json);
    });
  seated(approvals.command("deny"))
    .description("say no; one no decides")
    .argument("<id>", "the approval")
    .option("--note <text>", "why")
    .action(async (id: string, { note, json, ...flags }) =>
      print(await denyApproval(await seat(flags), id, note ?? null, Date.now()), json),
    );
  seated(approvals.command("revoke"))
    .description("take back a grant, or a request; what ran has run")
    .argument("<id>", "the approval")
    .action(async (id: string, { json, ...flags }: SeatedOptions) =>
      print(await revokeApproval(await seat(flags), id, Date.now()), json),
    );
  seated(approvals.command("watch"))
    .description("requests as they come, until interrupted; --json prints one object a line")
    .action(async ({ json, ...flags }: SeatedOptions) => {
      const stop = new AbortController();
      process.once("SIGINT", () => stop.abort());
      process.once("SIGTERM", () => stop.abort());
      const options = { json: Boolean(json), signal: stop.signal, now_ms: Date.now, wait };
      for await (const { to, line } of watchApprovals(await seat(flags), options)) process[to].write(`${line}\n`);
    });
  return approvals;
};

const wait = (delay_ms: number, signal: AbortSignal): Promise<void> =>
  delay(delay_ms, undefined, { signal }).catch(() => undefined);
