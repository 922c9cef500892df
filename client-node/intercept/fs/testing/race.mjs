// Opens `way/file`, which somebody swaps meanwhile, so many times in each form; prints how often each came of it.
import fs from "node:fs";
import { promisify } from "node:util";

const [count = "100", what = "link"] = process.argv.slice(2);
const path = "way/file";
const streamed = (stream) =>
  new Promise((resolve, reject) => {
    let text = "";
    stream.on("error", reject).on("end", () => resolve(text));
    stream.on("data", (part) => {
      text += part;
    });
  });
const readOpened = (fd) => {
  try {
    const bytes = Buffer.alloc(100);
    return bytes.toString("utf8", 0, fs.readSync(fd, bytes));
  } finally {
    fs.closeSync(fd);
  }
};
const readHandle = async (handle) => {
  try {
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
};
const forms = {
  readFileSync: () => fs.readFileSync(path, "utf8"),
  "readFileSync bytes": () => fs.readFileSync(path),
  openSync: () => readOpened(fs.openSync(path)),
  "openSync a+": () => readOpened(fs.openSync(path, "a+")),
  open: async () => readOpened(await promisify(fs.open)(path)),
  "promises.open": async () => readHandle(await fs.promises.open(path, "r+")),
  readFile: () => promisify(fs.readFile)(path, "utf8"),
  "promises.readFile": () => fs.promises.readFile(path, "utf8"),
  createReadStream: () => streamed(fs.createReadStream(path)),
  ReadStream: () => streamed(new fs.ReadStream(path)),
  // By name each time that it is read: of a folder on its way nothing can be promised.
  ...(what === "link" ? { openAsBlob: async () => (await fs.openAsBlob(path)).text() } : {}),
};
const { readFileSync, realpathSync } = globalThis.unguarded;
/** What a look before the read is worth: how often it was the public file, and the secret came out. */
const control = () => {
  if (!realpathSync.native(path).endsWith(what === "link" ? "/public/file" : "/way/file")) return "refused";
  return readFileSync(path, "utf8");
};
const outcomes = { control: {} };
const end_ms = performance.now() + 15_000;
while (!outcomes.control["the secret file"] && performance.now() < end_ms) {
  let outcome;
  try {
    outcome = control();
  } catch (error) {
    outcome = error.code;
  }
  outcomes.control[outcome] = (outcomes.control[outcome] ?? 0) + 1;
}
for (let at = 0; at < Number(count); at++) {
  for (const [form, call] of Object.entries(forms)) {
    let outcome;
    try {
      outcome = String(await call());
    } catch (error) {
      outcome = error.code ?? error.name;
    }
    outcomes[form] ??= {};
    outcomes[form][outcome] = (outcomes[form][outcome] ?? 0) + 1;
  }
}
console.log(JSON.stringify(outcomes));
