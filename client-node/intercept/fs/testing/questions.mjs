// What is asked for each call, in the folder it is run in. Prints one line of JSON.
import { createHook } from "node:async_hooks";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { promisify } from "node:util";
import { hooks, installed, originals, questions } from "./recording.mjs";

const asked = {};
const seen = async (label, call) => {
  questions.length = 0;
  try {
    await call();
  } catch (error) {
    asked[`${label} failed`] = error.message;
  }
  asked[label] = [...questions];
};
const called = (name, ...args) => promisify(fs[name])(...args);
const streamed = (stream) => new Promise((resolve) => stream.on("close", resolve).resume?.());

fs.mkdirSync("tree/inner", { recursive: true });
fs.writeFileSync("file", "text");
fs.symlinkSync("tree", "link");
fs.writeFileSync("tree/inner/leaf", "x");

await seen("readFile", () => called("readFile", "file", "utf8"));
await seen("readFileSync", () => fs.readFileSync("file", { encoding: "utf8" }));
await seen("readFileSync, bytes", () => fs.readFileSync("file"));
await seen("promises.readFile", () => fs.promises.readFile("file"));
await seen("writeFile", () =>
  called("writeFile", "file", "data", { mode: 0o600, signal: new AbortController().signal }),
);
await seen("writeFileSync, bytes", () => fs.writeFileSync("file", Buffer.from("data")));
await seen("appendFile", () => called("appendFile", "file", "data"));
await seen("appendFileSync", () => fs.appendFileSync("file", "data"));
await seen("truncate", () => called("truncate", "file", 2));
await seen("truncateSync", () => fs.truncateSync("file", 1));
await seen("exists", () => called("exists", "file"));
await seen("realpath", () => called("realpath", "link/inner"));
await seen("rename", () => called("rename", "file", "moved"));
await seen("symlink", () => fs.symlinkSync("moved", "file"));
await seen("utimes", () => fs.utimesSync("moved", new Date(1000), 2));
await seen("chown", () => fs.promises.chown("moved", process.getuid(), process.getgid()));
await seen("cp", () => called("cp", "tree", "copied", { recursive: true }));
await seen("cpSync", () => fs.cpSync("tree", "copied2", { recursive: true, filter: () => true }));
await seen("promises.cp", () => fs.promises.cp("tree", "copied3", { recursive: true }));
await seen("rm", () => called("rm", "copied", { recursive: true }));
await seen("rmSync", () => fs.rmSync("copied2", { recursive: true }));
await seen("promises.rm", () => fs.promises.rm("copied3", { recursive: true }));
await seen("open", () => fs.closeSync(fs.openSync("moved", "r", 0o600)));
await seen("createReadStream", () => streamed(fs.createReadStream("moved")));
await seen("createWriteStream", () => streamed(fs.createWriteStream("moved").end("x")));
await seen("new ReadStream", () => streamed(new fs.ReadStream("moved")));
if (fs.globSync) {
  await seen("glob", () => called("glob", "**/leaf", { cwd: "tree" }));
  await seen("globSync", () => fs.globSync("**/leaf", { cwd: "tree" }));
  await seen("promises.glob", async () => {
    for await (const _ of fs.promises.glob("**/leaf", { cwd: "tree" }));
  });
}
const large = Buffer.alloc(1 << 20, 1);
await seen("large data", () => fs.promises.writeFile("large", large));
const digestOf = (path) => createHash("sha256").update(originals.readFileSync(path)).digest("hex");
/** Is what was written what was shown? */
const judgedIsWritten = async (label, write) => {
  await seen(label, write);
  asked[`${label} is written`] = asked[label][0][1].data.sha256 === digestOf("large");
};
await judgedIsWritten("large bytes that change", () => {
  const writing = fs.promises.writeFile("large", large);
  large.fill(2);
  return writing;
});
await judgedIsWritten("a large list that changes", () => {
  const list = [large, "text \u{1f600}".repeat(100_000), new Uint16Array(large.buffer, 0, 100)];
  const writing = fs.promises.writeFile("large", list);
  large.fill(3);
  return writing;
});
await judgedIsWritten("large shared memory that changes", () => {
  const shared = new Uint8Array(new SharedArrayBuffer(1 << 20)).fill(4);
  hooks.before = () => shared.fill(5);
  try {
    fs.writeFileSync("large", shared);
  } finally {
    hooks.before = () => {};
  }
});
await judgedIsWritten("large text", () => called("writeFile", "large", "\u{1f600}\ud800 text".repeat(200_000)));

// What was judged is what runs.
await seen("a getter that counts", async () => {
  let reads = 0;
  const options = {
    get encoding() {
      return reads++ === 0 ? "utf8" : "hex";
    },
  };
  asked.value = fs.readFileSync("moved", options);
});
await seen("a path that changes its bytes", async () => {
  const path = Buffer.from("moved");
  const read = fs.promises.readFile(path, "utf8");
  path.write("other");
  asked.bytes = await read;
});
await seen("a URL by shape that changes", () => {
  let reads = 0;
  fs.readFileSync({
    href: "file:///x",
    protocol: "file:",
    hostname: "",
    get pathname() {
      return reads++ === 0 ? `${process.cwd()}/moved` : `${process.cwd()}/secret/x`;
    },
  });
});
await seen("a proxy that becomes a URL", () => {
  let reads = 0;
  fs.readFileSync(
    new Proxy(
      {},
      {
        get: (_, key) =>
          reads++ < 8
            ? undefined
            : { href: "file:///x", protocol: "file:", hostname: "", pathname: `${process.cwd()}/secret/x` }[key],
      },
    ),
  );
});
await seen("a getter that reads inside of another call", () => {
  fs.writeFileSync("moved", "x", {
    get flag() {
      try {
        fs.readFileSync("secret/x");
      } catch {
        // Whether it was refused is not asked here: `seen` wants the question.
      }
      return "w";
    },
  });
});
await seen("a filter that reads inside of cp", () =>
  fs.promises.cp("tree", "copied4", {
    recursive: true,
    filter: (from) => {
      fs.lstatSync(from);
      return true;
    },
  }),
);
await seen("a hook that reads inside of cp", async () => {
  let isFirst = true;
  const hook = createHook({
    init() {
      if (!isFirst) return;
      isFirst = false;
      fs.promises.lstat("secret/file").catch(() => {});
    },
  });
  const filter = () => {
    hook.enable();
    return true;
  };
  await fs.promises.cp("tree", "copied5", { recursive: true, filter });
  hook.disable();
});
await seen(
  "a callback of realpath that reads",
  () => new Promise((resolve) => fs.realpath("tree", () => fs.lstat("secret", resolve))),
);
await seen("a link that is swapped while it is asked about", () => {
  fs.symlinkSync("moved", "swapped");
  hooks.before = () => {
    hooks.before = () => {};
    originals.unlinkSync("swapped");
    originals.symlinkSync("secret", "swapped");
  };
  fs.readFileSync("swapped");
});

// What is opened is what was judged: a stream opens its file after it was asked for.
const ends = (stream) =>
  new Promise((resolve, reject) => {
    let text = "";
    stream.on("error", reject).on("close", () => resolve(text));
    if (stream instanceof fs.ReadStream)
      stream.on("data", (part) => {
        text += part;
      });
    else stream.end("written");
  });
const leadsTo = (target) => {
  originals.symlinkSync(target, "newer");
  originals.renameSync("newer", "later");
};
const swap = async (label, from, to, open) => {
  await seen(label, async () => {
    leadsTo(from);
    const stream = open();
    leadsTo(to);
    asked[`${label} text`] = await ends(stream);
  });
};
originals.writeFileSync("first", "the first");
originals.writeFileSync("second", "the second");
await swap("a link swapped to the secret", "first", "secret/file", () => fs.createReadStream("later"));
await swap("a link swapped to another file", "first", "second", () => fs.createReadStream("later"));
await swap("a write through a link swapped to the secret", "first", "secret/file", () => fs.createWriteStream("later"));
asked["the secret afterwards"] = originals.readFileSync("secret/file", "utf8");
await seen("a stream whose path and flags are changed", async () => {
  const stream = fs.createReadStream("first");
  Object.assign(stream, { path: "secret/file", flags: "w" });
  asked["changed stream"] = await ends(stream);
});
await seen("a file that is gone when it is opened", () => {
  const fd = originals.openSync("first", "r");
  originals.unlinkSync("first");
  asked["gone file"] = fs.readFileSync(`/proc/self/fd/${fd}`, "utf8");
  originals.closeSync(fd);
});

// Rewrites that cannot come to anything.
for (const rewrite of [{ resolved_path: "/x" }, { path: 5 }, { nonsense: true }, { path: "a\0b" }]) {
  hooks.rewrite = rewrite;
  await seen(`rewrite ${JSON.stringify(rewrite)}`, () => fs.promises.readFile("moved"));
}
hooks.rewrite = { options: "hex" };
await seen("an option that the caller did not pass", async () => {
  asked.hex = await called("readFile", "moved");
});
hooks.rewrite = undefined;

const { readFile, exists } = fs;
asked.shape = [
  readFile.name,
  readFile.length,
  fs.realpath.native.name,
  typeof exists[promisify.custom],
  fs.promises.readFile.constructor.name,
];
installed.uninstall();
questions.length = 0;
readFile("moved", () => {});
fs.readFileSync("moved");
asked.uninstalled = [...questions];
console.log(JSON.stringify(asked).replaceAll(process.cwd(), "HERE"));
