import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../processes.ts";
import { startProxy } from "./proxy.ts";
import { freshDatabase, freshRedis, serviceUrl } from "./services.ts";

const connected = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  return client;
};

test("each database is empty and of its asker alone", async () => {
  const [one, other] = [await freshDatabase(), await freshDatabase()];
  expect(one).not.toBe(other);
  const [first, second] = [await connected(one), await connected(other)];
  await first.query("CREATE TABLE mine(x int)");
  const { rows } = await second.query("SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'");
  expect(rows).toEqual([{ tables: 0 }]);
  await Promise.all([first.end(), second.end()]);
});

test("a private server listens on the loopback and asks for a password", async () => {
  const url = new URL(await serviceUrl("postgres"));
  expect(url.password).not.toBe("");
  url.password = "another";
  await expect(connected(url.href)).rejects.toThrow("password authentication failed");
});

test("Redis answers, and each prefix is another", async () => {
  const [one, other] = [await freshRedis(), await freshRedis()];
  expect(one.prefix).not.toBe(other.prefix);
  const { port, password, hostname } = new URL(one.url);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.end(password === "" ? "PING\r\nQUIT\r\n" : `AUTH ${password}\r\nPING\r\nQUIT\r\n`),
    );
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
    });
    socket.on("error", reject).on("close", () => resolve(text));
  });
  expect(answer).toContain("+PONG");
});

test("a server ends, and takes its folder with it, when whoever started it is killed", async () => {
  const server = new URL("./redis-server.ts", import.meta.url).href;
  const temporary = mkdtempSync(join(tmpdir(), "interlock-killed-"));
  chmodSync(temporary, 0o777);
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const code = `const { startRedis } = await import(${JSON.stringify(server)});
    process.stdout.write(new URL((await startRedis()).url).port + "\\n");
    setInterval(() => undefined, 1000);`;
  const { INTERLOCK_TEST_REDIS: _given, ...given } = process.env;
  const env = { ...given, TMPDIR: temporary };
  const starter = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", code], { env });
  const port = await new Promise<number>((resolve) => starter.stdout.once("data", (bytes) => resolve(Number(bytes))));
  const answers = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      }).on("error", () => resolve(false));
    });
  expect(await answers()).toBe(true);
  const folders = (): readonly string[] =>
    readdirSync(temporary).filter((name) => name.startsWith("interlock-service-"));
  expect(folders()).toHaveLength(1);
  starter.kill("SIGKILL");
  await until("its Redis is gone", async () => !(await answers()));
  await until("its folder is gone", () => folders().length === 0);
});

test("a proxy cuts, restores, and loses an answer that the service gave", async () => {
  const proxy = await startProxy(await freshDatabase());
  const client = await connected(proxy.url);
  await client.query("CREATE TABLE kept(x int)");
  const cut = proxy.cutAt("INSERT INTO kept", "service");
  await expect(client.query("INSERT INTO kept VALUES(1)")).rejects.toThrow();
  await cut;
  const again = await connected(proxy.url);
  expect((await again.query("SELECT x FROM kept")).rows).toEqual([{ x: 1 }]);
  const lost = proxy.cutAt("INSERT INTO kept", "nobody");
  await expect(again.query("INSERT INTO kept VALUES(2)")).rejects.toThrow();
  await lost;
  await proxy.cut();
  await expect(connected(proxy.url)).rejects.toThrow();
  await proxy.restore();
  const last = await connected(proxy.url);
  expect((await last.query("SELECT x FROM kept")).rows).toEqual([{ x: 1 }]);
  await last.end();
});
