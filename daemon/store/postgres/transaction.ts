import { StoreFailed } from "../refused.ts";
import type { NewReceipt } from "../store.ts";
import { type ClaimRow, memberCounter, membersOf, type StoreTx } from "../transaction-rows.ts";
import type { Session, Statement } from "./connection.ts";
import { documentTx } from "./documents.ts";
import { prune } from "./prune.ts";
import {
  approvalTable,
  changeOf,
  claimTable,
  listOf,
  placesOf,
  spendingTable,
  stopTable,
  type Table,
  toValue,
  transactionTable,
  valuesOf,
} from "./rows.ts";
import { allRows, firstRow, transactionReads } from "./transaction-reads.ts";

const insertInto = <Row>(table: Table<Row>): Statement => ({
  name: `insert_${table.name}`,
  text: `INSERT INTO ${table.name}(${listOf(table)}) VALUES(${placesOf(table)})`,
});

const selectFrom = <Row>(name: string, table: Table<Row>, rest: string): Statement => ({
  name,
  text: `SELECT ${listOf(table)} FROM ${table.name} ${rest}`,
});

const insertTransaction = insertInto(transactionTable);
const insertApproval = insertInto(approvalTable);
const insertSpending = insertInto(spendingTable);

/** Whoever comes second waits here for the first's transaction to end, and is then given its row: the row is the authority. */
const takeClaim: Statement = {
  name: "take_claim",
  text: `INSERT INTO interlock.claims AS held(${listOf(claimTable)}) VALUES(${placesOf(claimTable)})
    ON CONFLICT (key) DO UPDATE SET ${claimTable.columns.map((column) => `${column} = excluded.${column}`).join(", ")}
    WHERE held.state = 'executed' AND held.expires_ms <= $${claimTable.columns.length + 1}`,
};
const standingClaim = selectFrom("standing_claim", claimTable, "WHERE key = $1 FOR UPDATE");
const changeClaim: Statement = {
  name: "change_claim",
  text: `UPDATE interlock.claims SET state = $3, lease_until_ms = $4, expires_ms = $5
    WHERE key = $1 AND transaction_id = $2`,
};
const releaseClaim: Statement = {
  name: "release_claim",
  text: "DELETE FROM interlock.claims WHERE key = $1 AND transaction_id = $2",
};
/** Keeps out, until the transaction ends, whoever names the same: where there is no row yet, there is none to lock. */
const serialise: Statement = {
  name: "serialise",
  text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
};
const openByCall = selectFrom(
  "open_by_call",
  transactionTable,
  `WHERE call_id = $1 AND status IN ('authorized', 'unknown')
   ORDER BY position DESC LIMIT 1 FOR UPDATE`,
);
/** Another daemon that does the same is passed over, not waited for. */
const overdueTransactions = selectFrom(
  "overdue_transactions",
  transactionTable,
  `WHERE status = 'authorized' AND lease_until_ms <= $1
   ORDER BY position LIMIT $2 FOR UPDATE SKIP LOCKED`,
);
const approvalFor = selectFrom(
  "approval_for",
  approvalTable,
  `WHERE fingerprint = $1 AND status IN ('pending', 'granted', 'denied')
   ORDER BY position DESC LIMIT 1 FOR UPDATE`,
);
const hasAsked: Statement = {
  name: "has_asked",
  text: `SELECT 1 FROM interlock.transactions
    WHERE approval_id = $1 AND call_id = $2 LIMIT 1`,
};
const standingGrants = selectFrom(
  "standing_grants",
  approvalTable,
  `WHERE match_key = ANY($1::text[]) AND status = 'granted' ORDER BY position FOR UPDATE`,
);
const overdueApprovals = selectFrom(
  "overdue_approvals",
  approvalTable,
  `WHERE (status = 'pending' AND expires_ms <= $1) OR (status = 'granted' AND granted_until_ms <= $1)
   ORDER BY position LIMIT $2 FOR UPDATE SKIP LOCKED`,
);
const sumSpent: Statement = {
  name: "sum_spent",
  text: "SELECT coalesce(sum(amount), 0)::float8 AS spent FROM interlock.spending WHERE counter = $1 AND at_ms > $2",
};
const standsOn: Statement = {
  name: "stands_on",
  text: `SELECT count(*)::float8 AS added FROM unnest($1::text[]) AS own(counter)
    WHERE NOT EXISTS (SELECT 1 FROM interlock.spending WHERE spending.counter = own.counter AND at_ms > $2)`,
};
/** From each member to the next one, along an index of members alone. */
const membersStanding: Statement = {
  name: "members_standing",
  text: `WITH RECURSIVE members(counter) AS (
      SELECT min(counter COLLATE "C") FROM interlock.spending
      WHERE strpos(counter, ':') > 0 AND counter COLLATE "C" > $1 AND counter COLLATE "C" < $2
      UNION ALL
      SELECT (SELECT min(spending.counter COLLATE "C") FROM interlock.spending
        WHERE strpos(spending.counter, ':') > 0
          AND spending.counter COLLATE "C" > members.counter AND spending.counter COLLATE "C" < $2)
      FROM members WHERE members.counter IS NOT NULL)
    SELECT count(*)::float8 AS standing FROM members WHERE counter IS NOT NULL AND (
      SELECT 1 FROM interlock.spending WHERE spending.counter = members.counter AND at_ms > $3 LIMIT 1) IS NOT NULL`,
};
const releaseSpending: Statement = {
  name: "release_spending",
  text: "DELETE FROM interlock.spending WHERE transaction_id = $1",
};
const putBox: Statement = {
  name: "put_box",
  text: `INSERT INTO interlock.boxes(place, expires_ms, box) VALUES($1, $2, $3)
    ON CONFLICT (place) DO UPDATE SET expires_ms = excluded.expires_ms, box = excluded.box`,
};

const isStopped: Statement = {
  name: "is_stopped",
  text: "SELECT 1 FROM interlock.stops WHERE ended_ms IS NULL LIMIT 1",
};
const beginStop = insertInto(stopTable);
const endStop: Statement = {
  name: "end_stop",
  text: `UPDATE interlock.stops SET ended_ms = $2, ended_by = $3, end_reason = $4
    WHERE stop_id = $1 AND ended_ms IS NULL`,
};
/** Whoever comes second waits for the first's transaction, and is told that it was first. */
const useToken: Statement = {
  name: "use_token",
  text: "INSERT INTO interlock.used_tokens(digest, expires_ms) VALUES($1, $2) ON CONFLICT (digest) DO NOTHING",
};

/** So many rows of one kind are deleted at a time: a sweep never holds the store for long. */
const deletedAtOnce = 1_000;
const deleteOver = (table: string, over: string): Statement => ({
  name: `delete_${table}`,
  text: `DELETE FROM interlock.${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM interlock.${table} WHERE ${over} LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED))`,
});
const deletions = [
  deleteOver("boxes", "expires_ms <= $1"),
  deleteOver("used_tokens", "expires_ms <= $1"),
  deleteOver("spending", "expires_ms <= $1"),
  deleteOver("claims", "state = 'executed' AND expires_ms <= $1"),
];

/** A claim that was released between the two looks is taken at the next; so often nobody releases. */
const claimAttempts = 10;

/** The store inside of one transaction of `session`. */
export const storeTx = (
  session: Session,
  chain: string,
  insertReceipts: (rows: readonly NewReceipt[]) => Promise<void>,
): StoreTx => {
  const ask = (statement: Statement, values: readonly unknown[]) => session.query(statement, values);
  const changed = async (statement: Statement, values: readonly unknown[]): Promise<boolean> =>
    (await session.query(statement, values)).rowCount > 0;
  const oneAtATime = (what: string, name: string) => ask(serialise, [toValue(`${what}:${name}`)]);
  return {
    ...transactionReads(ask, "locked"),
    ...documentTx(ask),
    insertReceipts,
    prune: (mark) => prune(session, chain, mark),
    async claim(row: ClaimRow, now_ms) {
      for (let attempt = 0; attempt < claimAttempts; attempt++) {
        if (await changed(takeClaim, [...valuesOf(claimTable, row), now_ms])) return null;
        const standing = await firstRow(claimTable, ask(standingClaim, [toValue(row.key)]));
        if (standing !== null) return standing;
      }
      throw new StoreFailed("the claim changes too quickly");
    },
    changeClaim: (key, transaction_id, { state, lease_until_ms, expires_ms }) =>
      changed(changeClaim, [toValue(key), toValue(transaction_id), state, lease_until_ms, expires_ms]),
    releaseClaim: (key, transaction_id) => changed(releaseClaim, [toValue(key), toValue(transaction_id)]),
    async insertTransaction(row) {
      await ask(insertTransaction, valuesOf(transactionTable, row));
    },
    changeTransaction(transaction_id, from, change) {
      const { sets, values, key } = changeOf(transactionTable, change, 2);
      const assigned = sets.length === 0 ? "status = status" : sets.join(", ");
      const text = `UPDATE interlock.transactions SET ${assigned} WHERE transaction_id = $1 AND status::text = ANY($2::text[])`;
      return changed({ name: `change_transaction_${key}`, text }, [toValue(transaction_id), [...from], ...values]);
    },
    async openTransaction(call_id) {
      await oneAtATime("call", call_id);
      return firstRow(transactionTable, ask(openByCall, [toValue(call_id)]));
    },
    hasAsked: (approval_id, call_id) => changed(hasAsked, [toValue(approval_id), toValue(call_id)]),
    async changeAskers(approval_id, change) {
      const { sets, values, key } = changeOf(transactionTable, change, 1);
      if (sets.length === 0) return;
      const text = `UPDATE interlock.transactions SET ${sets.join(", ")}
        WHERE approval_id = $1 AND status = 'pending_approval' AND resumed_by IS NULL`;
      await ask({ name: `change_askers_${key}`, text }, [toValue(approval_id), ...values]);
    },
    overdueTransactions: (now_ms, limit) => allRows(transactionTable, ask(overdueTransactions, [now_ms, limit])),
    async insertApproval(row) {
      await ask(insertApproval, valuesOf(approvalTable, row));
    },
    changeApproval(approval_id, version, change) {
      const { sets, values, key } = changeOf(approvalTable, change, 2);
      const assigned = ["version = version + 1", ...sets].join(", ");
      const text = `UPDATE interlock.approvals SET ${assigned} WHERE approval_id = $1 AND version = $2`;
      return changed({ name: `change_approval_${key}`, text }, [toValue(approval_id), version, ...values]);
    },
    async approvalFor(fingerprint) {
      await oneAtATime("approval", fingerprint);
      return firstRow(approvalTable, ask(approvalFor, [toValue(fingerprint)]));
    },
    standingGrants: (match_keys) => allRows(approvalTable, ask(standingGrants, [match_keys.map(toValue)])),
    overdueApprovals: (now_ms, limit) => allRows(approvalTable, ask(overdueApprovals, [now_ms, limit])),
    async spent(counter, since_ms) {
      await oneAtATime("counter", counter);
      const [row] = (await ask(sumSpent, [toValue(counter), since_ms])).rows;
      return row?.spent as number;
    },
    async spend(rows) {
      for (const row of rows) await ask(insertSpending, valuesOf(spendingTable, row));
    },
    async spread(counter, since_ms, own) {
      await oneAtATime("counter", counter);
      const counters = [...new Set(own)].map((member) => toValue(memberCounter(counter, member)));
      const [first] = (await ask(standsOn, [counters, since_ms])).rows;
      const added = first?.added as number;
      if (added === 0) return 0;
      const [after, before] = membersOf(counter);
      const [row] = (await ask(membersStanding, [toValue(after), toValue(before), since_ms])).rows;
      return (row?.standing as number) + added;
    },
    async releaseSpending(transaction_id) {
      await ask(releaseSpending, [toValue(transaction_id)]);
    },
    async putBox(place, expires_ms, box) {
      await ask(putBox, [toValue(place), expires_ms, Buffer.from(box)]);
    },
    isStopped: () => changed(isStopped, []),
    async beginStop(row) {
      await ask(beginStop, valuesOf(stopTable, row));
    },
    endStop: (stop_id, { at_ms, by, reason }) =>
      changed(endStop, [toValue(stop_id), at_ms, toValue(by), toValue(reason)]),
    useToken: (digest, expires_ms) => changed(useToken, [digest, expires_ms]),
    async deleteExpired(now_ms) {
      for (const deletion of deletions) await ask(deletion, [now_ms]);
    },
  };
};
