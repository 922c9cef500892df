import { createHash } from "node:crypto";

/** One step of the schema: what it makes, and what takes all of it away again. */
export interface Migration {
  /** Its place, from 1 on without a gap. */
  readonly id: number;
  readonly name: string;
  readonly up: string;
  readonly down: string;
  /** The tables that `down` takes away, rows and all. */
  readonly tables: readonly string[];
}

/** What the database remembers of a migration that was carried out: one that was changed afterwards is refused. */
export const migrationHash = ({ id, name, up, down }: Migration): string =>
  createHash("sha256")
    .update(JSON.stringify([id, name, up, down]))
    .digest("hex");
