/**
 * What the daemons of a test keep their store and agree by: SQLite and themselves, unless the run of tests says
 * otherwise. `vitest.config.ts` runs the tests of transactions again with each of the others.
 */
export type Backing = "sqlite" | "sqlite+redis" | "postgres" | "postgres+redis";

export const backing = (): Backing => (process.env.INTERLOCK_TEST_BACKING ?? "sqlite") as Backing;

/** Lines of a configuration file: a database and a prefix of the place's own, where they are servers. */
export const backingSettings = async (): Promise<string> => {
  const parts = backing().split("+");
  if (parts[0] === "sqlite" && parts.length === 1) return "";
  // Loaded by runs that have servers.
  const { freshDatabase, freshRedis } = await import("./services/services.ts");
  const lines: string[] = [];
  if (parts[0] === "postgres") lines.push(`store: ${JSON.stringify(await freshDatabase())}`);
  if (parts[1] === "redis") {
    const { url, prefix } = await freshRedis();
    lines.push(`coordination: ${JSON.stringify(`${url}?prefix=${prefix}`)}`);
  }
  return lines.map((line) => `${line}\n`).join("");
};
