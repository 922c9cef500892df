import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseIdentity } from "../../../wire/server-identity.ts";
import { commandIdentity, urlIdentity } from "./server-identity.ts";

const filesystem = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
);
const directory = realpathSync(mkdtempSync(join(tmpdir(), "il-id-")));

const put = (path: string, text: string): string => {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
};
const digest = (bytes: string | Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

test("a script of an interpreter is known by its own bytes, its package and what the lock file says of that", async () => {
  const identity = await commandIdentity(process.execPath, [filesystem, "/tmp"], process.env);
  expect(identity).toEqual({
    kind: "stdio",
    command: realpathSync(process.execPath),
    args: digest(JSON.stringify([filesystem, "/tmp"])),
    executable: digest(readFileSync(filesystem)),
    package: {
      // As whoever installed it has it: a lock file may leave out where a package was got.
      registry: expect.stringMatching(/^(https?:\/\/[^/]+|unknown)$/),
      name: "@modelcontextprotocol/server-filesystem",
      version: "2026.8.31",
      integrity: expect.stringMatching(/^sha512-/),
    },
  });
  expect(parseIdentity(identity as never, "id")).toEqual(identity);
});

test("a command is found as a shell finds it, and links are followed to the file that runs", async () => {
  const script = put("pkg/server.js", "#!/usr/bin/env node\n");
  put("pkg/package.json", '{"name":"own","version":"0.1.0"}');
  mkdirSync(join(directory, "bin"));
  symlinkSync(script, join(directory, "bin", "own-server"));
  const identity = await commandIdentity("own-server", [], { PATH: `/nowhere:${join(directory, "bin")}` });
  expect(identity).toMatchObject({
    command: script,
    executable: digest("#!/usr/bin/env node\n"),
    // Nobody says where it came from: no registry that a policy allows is named so.
    package: { registry: "unknown", name: "own", version: "0.1.0", integrity: null },
  });
});

test("a lock file says where a package came from; one of another version says nothing of this one", async () => {
  const file = put("app/node_modules/dep/index.js", "1");
  put("app/node_modules/dep/package.json", '{"name":"dep","version":"2.0.0"}');
  const entry = { version: "1.0.0", resolved: "https://registry.npmjs.org/dep/-/dep-1.0.0.tgz", integrity: "sha512-a" };
  const locked = put("app/node_modules/kept/index.js", "1");
  put("app/node_modules/kept/package.json", '{"name":"kept","version":"1.0.0"}');
  put("app/package-lock.json", JSON.stringify({ packages: { "node_modules/dep": entry, "node_modules/kept": entry } }));
  expect(await commandIdentity("node", [locked], process.env)).toMatchObject({
    package: { registry: "https://registry.npmjs.org", name: "kept", version: "1.0.0", integrity: "sha512-a" },
  });
  const { package: dep } = (await commandIdentity("node", [file], process.env)) as { package: unknown };
  expect(dep).toEqual({ registry: "unknown", name: "dep", version: "2.0.0", integrity: null });
});

test("a launcher's package is known where its version is exact, and never by what else it runs", async () => {
  const of = async (command: string, ...args: string[]) =>
    ((await commandIdentity(command, args, process.env)) as { package: unknown }).package;
  const npm = { registry: "https://registry.npmjs.org", version: "1.2.3", integrity: null };
  expect(await of("npx", "-y", "@acme/mcp@1.2.3", filesystem)).toEqual({ ...npm, name: "@acme/mcp" });
  expect(await of("npx", "-p", "acme@1.2.3", "acme-server")).toEqual({ ...npm, name: "acme" });
  expect(await of("uvx", "acme==1.2.3")).toEqual({
    registry: "https://pypi.org",
    name: "acme",
    version: "1.2.3",
    integrity: null,
  });
  for (const spec of ["acme", "acme@latest", "acme@^1.2.3", "https://example.com/acme.tgz"]) {
    expect(await of("npx", spec)).toBe(null);
  }
});

test("what is not there is said not to be known", async () => {
  expect(await commandIdentity("no-such-program", [], { PATH: "" })).toMatchObject({
    command: "no-such-program",
    executable: null,
    package: null,
  });
});

test("a URL is named without its query, which may be a secret", async () => {
  expect(await urlIdentity(new URL("http://127.0.0.1:1/mcp?key=s3cret#x"))).toEqual({
    kind: "http",
    url: "http://127.0.0.1:1/mcp",
    tls_key: null,
  });
});
