import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { localCoordination } from "./local.ts";
import { openCoordination } from "./open.ts";
import { type Deployment, deployment, withPrefix } from "./redis/test-daemons.ts";

let shared: Deployment;
beforeAll(async () => {
  shared = await deployment();
});

const home = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "il-coordination-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

const open = (deployment_key: string, coordination = withPrefix(shared.url, shared.prefix)) =>
  openCoordination(
    { coordination, deployment_key },
    { chain: "c".repeat(32), when: "start", log: () => undefined },
  ).then((opened) => {
    onTestFinished(async () => opened.coordination.close());
    return opened;
  });

test("local needs no key and makes none", async () => {
  const key = join(home(), "deployment.key");
  const opened = await open(key, "local");
  expect(opened.key).toBeNull();
  expect(opened.coordination).toBe(localCoordination);
  expect(existsSync(key)).toBe(false);
});

describe("the deployment's key", () => {
  test("is made by the first daemon, for its owner alone, and read again", async () => {
    const path = join(home(), "deployment.key");
    const first = await open(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(first.key).toEqual(new Uint8Array(readFileSync(path)));
    expect((await open(path)).key).toEqual(first.key);
  });

  test("that is missing where other daemons have one is asked for, and not made", async () => {
    const path = join(home(), "deployment.key");
    await expect(open(path)).rejects.toThrow(
      expect.objectContaining({ exitCode: 5, message: expect.stringContaining("copy the file from one of them") }),
    );
    expect(existsSync(path)).toBe(false);
  });

  test("of another deployment is refused", async () => {
    const path = join(home(), "deployment.key");
    writeFileSync(path, new Uint8Array(32).fill(9), { mode: 0o600 });
    await expect(open(path)).rejects.toThrow(
      expect.objectContaining({ exitCode: 5, message: expect.stringContaining("another deployment_key") }),
    );
  });

  test("that others can read is refused", async () => {
    const path = join(home(), "deployment.key");
    writeFileSync(path, new Uint8Array(32));
    chmodSync(path, 0o644);
    await expect(open(path)).rejects.toThrow("must be a file of yours with mode 600");
  });
});

test("a Redis that cannot be reached is refused before a key is made", async () => {
  const path = join(home(), "deployment.key");
  await expect(open(path, "redis://:hunter2@127.0.0.1:1/0")).rejects.toThrow(
    expect.objectContaining({
      exitCode: 5,
      message: "coordination: cannot use redis://127.0.0.1:1/0: ECONNREFUSED",
    }),
  );
  expect(existsSync(path)).toBe(false);
});
