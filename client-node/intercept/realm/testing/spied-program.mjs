// Guarded calls of every group, in every form, after the spies are in place. Prints what they answered, and what the guard reached.
import child_process from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import { register } from "node:module";
import net from "node:net";
import { promisify } from "node:util";
import v8 from "node:v8";
import { Worker } from "node:worker_threads";
import { reachedByGuard, startSpying } from "./spies.mjs";

const folder = process.argv[2];
const plain = (value) =>
  typeof value === "object" && value !== null ? (Buffer.isBuffer(value) ? value.toString() : "object") : value;
const server = http.createServer((_request, response) => response.end("served")).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address();
const udp = dgram.createSocket("udp4").bind(0, "127.0.0.1");
await once(udp, "listening");

const write = process.stdout.write.bind(process.stdout);
const exit = process.exit.bind(process);
const { stringify } = JSON;
const said = [];
const { push } = Array.prototype;
const { apply } = Reflect;

const attempt = async (name, step) => {
  let outcome;
  try {
    outcome = plain(await step());
  } catch (error) {
    outcome = error.name === "BlockedError" ? "blocked" : `${error.name} ${error.cause?.name ?? error.message}`;
  }
  apply(push, said, [[name, outcome]]);
};
const called = (call) =>
  new Promise((resolve, reject) =>
    call((error, value) => (error instanceof Error ? reject(error) : resolve(value ?? error))),
  );
const emitted = (emitter, name) =>
  new Promise((resolve, reject) => emitter.once("error", reject).once(name, () => resolve(name)));
const textOf = async (stream) => {
  let all = "";
  for await (const part of stream) all += part;
  return all;
};

if (process.argv[3] === "spies") startSpying();

for (const file of ["plain", "blockme", "redirectme"]) {
  const path = `${folder}/${file}`;
  await attempt(`readFileSync ${file}`, () => fs.readFileSync(path, { encoding: "utf8" }));
  await attempt(`readFileSync bytes ${file}`, () => fs.readFileSync(Buffer.from(path), "utf8"));
  await attempt(`readFileSync url ${file}`, () => fs.readFileSync(new URL(`file://${path}`), "utf8"));
  await attempt(`promises.readFile ${file}`, () => fs.promises.readFile(path, "utf8"));
  await attempt(`readFile ${file}`, () => called((back) => fs.readFile(path, "utf8", back)));
  await attempt(`promisify ${file}`, () => promisify(fs.readFile)(path, "utf8"));
  await attempt(`existsSync ${file}`, () => fs.existsSync(path));
  await attempt(`exists ${file}`, () => new Promise((resolve) => fs.exists(path, resolve)));
  await attempt(`stream ${file}`, () => textOf(fs.createReadStream(path, { encoding: "utf8" })));
  await attempt(`openAsBlob ${file}`, async () => (await fs.openAsBlob(path)).text());
  await attempt(`realpath ${file}`, async () => (await fs.promises.realpath(path)) === path);
  await attempt(`readdirSync ${file}`, () => fs.readdirSync(`${path}-folder`).length);
  await attempt(`writeFileSync ${file}`, () => fs.writeFileSync(`${path}-written`, Buffer.alloc(70_000, "x")));
  await attempt(`writeFile ${file}`, () =>
    fs.promises.writeFile(`${path}-written`, "x".repeat(70_000), { mode: 0o600 }),
  );
  await attempt(`cp ${file}`, () =>
    fs.promises.cp(`${path}-folder`, `${path}-copy`, { recursive: true, filter: () => true }),
  );
  await attempt(`cpSync ${file}`, () => fs.cpSync(`${path}-folder`, `${path}-copy2`, { recursive: true }));
  await attempt(`rm ${file}`, () => fs.promises.rm(`${path}-copy`, { recursive: true }));
  await attempt(`rmSync ${file}`, () => fs.rmSync(`${path}-copy2`, { recursive: true }));
  await attempt(`watch ${file}`, () => fs.watch(path).close());
  await attempt(`execFileSync ${file}`, () => child_process.execFileSync("echo", [file], { encoding: "utf8" }));
  await attempt(`execSync ${file}`, () =>
    child_process.execSync(`echo ${file}`, { encoding: "utf8", env: { A: "1" } }),
  );
  await attempt(`spawnSync ${file}`, () => child_process.spawnSync("echo", [file], { encoding: "utf8" }).stdout);
  await attempt(`spawn ${file}`, () => textOf(child_process.spawn("echo", [file]).stdout));
  await attempt(`exec ${file}`, () => called((back) => child_process.exec(`echo ${file}`, back)));
  await attempt(
    `execFile promisified ${file}`,
    async () => (await promisify(child_process.execFile)("echo", [file])).stdout,
  );
  await attempt(`fork ${file}`, async () => emitted(child_process.fork(`${folder}/child.cjs`, [file]), "exit"));
  await attempt(`Worker ${file}`, () =>
    emitted(new Worker(`${file};`, { eval: true, stderr: true, env: { A: "1" } }), "exit"),
  );
  await attempt(`dlopen ${file}`, () => process.dlopen({ exports: {} }, path));
  await attempt(`lookup ${file}`, () => called((back) => dns.lookup(file === "plain" ? "localhost" : file, back)));
  await attempt(`promises.lookup ${file}`, () => dns.promises.lookup(file === "plain" ? "localhost" : file));
  await attempt(`fetch ${file}`, async () =>
    (await fetch(`http://127.0.0.1:${port}/${file}`, { headers: { a: "b" }, method: "POST", body: "x" })).text(),
  );
  await attempt(`fetch Request ${file}`, async () =>
    (await fetch(new Request(`http://127.0.0.1:${port}/${file}`))).text(),
  );
  await attempt(`http.get ${file}`, async () => {
    const [response] = await once(
      http.get({ host: "127.0.0.1", port, path: `/${file}`, headers: { a: "b" }, agent: false }),
      "response",
    );
    return textOf(response);
  });
  await attempt(`http.request ${file}`, () =>
    emitted(http.request(new URL(`http://127.0.0.1:${port}/${file}`)).end(), "response"),
  );
  await attempt(`http2 ${file}`, async () => {
    const session = http2.connect(file === "plain" ? `http://127.0.0.1:${port}` : `http://${file}:${port}`);
    try {
      return await emitted(session, "connect");
    } finally {
      session.destroy();
    }
  });
  await attempt(`net.connect ${file}`, async () => {
    const socket = net.connect({ port, host: file === "plain" ? "localhost" : file });
    try {
      return await emitted(socket, "connect");
    } finally {
      socket.destroy();
    }
  });
  await attempt(`dgram ${file}`, () => {
    const to = file === "plain" ? "127.0.0.1" : file;
    return called((back) => udp.send("x", udp.address().port, to, back));
  });
}
for (const file of ["plain", "blockme"]) {
  const path = `${folder}/${file}`;
  await attempt(`loadEnvFile ${file}`, () => process.loadEnvFile(path));
  await attempt(`writeReport ${file}`, () => typeof process.report.writeReport(`${path}-report`));
  await attempt(`writeHeapSnapshot ${file}`, () => v8.writeHeapSnapshot(`${path}/none`));
  await attempt(`register ${file}`, () => register(`data:text/javascript,${file}`));
  await attempt(`promises.watch ${file}`, async () => {
    const { signal } = new AbortController();
    const watcher = fs.promises.watch(path, { signal });
    setTimeout(() => fs.utimesSync(path, 1, 1), 50);
    for await (const { eventType } of watcher) return eventType;
  });
  await attempt(`FileHandle ${file}`, async () => {
    const handle = await fs.promises.open(path);
    try {
      return await fs.promises.readFile(handle, "utf8");
    } finally {
      await handle.close();
    }
  });
  await attempt(`appendFileSync ${file}`, () => fs.appendFileSync(`${path}-written`, new DataView(new ArrayBuffer(3))));
  await attempt(`symlinkSync ${file}`, () => fs.symlinkSync(path, `${path}-link`));
  await attempt(`link ${file}`, () => fs.readFileSync(`${path}-link`, "utf8"));
  await attempt(`utimes ${file}`, () => fs.promises.utimes(path, new Date(1000), new Date(2000)));
  await attempt(`resolve4 ${file}`, () => dns.promises.resolve4(file === "plain" ? "" : file));
  await attempt(`setServers ${file}`, () => dns.setServers([file === "plain" ? "127.0.0.1" : `${file}.invalid`]));
  await attempt(`headers ${file}`, async () => {
    const headers = [["a", file]];
    const [response] = await once(
      http.get({ host: "127.0.0.1", port, headers, setHost: false, agent: false }),
      "response",
    );
    return textOf(response);
  });
  await attempt(`stdio ${file}`, async () => {
    const child = child_process.spawn("echo", [file], {
      stdio: ["ignore", "pipe", "ignore"],
      cwd: new URL(`file://${folder}`),
    });
    return textOf(child.stdout);
  });
  await attempt(`argv ${file}`, () =>
    emitted(new Worker("0", { eval: true, argv: [file], execArgv: [], stderr: true }), "exit"),
  );
  await attempt(`ChildProcess ${file}`, () => {
    const child = new child_process.ChildProcess();
    child.spawn({ file: "true", args: ["true", file], stdio: "ignore", envPairs: ["A=1"] });
    return emitted(child, "exit");
  });
  await attempt(`dgram connect ${file}`, async () => {
    const socket = dgram.createSocket("udp4");
    try {
      socket.connect(9, file === "plain" ? "127.0.0.1" : file);
      return await emitted(socket, "connect");
    } finally {
      socket.close();
    }
  });
}
await attempt("setFlagsFromString", () => v8.setFlagsFromString("--expose-gc"));
await attempt("natives", () => v8.setFlagsFromString("--allow-natives-syntax"));
await attempt("handles", () => process._getActiveHandles().length > 0);
await attempt("kill", () => process.kill(process.pid, 0));
await attempt("binding", () => process.binding("fs"));
await attempt("net.dial", () => emitted(net.connect(port, "127.0.0.9"), "connect"));

const list = [];
reachedByGuard().forEach((name) => {
  apply(push, list, [name]);
});
write(`${stringify({ said, reached: list.sort() })}\n`, () => exit(0));
