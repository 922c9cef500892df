import { randomBytes } from "node:crypto";
import { StoreFailed, StoreRefused } from "../refused.ts";
import { adoptChainFile, readChainFile, readPendingChainFile, writePendingChainFile } from "./chain-file.ts";
import type { Session } from "./connection.ts";
import { chainTaken, type Writer } from "./receipts.ts";

/** Names one opening, so that it can go on after a lost connection and nobody else can in its name. */
export const openingName = (): string => randomBytes(16).toString("hex");

/**
 * Opens the chain that a state directory's file names, begun where there is none: its epoch rises, and every writer
 * that had it open is refused from here on. A file whose chain the database does not have means another database or a
 * lost one, and is refused, never begun anew in silence. Throws StoreRefused and StoreFailed.
 */
export const openChain = async (
  session: Session,
  path: string,
  expectChain: string | null,
  opening: string,
  now_ms: number,
): Promise<Writer> => {
  const named = readChainFile(path);
  if (named === null && expectChain !== null) {
    throw new StoreRefused("ledger_missing", `${path} is missing; restore the one that names chain ${expectChain}`);
  }
  if (named !== null && expectChain !== null && named !== expectChain) {
    throw new StoreRefused("ledger_other_chain", `${path} names chain ${named}, not the expected one`);
  }
  return named === null
    ? beginChain(session, path, opening, now_ms)
    : continueChain(session, path, named, opening, now_ms);
};

const beginChain = async (session: Session, path: string, opening: string, now_ms: number): Promise<Writer> => {
  const begun = readPendingChainFile(path);
  const chain = begun ?? randomBytes(16).toString("hex");
  if (begun === null) writePendingChainFile(path, chain);
  const { rows } = await session.query(
    `INSERT INTO interlock.chains AS c(chain, epoch, writer, created_ms, opened_ms) VALUES($1, 1, $2, $3, $3)
     ON CONFLICT (chain) DO UPDATE SET epoch = c.epoch + 1, writer = excluded.writer, opened_ms = excluded.opened_ms
     RETURNING epoch`,
    [chain, opening, now_ms],
  );
  adoptChainFile(path);
  return { chain, epoch: rows[0]?.epoch as number };
};

const continueChain = async (
  session: Session,
  path: string,
  chain: string,
  opening: string,
  now_ms: number,
): Promise<Writer> => {
  const { rows } = await session.query(
    "UPDATE interlock.chains SET epoch = epoch + 1, writer = $2, opened_ms = $3 WHERE chain = $1 RETURNING epoch",
    [chain, opening, now_ms],
  );
  const [row] = rows;
  if (row !== undefined) return { chain, epoch: row.epoch as number };
  const advice = "name the database that has it, or remove the file to begin a new chain";
  throw new StoreRefused("ledger_missing", `the database has no chain ${chain}, which ${path} names; ${advice}`);
};

/**
 * Goes on after a lost connection: what the lost one may still be doing is waited for, and then refused, so that the
 * head that is read next is the last word. Throws StoreFailed where another daemon has opened the chain meanwhile.
 */
export const reopenChain = async (session: Session, chain: string, opening: string): Promise<Writer> => {
  const { rows } = await session.query(
    "UPDATE interlock.chains SET epoch = epoch + 1 WHERE chain = $1 AND writer = $2 RETURNING epoch",
    [chain, opening],
  );
  const [row] = rows;
  if (row === undefined) throw new StoreFailed(chainTaken);
  return { chain, epoch: row.epoch as number };
};
