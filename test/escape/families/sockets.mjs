// Every way to open a connection or to send a datagram.
import { createHook } from "node:async_hooks";
import dgram from "node:dgram";
import dns from "node:dns";
import http, { Agent, ClientRequest } from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net, { Socket } from "node:net";
import { Duplex } from "node:stream";
import tls from "node:tls";
import { getSystemErrorName } from "node:util";
import { called, dialed } from "./_help.mjs";

const local = "127.0.0.1";
const sent = (step) => called(step).then(() => new Promise((resolve) => setTimeout(resolve, 50, "sent")));
const status = (code) => (code < 0 ? getSystemErrorName(code) : String(code));
const settled = (value) => new Promise((resolve) => setTimeout(resolve, 80, value));

/** The classes beneath a socket: of its handle, and of the request that a handle's connect wants. */
const beneath = async (port) => {
  let Request;
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === "TCPCONNECTWRAP") Request = resource.constructor;
    },
  }).enable();
  const socket = new Socket().on("error", () => undefined);
  socket.connect({ host: local, port });
  await new Promise(setImmediate);
  hook.disable();
  const { _handle: handle } = socket;
  socket.destroy();
  return { Handle: handle.constructor, Request, handle };
};

export const reach = {
  "net.connect": ({ port }) => dialed(net.connect(port)),
  "net.connect with options": ({ port }) => dialed(net.connect({ port, host: local })),
  "net.createConnection": ({ port }) => dialed(net.createConnection(port, local)),
  "new net.Socket": ({ port }) => dialed(new Socket().connect(port, local)),
  "net.Socket without new": ({ port }) => dialed(Socket().connect({ port })),
  "a subclass of net.Socket": ({ port }) => dialed(new (class extends Socket {})().connect(port)),
  "net.Socket.prototype.connect applied": ({ port }) =>
    dialed(Reflect.apply(Socket.prototype.connect, new Socket(), [{ port }])),
  "an array that net has normalized": ({ port }) => {
    const args = net._normalizeArgs([{ port }, null]);
    return dialed(new Socket().connect(args));
  },
  "options with getters that change": ({ port, open }) => {
    let reads = 0;
    const options = {
      host: local,
      get port() {
        return ++reads > 1 ? port : open;
      },
    };
    return dialed(net.connect(options)).then(() => dialed(net.connect({ ...options, port })));
  },
  "a port as text": ({ port }) => dialed(net.connect({ port: String(port), host: local })),
  "a port in hexadecimal": ({ port }) => dialed(net.connect({ port: `0x${port.toString(16)}`, host: local })),
  "a port with blanks": ({ port }) => dialed(net.connect({ port: ` ${port} `, host: local })),
  "a port with a fraction": ({ port }) => dialed(net.connect({ port: `${port}.0`, host: local })),
  "a local port and address": ({ port }) => dialed(net.connect({ port, host: local, localAddress: local })),
  "without autoSelectFamily": ({ port }) => dialed(net.connect({ port, host: "localhost", autoSelectFamily: false })),
  "with autoSelectFamily": ({ port }) => dialed(net.connect({ port, host: "localhost", autoSelectFamily: true })),
  "a second connect of one socket": async ({ port, open }) => {
    const socket = net.connect(open, local);
    await dialed(socket);
    socket.destroy();
    await settled();
    return dialed(socket.connect(port, local));
  },
  "a socket that connects again in its own event": ({ port, open }) =>
    new Promise((resolve, reject) => {
      const socket = net.connect(open, local, () => socket.destroy());
      socket.once("close", () => dialed(socket.connect(port, local)).then(resolve, reject));
    }),
  "net.connect with a lookup of its own": ({ port }) =>
    dialed(
      net.connect({
        port,
        host: "any.invalid",
        lookup: (_host, { all }, done) => (all ? done(null, [{ address: local, family: 4 }]) : done(null, local, 4)),
      }),
    ),
  "the class of a handle": async ({ port, open }) => {
    const { Handle, Request } = await beneath(open);
    return settled(status(new Handle(0).connect(new Request(), local, port)));
  },
  "the class of a handle, in IPv6": async ({ port, open }) => {
    const { Handle, Request } = await beneath(open);
    return settled(status(new Handle(0).connect6(new Request(), "::1", port)));
  },
  "the prototype of a handle": async ({ port, open }) => {
    const { Handle, Request } = await beneath(open);
    const { connect } = Object.getPrototypeOf(new Handle(0));
    return settled(status(Reflect.apply(connect, new Handle(0), [new Request(), local, port])));
  },
  "a handle that says it has an owner": async ({ port, open }) => {
    const { Handle, Request } = await beneath(open);
    const socket = net.connect(open, local).on("error", () => undefined);
    const owner = Object.getOwnPropertySymbols(socket._handle).find(
      ({ description }) => description === "owner_symbol",
    );
    const handle = new Handle(0);
    handle[owner] = socket;
    return settled(status(handle.connect(new Request(), local, port)));
  },
  "a socket's handle, put in its place": async ({ port, open }) => {
    const { Handle } = await beneath(open);
    const socket = new Socket();
    socket._handle = new Handle(0);
    return dialed(socket.connect(port, local));
  },
  "net._createServerHandle": ({ port }) => {
    const handle = net._createServerHandle(local, 0, 4);
    return dialed(new Socket({ handle, manualStart: true }).connect(port, local));
  },
  "a socket that is made over a handle": async ({ port, open }) => {
    const { Handle } = await beneath(open);
    return dialed(new Socket({ handle: new Handle(0), manualStart: true }).connect(port, local));
  },
  "tls.connect": ({ port }) => dialed(tls.connect({ port, host: local, rejectUnauthorized: false })),
  "tls.connect over a socket": ({ port }) =>
    dialed(tls.connect({ socket: net.connect(port), rejectUnauthorized: false })),
  "tls.connect over a stream": ({ port }) => {
    const inner = net.connect(port);
    const stream = Duplex.from({ readable: inner, writable: inner });
    return dialed(Object.assign(inner, { secure: tls.connect({ socket: stream }).on("error", () => undefined) }));
  },
  "http.get": ({ port }) => dialed(http.get({ port, host: local })),
  "http.request of a URL": ({ port }) => dialed(http.request(`http://${local}:${port}/`).end()),
  "http.request with a URL and options that win": ({ port, open }) =>
    dialed(http.request(new URL(`http://${local}:${open}/`), { port }).end()),
  "new http.ClientRequest": ({ port }) => dialed(new ClientRequest({ port, host: local }).end()),
  "the constructor of a request": ({ port, open }) => {
    const first = http.get({ port: open, host: local }).on("error", () => undefined);
    return dialed(new first.constructor({ port, host: local }).end());
  },
  "https.get": ({ port }) => dialed(https.get({ port, host: local, rejectUnauthorized: false })),
  "http.request with hostname and host": ({ port }) => dialed(http.get({ hostname: local, host: "example.org", port })),
  "an agent": ({ port }) => dialed(http.get({ port, host: local, agent: new Agent({ keepAlive: true }) })),
  "an agent's createConnection": ({ port }) => dialed(new Agent().createConnection({ port, host: local })),
  "an agent whose createConnection goes elsewhere": ({ port, open }) => {
    const agent = new Agent();
    agent.createConnection = () => net.connect(port, local);
    return dialed(http.get({ port: open, host: local, agent }));
  },
  "an agent of https for http": ({ port }) => dialed(new https.Agent().createConnection({ port, host: local })),
  "an agent's createSocket": ({ port }) =>
    called((done) => new Agent().createSocket({ on() {}, getHeader() {} }, { port, host: local }, done)).then(dialed),
  "an agent's addRequest": ({ port, open }) => {
    const agent = new Agent();
    const { addRequest } = agent;
    agent.addRequest = (request, options) => addRequest.call(agent, request, { ...options, port });
    return dialed(http.get({ port: open, host: local, agent }));
  },
  "the global agent with another port": ({ port }) => {
    http.globalAgent.defaultPort = port;
    return dialed(http.get({ host: local }));
  },
  "the global agent with options of its own": ({ port, open }) => {
    http.globalAgent.options.port = port;
    http.globalAgent.options.host = local;
    return dialed(http.get({ host: local, port: open, agent: http.globalAgent }).end()).then(() =>
      dialed(http.get({ host: local, port })),
    );
  },
  "http.request with createConnection": ({ port, open }) =>
    dialed(http.get({ port: open, host: local, createConnection: () => net.connect(port, local) })),
  "http2.connect": ({ port }) => dialed(http2.connect(`http://${local}:${port}`)),
  "http2.connect with createConnection": ({ port, open }) =>
    dialed(http2.connect(`http://${local}:${open}`, { createConnection: () => net.connect(port, local) })),
  "http2.connect of an object": ({ port }) => dialed(http2.connect({ protocol: "http:", hostname: local, port })),
  "http2.connect of an object that changes": ({ port, open }) => {
    let reads = 0;
    const authority = {
      protocol: "http:",
      hostname: local,
      get port() {
        return ++reads > 1 ? port : open;
      },
    };
    return dialed(http2.connect(authority)).catch(() => dialed(http2.connect({ ...authority, port })));
  },
  "a datagram": ({ port }) => sent((done) => dgram.createSocket("udp4").send("x", port, local, done)),
  "a datagram without an address": ({ port }) => sent((done) => dgram.createSocket("udp4").send("x", port, done)),
  "a datagram in parts": ({ port }) =>
    sent((done) => dgram.createSocket("udp4").send([Buffer.from("x")], port, local, done)),
  "a datagram with an offset": ({ port }) =>
    sent((done) => dgram.createSocket("udp4").send("xx", 0, 1, port, local, done)),
  "a datagram of a connected socket": async ({ port }) => {
    const socket = dgram.createSocket("udp4");
    await called((done) => socket.connect(port, local, done));
    return sent((done) => socket.send("x", done));
  },
  "a datagram with a lookup of its own": ({ port }) => {
    const lookup = (_host, _options, done) => done(null, local, 4);
    return sent((done) => dgram.createSocket({ type: "udp4", lookup }).send("x", port, "any.invalid", done));
  },
  "new dgram.Socket": ({ port }) => sent((done) => new dgram.Socket("udp4").send("x", port, local, done)),
  "a datagram's port as text": ({ port }) =>
    sent((done) => dgram.createSocket("udp4").send("x", String(port), local, done)),
  "a callback marked as sent": async ({ port }) => {
    const socket = dgram.createSocket("udp4");
    return sent((done) => socket.bind(0, () => socket.send("x", 0, 1, port, local, done)));
  },
  "dns.lookup put aside": ({ port }) => {
    dns.lookup = (_host, options, done) =>
      options.all ? done(null, [{ address: local, family: 4 }]) : done(null, local, 4);
    return dialed(net.connect({ port, host: "any.invalid" }));
  },
};
