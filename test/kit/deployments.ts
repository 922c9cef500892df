import { freshDatabase, freshRedis } from "./services/services.ts";

/** The ways in which a daemon is deployed: what holds for transactions holds on each of them. For `describe.each`. */
export const deployments: readonly (readonly [name: string, settings: () => Promise<string>])[] = [
  ["SQLite", async () => ""],
  ["SQLite and Redis", async () => coordination()],
  ["PostgreSQL and Redis", async () => `store: ${JSON.stringify(await freshDatabase())}\n${await coordination()}`],
];

const coordination = async (): Promise<string> => {
  const { url, prefix } = await freshRedis();
  return `coordination: ${JSON.stringify(`${url}?prefix=${prefix}`)}\n`;
};
