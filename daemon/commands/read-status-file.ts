import { readFileSync } from "node:fs";
import * as z from "zod";
import { type StatusFile, statusFileIn } from "../status-file.ts";

const statusSchema = z.strictObject({
  pid: z.int().positive(),
  socket: z.string(),
  version: z.string(),
  started: z.string(),
  self_protection: z.enum(["on", "off"]).optional(),
  unsigned: z.string().nullable().optional(),
});

/** Null where no daemon wrote one that can be read. A daemon that was killed leaves its own behind. */
export const readStatusFile = (state: string): StatusFile | null => {
  try {
    const parsed = statusSchema.safeParse(JSON.parse(readFileSync(statusFileIn(state), "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};
