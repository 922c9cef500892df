import { receipts } from "./0001-receipts.ts";
import { transactions } from "./0002-transactions.ts";
import { trust } from "./0003-trust.ts";
import { members } from "./0004-members.ts";
import { documents } from "./0005-documents.ts";
import type { Migration } from "./migration.ts";

/** In the order in which they are carried out. One that was released is never changed: the next one changes what it made. */
export const migrations: readonly Migration[] = Object.freeze([receipts, transactions, trust, members, documents]);
