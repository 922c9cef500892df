import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import pg from "pg";
import { afterAll, inject } from "vitest";
import type { ServiceName, Told } from "./keeper.ts";

/** The URL of the PostgreSQL or the Redis of this run. It is shared: take a database or a prefix of your own. */
export const serviceUrl = async (name: ServiceName): Promise<string> => {
  const told = JSON.parse(await askKeeper(name)) as Told;
  if ("error" in told) throw new Error(`${name} for the tests: ${told.error}`);
  return told.url;
};

const askKeeper = (name: ServiceName): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    connect(inject("serviceKeeper"))
      .setEncoding("utf8")
      .on("error", reject)
      .on("data", (text: string) => {
        answer += text;
      })
      .on("end", () => resolve(answer))
      .write(`${name}\n`);
  });

/** A name that no other test, process or machine has. */
const ownName = (): string => `interlock_test_${process.pid}_${randomBytes(6).toString("hex")}`;

const databases: string[] = [];

const administer = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: await serviceUrl("postgres") });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

afterAll(async () => {
  for (const name of databases.splice(0)) await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
});

/** The URL of an empty database of the caller's own. It is dropped when the test file ends. */
export const freshDatabase = async (): Promise<string> => {
  const name = ownName();
  databases.push(name);
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(await serviceUrl("postgres"));
  url.pathname = `/${name}`;
  return url.href;
};

/** The URL of the run's Redis, and a prefix that nobody else has. Keys under it are deleted when the test file ends. */
export const freshRedis = async (): Promise<{ readonly url: string; readonly prefix: string }> => {
  const prefix = `${ownName()}:`;
  prefixes.push(prefix);
  return { url: await serviceUrl("redis"), prefix };
};

const prefixes: string[] = [];

afterAll(async () => {
  if (prefixes.length === 0) return;
  const { Redis } = await import("ioredis");
  const redis = new Redis(await serviceUrl("redis"));
  for (const prefix of prefixes.splice(0)) {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
      if ((keys as string[]).length > 0) await redis.del(keys as string[]);
    }
  }
  redis.disconnect();
});
