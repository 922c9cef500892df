// Code of the program's that runs inside of a step of the guard's own, or when the process is about to end.
"use strict";
const { AsyncLocalStorage, createHook } = require("node:async_hooks");
const channels = require("node:diagnostics_channel");
const fs = require("node:fs");
const { writeSync } = fs;

const say = (text) => writeSync(1, `${text}\n`);
const tried = (step) => {
  try {
    say(step());
  } catch (error) {
    say(error.name);
  }
};

/** Runs a step in each callback of async_hooks, while the guard is asked, and once more afterwards. */
const inHooks = async (step) => {
  let isIn = false;
  const again = () => {
    if (isIn) return;
    isIn = true;
    try {
      step();
    } finally {
      isIn = false;
    }
  };
  const hook = createHook({ init: again, before: again, after: again, destroy: again, promiseResolve: again }).enable();
  try {
    fs.statSync("/");
    await fs.promises.stat("/");
    await new Promise((resolve) => fs.stat("/", resolve));
    await new Promise((resolve) => require("node:child_process").exec("true", resolve));
  } finally {
    hook.disable();
  }
  step();
};

exports.read = {
  "a hook that reads": async ({ file }) => {
    let got = "";
    await inHooks(() => {
      try {
        got ||= fs.readFileSync(file, "utf8");
      } catch (error) {
        say(error.name);
      }
    });
    return got;
  },
  "a hook that reads later": async ({ file }) => {
    const all = [];
    await inHooks(() => {
      if (all.length < 20) all.push(fs.promises.readFile(file, "utf8").catch((error) => error.name));
    });
    return (await Promise.all(all)).join();
  },
  "a hook that opens": async ({ file }) => {
    const streams = [];
    await inHooks(() => {
      if (streams.length < 20)
        streams.push(
          fs
            .createReadStream(file)
            .on("error", (error) => say(error.name))
            .on("data", say),
        );
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    return "";
  },
  "a hook inside of a copy": async ({ file, scratch }) => {
    fs.mkdirSync(`${scratch}/a`);
    fs.writeFileSync(`${scratch}/a/x`, "x");
    const hook = createHook({
      init() {
        hook.disable();
        tried(() => fs.readFileSync(file, "utf8"));
        tried(() => String(fs.copyFileSync(file, `${scratch}/loot`)));
        hook.enable();
      },
    }).enable();
    await fs.promises.cp(`${scratch}/a`, `${scratch}/b`, { recursive: true });
    hook.disable();
    return "copied";
  },
  "a filter inside of a copy": async ({ file, scratch }) => {
    fs.mkdirSync(`${scratch}/a`);
    fs.cpSync(`${scratch}/a`, `${scratch}/b`, {
      recursive: true,
      filter: () => {
        tried(() => fs.readFileSync(file, "utf8"));
        tried(() => fs.copyFileSync(file, `${scratch}/loot`));
        return true;
      },
    });
    return "copied";
  },
  "a store that is entered with the guard's own": async ({ file }) => {
    const storage = new AsyncLocalStorage();
    return storage.run({}, () => fs.promises.stat("/").then(() => fs.promises.readFile(file, "utf8")));
  },
  "a snapshot of the context inside of a copy": async ({ file, scratch }) => {
    let within = null;
    fs.mkdirSync(`${scratch}/a`);
    await fs.promises.cp(`${scratch}/a`, `${scratch}/b`, {
      recursive: true,
      filter: async () => {
        within = AsyncLocalStorage.snapshot();
        return true;
      },
    });
    return within(() => fs.promises.readFile(file, "utf8"));
  },
  "a channel's subscriber": async ({ file, open }) => {
    for (const name of [
      "net.client.socket",
      "http.client.request.start",
      "undici:request:create",
      "module.require.start",
    ]) {
      channels.subscribe(name, () => tried(() => fs.readFileSync(file, "utf8")));
    }
    require("node:http")
      .get({ port: open, host: "127.0.0.1" })
      .on("error", () => undefined);
    await fetch(`http://127.0.0.1:${open}/`);
    return "subscribed";
  },
  "process.on exit": ({ file }) => {
    process.on("exit", () => tried(() => fs.readFileSync(file, "utf8")));
    return "";
  },
  "process.finalization": ({ file }) => {
    process.finalization.registerBeforeExit(globalThis, () => tried(() => fs.readFileSync(file, "utf8")));
    process.finalization.register(globalThis, () => tried(() => fs.readFileSync(file, "utf8")));
    return "";
  },
  "an uncaught exception": ({ file }) =>
    new Promise((resolve) => {
      process.on("uncaughtException", () => {
        tried(() => fs.readFileSync(file, "utf8"));
        resolve("caught");
      });
      setTimeout(() => {
        throw new Error("on purpose");
      });
    }),
  "an unhandled rejection": ({ file }) =>
    new Promise((resolve) => {
      process.on("unhandledRejection", () => {
        tried(() => fs.readFileSync(file, "utf8"));
        resolve("caught");
      });
      Promise.reject(new Error("on purpose"));
    }),
  "an exception capture callback": ({ file }) =>
    new Promise((resolve) => {
      process.setUncaughtExceptionCaptureCallback(() => {
        tried(() => fs.readFileSync(file, "utf8"));
        resolve("caught");
      });
      setTimeout(() => {
        throw new Error("on purpose");
      });
    }),
  "a signal's handler": ({ file }) =>
    new Promise((resolve) => {
      process.on("SIGUSR2", () => {
        tried(() => fs.readFileSync(file, "utf8"));
        resolve("caught");
      });
      setTimeout(resolve, 3000, "not caught");
      process.kill(process.pid, "SIGUSR2");
    }),
  "a warning's handler": ({ file }) =>
    new Promise((resolve) => {
      process.on("warning", () => {
        tried(() => fs.readFileSync(file, "utf8"));
        resolve("caught");
      });
      process.emitWarning("on purpose");
    }),
  "a message that waits": ({ file }) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        tried(() => fs.readFileSync(file, "utf8"));
        port1.close();
        resolve("caught");
      };
      port2.postMessage(1);
    }),
  "a getter of the options while the guard is asked": ({ file }) => {
    let got = "";
    const options = {
      get encoding() {
        tried(() => (got = fs.readFileSync(file, "utf8")));
        return "utf8";
      },
    };
    fs.readFileSync("/dev/null", options);
    return got;
  },
  "Error.prepareStackTrace inside of a refusal": ({ file }) => {
    const functions = new Set();
    Error.prepareStackTrace = (_error, sites) => {
      for (const site of sites) {
        for (const name of ["getFunction", "getThis"]) {
          const found = site[name]?.();
          if (typeof found === "function") functions.add(found);
        }
      }
      return "";
    };
    try {
      void fs.readFileSync(file, {
        get encoding() {
          return new Error().stack;
        },
      });
    } catch (error) {
      void error.stack;
    }
    for (const each of functions) {
      try {
        const got = each(file, "utf8");
        if (typeof got === "string" && got.length > 10) return got;
      } catch {}
    }
    Error.prepareStackTrace = undefined;
    return fs.readFileSync(file, "utf8");
  },
  "an overflow of the stack": ({ file }) => {
    let got = null;
    let refused = null;
    const deeper = () => {
      try {
        deeper();
      } catch {
        if (got !== null) return;
        try {
          got = fs.readFileSync(file, "utf8");
        } catch (error) {
          if (error.name === "BlockedError") refused = error;
        }
      }
    };
    deeper();
    if (got === null && refused !== null) throw refused;
    return got ?? fs.readFileSync(file, "utf8");
  },
};

exports.run = {
  "a hook that starts it": async () => {
    await inHooks(() =>
      tried(() => require("node:child_process").execFileSync("id", { encoding: "utf8", stdio: "pipe" })),
    );
    return "";
  },
  "a hook that starts it later": async () => {
    let starts = 0;
    await inHooks(() => {
      if (starts++ < 10) {
        try {
          const child = require("node:child_process").spawn("id", { stdio: ["ignore", "inherit", "ignore"] });
          child.on("error", (error) => say(error.name));
        } catch (error) {
          say(error.name);
        }
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    return "";
  },
  "process.on exit, to run": () => {
    process.on("exit", () => tried(() => require("node:child_process").execFileSync("id", { encoding: "utf8" })));
    return "";
  },
};

/** Connections that begin in a hook: each way by itself. */
const dialing = (step) => async (stage) => {
  let dials = 0;
  await inHooks(() => {
    if (dials++ >= 20) return;
    try {
      step(stage)?.on?.("error", (error) => say(`${error.name} ${error.code}`));
    } catch (error) {
      say(error.name);
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  return "";
};

exports.reach = {
  "a hook that connects": dialing(({ port }) => require("node:net").connect(port, "127.0.0.1")),
  "a hook that requests": dialing(({ port }) => require("node:http").get({ port, host: "127.0.0.1" })),
  "a hook that makes a request": dialing(({ port }) =>
    new (require("node:http").ClientRequest)({ port, host: "127.0.0.1" }).end(),
  ),
  "a hook that fetches": dialing(
    ({ port }) => void fetch(`http://127.0.0.1:${port}/`).catch((error) => say(`${error.name} ${error.cause?.name}`)),
  ),
  "a hook that opens a WebSocket": dialing(
    ({ port }) => void (new WebSocket(`ws://127.0.0.1:${port}/`).onerror = () => say("the WebSocket's error event")),
  ),
  "a hook that sends a datagram": dialing(
    ({ port }) =>
      void require("node:dgram")
        .createSocket("udp4")
        .send("x", port, "127.0.0.1", (error) => say(error?.name)),
  ),
  "a channel's subscriber that connects": async ({ port, open }) => {
    const net = require("node:net");
    let dials = 0;
    channels.subscribe("net.client.socket", () => {
      if (dials++ < 3) net.connect(port, "127.0.0.1").on("error", (error) => say(error.name));
    });
    net.connect(open, "127.0.0.1").on("error", () => undefined);
    await fs.promises.stat("/");
    await new Promise((resolve) => setTimeout(resolve, 200));
    return "";
  },
};
