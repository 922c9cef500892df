// fetch and the other clients of the web.
import http from "node:http";
import vm from "node:vm";
import { dialed } from "./_help.mjs";

const text = async (...args) => (await fetch(...args)).text();
const local = "127.0.0.1";
const hop = (open, url) => `http://${local}:${open}/to?${encodeURIComponent(url)}`;
const dispatcher = Symbol.for("undici.globalDispatcher.1");

/** Follows what an answer says, as a program without fetch does. */
const followed = async (url) => {
  const response = await new Promise((resolve, reject) => http.get(url, resolve).on("error", reject));
  response.resume();
  return dialed(http.get(response.headers.location));
};

export const reach = {
  fetch: ({ port }) => text(`http://${local}:${port}/`),
  "globalThis.fetch, captured": ({ port }) => Reflect.apply(globalThis.fetch, undefined, [`http://${local}:${port}/`]),
  "fetch of a URL": ({ port }) => text(new URL(`http://${local}:${port}/`)),
  "fetch of a Request": ({ port }) => text(new Request(`http://${local}:${port}/`)),
  "fetch of a clone of a Request": ({ port }) => text(new Request(new Request(`http://${local}:${port}/`).clone())),
  "fetch of a Request that says another url": ({ port, open }) => {
    class Lying extends Request {
      get url() {
        return `http://${local}:${open}/`;
      }
    }
    return text(new Lying(`http://${local}:${port}/`));
  },
  "fetch of an object that changes as text": async ({ port, open }) => {
    let reads = 0;
    const changing = { toString: () => `http://${local}:${++reads > 1 ? port : open}/` };
    return `${await text(changing)}${await text(changing)}`;
  },
  "fetch in a function of text": ({ port }) => new Function("url", "return fetch(url)")(`http://${local}:${port}/`),
  "fetch in an indirect eval": ({ port }) => (0, eval)(`fetch("http://${local}:${port}/")`),
  "fetch handed to another context": ({ port }) =>
    vm.runInNewContext("fetch(url)", { fetch, url: `http://${local}:${port}/` }),
  "fetch of this context": ({ port }) => vm.runInThisContext(`fetch("http://${local}:${port}/")`),
  "a redirect of fetch": ({ port, open }) => text(hop(open, `http://${local}:${port}/`)),
  "a redirect to the blocked address": ({ open, address }) => text(hop(open, `http://${address}:${open}/`)),
  "a redirect after a redirect": ({ port, open }) => text(hop(open, hop(open, `http://${local}:${port}/`))),
  "a redirect to another spelling": ({ open }) => text(hop(open, `http://0x7f.9:${open}/`)),
  "a redirect that the program follows": async ({ port, open }) => {
    const { headers } = await fetch(hop(open, `http://${local}:${port}/`), { redirect: "manual" });
    return text(headers.get("location"));
  },
  "a redirect of http": ({ port, open }) => followed(hop(open, `http://${local}:${port}/`)),
  "fetch with a dispatcher of its own": async ({ port, open }) => {
    await text(`http://${local}:${open}/`);
    const own = globalThis[dispatcher];
    const moved = {
      dispatch: (options, handler) => own.dispatch({ ...options, origin: `http://${local}:${port}` }, handler),
    };
    return text(`http://${local}:${open}/`, { dispatcher: moved });
  },
  "the global dispatcher": async ({ port }) => {
    await fetch("data:,x");
    return new Promise((resolve, reject) => {
      const done = (value) => resolve(String(value));
      globalThis[dispatcher].dispatch(
        { origin: `http://${local}:${port}`, path: "/", method: "GET" },
        {
          onConnect() {},
          onRequestStart() {},
          onHeaders: () => true,
          onResponseStart() {},
          onData: () => true,
          onResponseData() {},
          onComplete: done,
          onResponseEnd: done,
          onError: reject,
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
  },
  "a new dispatcher of the global one's class": async ({ port, open }) => {
    await text(`http://${local}:${open}/`);
    const own = new globalThis[dispatcher].constructor();
    return text(`http://${local}:${port}/`, { dispatcher: own });
  },
  "the global dispatcher replaced": async ({ port, open }) => {
    await text(`http://${local}:${open}/`);
    const own = globalThis[dispatcher];
    globalThis[dispatcher] = {
      dispatch: (options, handler) => own.dispatch({ ...options, origin: `http://${local}:${port}` }, handler),
    };
    return text(`http://${local}:${open}/`);
  },
  WebSocket: ({ port }) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${local}:${port}/`);
      socket.onerror = () => reject(new Error("the WebSocket's error event"));
      socket.onopen = resolve;
    }),
  "a WebSocket's constructor": ({ port, open }) =>
    new Promise((resolve, reject) => {
      const first = new WebSocket(`ws://${local}:${open}/`);
      first.onerror = () => undefined;
      const socket = new first.constructor(`ws://${local}:${port}/`);
      socket.onerror = () => reject(new Error("the WebSocket's error event"));
      socket.onopen = resolve;
    }),
  EventSource: ({ port }) =>
    new Promise((resolve, reject) => {
      const source = new EventSource(`http://${local}:${port}/`);
      source.onerror = (event) => reject(event.error ?? new Error("no events"));
      source.onopen = resolve;
    }),
  "the package eventsource": async ({ port }) => {
    const { EventSource: Source } = await import("eventsource");
    return new Promise((resolve, reject) => {
      const source = new Source(`http://${local}:${port}/`, {
        fetch: (...args) => fetch(...args).catch((error) => Promise.reject(reject(error.cause ?? error))),
      });
      source.onopen = resolve;
      source.onerror = () => setTimeout(resolve, 100, "an error");
    });
  },
  "an upgraded request": ({ port }) =>
    dialed(http.get({ host: local, port, headers: { connection: "upgrade", upgrade: "websocket" } })),
  "a request through a proxy": ({ port, open }) =>
    dialed(http.get({ host: local, port, path: `http://${local}:${open}/` })),
};
