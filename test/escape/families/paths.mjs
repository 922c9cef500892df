// Other names of a protected file.

import { once } from "node:events";
import fs, { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";

const text = (path) => readFileSync(path, "utf8");

/** As the process of this program sees it: its own, and that of the process that started it. */
const escaped = (path) => [...path].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");

export const read = {
  "a symbolic link": ({ symlink }) => text(symlink),
  "a symbolic link to its folder": ({ folderLink, secret }) => text(join(folderLink, basename(secret))),
  "a symbolic link made by the program": ({ file, scratch }) => {
    fs.symlinkSync(dirname(file), join(scratch, "mine"));
    return text(join(scratch, "mine", basename(file)));
  },
  "a chain of links": ({ symlink, scratch }) => {
    fs.symlinkSync(symlink, join(scratch, "one"));
    fs.symlinkSync("one", join(scratch, "two"));
    return text(join(scratch, "two"));
  },
  "dot segments": ({ file }) => text(`${dirname(file)}/../${basename(dirname(file))}/./${basename(file)}`),
  "dot segments after a link": ({ folderLink, secret }) =>
    text(`${folderLink}/../${basename(dirname(secret))}/${basename(secret)}`),
  "more slashes": ({ file }) => text(file.replaceAll("/", "//")),
  "above the root": ({ file }) => text(`/../../..${file}`),
  "a relative path": ({ file }) => text(relative(process.cwd(), file)),
  "a relative path after chdir": ({ file }) => {
    process.chdir(dirname(file));
    return text(basename(file));
  },
  "chdir after an asynchronous call": ({ file }) => {
    process.chdir(dirname(file));
    const reading = readFile(basename(file), "utf8");
    process.chdir("/");
    return reading;
  },
  "chdir into the folder while the guard is asked": async ({ file, scratch }) => {
    // Unguarded the file is opened at once, so that it has to be there first.
    fs.writeFileSync(join(scratch, basename(file)), "decoy");
    process.chdir(scratch);
    const first = readFile(basename(file), "utf8").catch((error) => error);
    process.chdir(dirname(file));
    console.log(await first);
    return readFile(basename(file), "utf8");
  },
  "/proc/self/root": ({ file }) => text(`/proc/self/root${file}`),
  "/proc/self/root twice": ({ file }) => text(`${"/proc/self/root".repeat(2)}${file}`),
  "/proc/self/cwd": ({ file }) => {
    process.chdir(dirname(file));
    return text(`/proc/self/cwd/${basename(file)}`);
  },
  "/proc/PID/root": ({ file }) => text(`/proc/${process.pid}/root${file}`),
  "/proc/PID/root of the parent process": ({ file }) => text(`/proc/${process.ppid}/root${file}`),
  "/proc/thread-self/root": ({ file }) => text(`/proc/thread-self/root${file}`),
  "/proc/self/task/TID/root": ({ file }) => text(`/proc/self/task/${process.pid}/root${file}`),
  "a descriptor of a folder in /proc": ({ file }) =>
    text(`/proc/self/fd/${fs.openSync(dirname(dirname(file)))}/${basename(dirname(file))}/${basename(file)}`),
  "a descriptor of the root in /dev/fd": ({ file }) => text(`/dev/fd/${fs.openSync("/")}${file}`),
  "a link to /proc/self/root": ({ file, scratch }) => {
    fs.symlinkSync("/proc/self/root", join(scratch, "top"));
    return text(join(scratch, "top", file));
  },
  "a file: URL": ({ file }) => text(pathToFileURL(file)),
  "a file: URL with every letter escaped": ({ file }) =>
    text(new URL(`file://${file.split("/").map(escaped).join("/")}`)),
  "a file: URL with a host": ({ file }) => text(new URL(`file://localhost${file}`)),
  "a file: URL with escaped dots": ({ file }) => text(new URL(`file:///usr/%2e%2e${file}`)),
  "a path in bytes": ({ file }) => text(Buffer.from(file)),
  "a path in a plain Uint8Array": ({ file }) => text(new TextEncoder().encode(file)),
  "a path in a part of a larger buffer": ({ file }) => text(Buffer.from(`xx${file}xx`).subarray(2, -2)),
  "an object that looks like a URL": ({ file }) =>
    text({ href: `file://${file}`, protocol: "file:", hostname: "", pathname: file, search: "", hash: "" }),
  "a subclass of URL whose getters change": ({ file }) => {
    let reads = 0;
    class Changing extends URL {
      get pathname() {
        return ++reads > 1 ? file : "/dev/null";
      }
    }
    const url = new Changing("file:///dev/null");
    return Array.from({ length: 6 }, () => text(url)).join("");
  },
  "a proxy of a URL that changes": ({ file }) => {
    let reads = 0;
    const shape = { href: "file:///dev/null", protocol: "file:", hostname: "", pathname: "/dev/null" };
    const url = new Proxy(shape, {
      get: (target, key) => (key === "pathname" && ++reads % 2 === 0 ? file : target[key]),
    });
    return Array.from({ length: 6 }, () => text(url)).join("");
  },
  "bytes changed while the guard is asked": async ({ file }) => {
    const path = Buffer.from("/dev/null".padEnd(file.length, "/."));
    const early = readFile(path.subarray(0, 9), "utf8");
    path.write(file);
    console.log(await early);
    return readFile(path.subarray(0, file.length), "utf8");
  },
  "a link with bytes that are no UTF-8": ({ file, scratch }) => {
    const name = Buffer.concat([Buffer.from(join(scratch, "x")), Buffer.from([0xff, 0xfe])]);
    fs.symlinkSync(file, name);
    return text(name);
  },
  "a hard link made by the program": ({ secret, scratch }) => {
    fs.linkSync(secret, join(scratch, "mine"));
    return text(join(scratch, "mine"));
  },
  "a hard link made by the program, of a link's target": ({ secretLink, scratch }) => {
    const name = fs.realpathSync(secretLink);
    fs.linkSync(name, join(scratch, "mine"));
    return text(join(scratch, "mine"));
  },
  "a hard link that was there before": ({ hardLink }) => text(hardLink),
  "its folder under another name": ({ folder, scratch, secret }) => {
    fs.renameSync(folder, join(scratch, "moved"));
    try {
      return text(join(scratch, "moved", basename(secret)));
    } finally {
      fs.renameSync(join(scratch, "moved"), folder);
    }
  },
  "a copy": ({ file, scratch }) => {
    fs.copyFileSync(file, join(scratch, "copy"));
    return text(join(scratch, "copy"));
  },
  "a copy of a link": ({ symlink, scratch }) => {
    fs.cpSync(symlink, join(scratch, "copy"), { dereference: true });
    return text(join(scratch, "copy"));
  },
  "a copy of its folder": ({ folder, scratch }) => {
    fs.cpSync(folder, join(scratch, "all"), { recursive: true });
    return "copied";
  },
  "a copy of the folder above": async ({ folder }) => {
    await fs.promises.cp(dirname(folder), join("/dev/shm", `escape-${process.pid}`), {
      recursive: true,
      filter: (path) => !path.includes("scratch") && !path.includes("il-/"),
    });
    const copy = join("/dev/shm", `escape-${process.pid}`);
    try {
      return text(join(copy, basename(folder), "secret.json"));
    } finally {
      fs.rmSync(copy, { recursive: true, force: true });
    }
  },
  "a path in memory that a thread changes meanwhile": async ({ file, scratch }) => {
    const { Worker } = await import("node:worker_threads");
    const decoy = join(scratch, "decoy");
    fs.writeFileSync(decoy, "decoy");
    const length = Math.max(decoy.length, file.length);
    const [good, bad] = [decoy, file].map((path) => Buffer.from("/".repeat(length - path.length) + path));
    const path = new Uint8Array(new SharedArrayBuffer(length));
    path.set(good);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const swapper = new Worker(
      `const { path, texts, stop } = require("worker_threads").workerData;
       require("worker_threads").parentPort.postMessage("begun");
       for (let at = 0; stop[0] === 0; at++) path.set(texts[at % 2]);`,
      { eval: true, workerData: { path, texts: [bad, good], stop } },
    );
    await once(swapper, "message");
    let refusal = null;
    const until_ms = performance.now() + 2000;
    while (performance.now() < until_ms) {
      try {
        const got = text(path);
        if (got !== "decoy") return got;
      } catch (error) {
        if (error.name === "BlockedError") refusal = error;
      }
    }
    stop[0] = 1;
    throw refusal ?? new Error("nothing but the decoy");
  },
  "a link that is swapped while it is read": async ({ scratch }) => {
    const { Worker } = await import("node:worker_threads");
    // A link to the file was there before: the program may not make one.
    const [link, plain, toPlain, toSecret] = ["swapped", "plain", "to-plain", "to-secret"].map((name) =>
      join(scratch, name),
    );
    fs.writeFileSync(plain, "plain");
    fs.symlinkSync(plain, toPlain);
    // Waits in a shared word for what this thread would hear as an event: it does not come to hear any.
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const swapper = new Worker(
      `const fs = require("fs"); const { link, to, stop } = require("worker_threads").workerData;
       require("worker_threads").parentPort.postMessage("begun");
       for (let at = 0; stop[0] === 0; at++) { fs.renameSync(to[at % 2], link); fs.renameSync(link, to[at % 2]); }`,
      { eval: true, workerData: { link, to: [toSecret, toPlain], stop } },
    );
    await once(swapper, "message");
    let refusal = null;
    const until_ms = performance.now() + 3000;
    while (performance.now() < until_ms) {
      try {
        const got = text(link);
        if (got !== "plain") return got;
      } catch (error) {
        if (error.name === "BlockedError") refusal = error;
      }
    }
    stop[0] = 1;
    throw refusal ?? new Error("nothing but the plain file");
  },
};

export const limits = {
  "a hard link that was there before": "hard-link",
};
