import type { Effect } from "../../contracts/tool.ts";

/** What whoever holds a role may do: all that is named must hold. */
export interface Role {
  /** Only tools that a signed contract declares to do one of these; a tool without a contract does none. */
  readonly effects?: readonly Effect[];
  /** Only these: exact names, `prefix.*`. */
  readonly tools?: readonly string[];
  /** None of these. */
  readonly not_tools?: readonly string[];
  /** Texts as UTF-8, with names. */
  readonly maxArgumentBytes?: number;
}

/**
 * Six roles as starting points, of the names that agents' gateways know. Tools are named whole: `get_secrets` is no `get`. What a
 * command or a statement does is not said by a role: the packs commands and database judge it.
 */
export const standardRoles = Object.freeze({
  support_agent: {
    tools: ["read_crm", "search_knowledge", "send_email", "create_ticket"],
    maxArgumentBytes: 2_000,
  },
  devops_agent: {
    tools: ["deploy", "restart_service", "read_logs", "run_code", "bash", "monitor"],
    maxArgumentBytes: 5_000,
  },
  finance_agent: {
    tools: ["read_transactions", "generate_report", "read_ledger", "export_csv"],
    maxArgumentBytes: 3_000,
  },
  readonly_agent: { effects: ["read"], maxArgumentBytes: 2_000 },
  data_analyst: {
    tools: ["read_database", "run_sql", "export_csv", "generate_report", "visualize"],
    maxArgumentBytes: 8_000,
  },
  admin_agent: {
    not_tools: ["format_disk", "wipe_database", "delete_all_users"],
    maxArgumentBytes: 10_000,
  },
} satisfies Readonly<Record<string, Role>>);
