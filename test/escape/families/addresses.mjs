// Other names and spellings of what may not be reached.

import dgram from "node:dgram";
import dns, { promises, Resolver } from "node:dns";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { domainToASCII } from "node:url";
import { dialed } from "./_help.mjs";

const to = (host, port) => dialed(net.connect({ host, port }));
const answering =
  (address) =>
  (_host, { all }, done) => {
    const family = net.isIP(address);
    return all ? done(null, [{ address, family }]) : done(null, address, family);
  };

export const reach = {
  localhost: ({ port }) => to("localhost", port),
  "LOCALHOST with a dot": ({ port }) => dialed(http.get({ host: "LOCALHOST", port })),
  "127.0.0.1": ({ port }) => to("127.0.0.1", port),
  127.1: ({ port }) => to("127.1", port),
  "a number": ({ open }) => to("2130706441", open),
  "a hexadecimal number": ({ open }) => to("0x7f000009", open),
  "an octal number": ({ open }) => to("017700000011", open),
  "octal parts": ({ open }) => to("0177.0.0.011", open),
  "hexadecimal parts": ({ open }) => to("0x7f.0x0.0x0.0x9", open),
  "a short address": ({ open }) => to("127.9", open),
  "the blocked address": ({ open, address }) => to(address, open),
  "0.0.0.0": ({ port }) => to("0.0.0.0", port),
  0: ({ port }) => to("0", port),
  "::1": ({ port }) => to("::1", port),
  "::": ({ port }) => to("::", port),
  "the whole form of ::1": ({ port }) => to("0:0:0:0:0:0:0:1", port),
  "::ffff: and an address": ({ open, address }) => to(`::ffff:${address}`, open),
  "::ffff: in hexadecimal": ({ open }) => to("::ffff:7f00:9", open),
  "the long form of ::ffff:": ({ open }) => to("0000:0000:0000:0000:0000:ffff:7f00:0009", open),
  "::ffff:0.0.0.0": ({ port }) => to("::ffff:0.0.0.0", port),
  "an address with a zone": ({ port }) => to("::1%lo", port),
  "fetch of a number": ({ open }) => fetch(`http://2130706441:${open}/`).then((response) => response.text()),
  "fetch of a short address": ({ open }) => fetch(`http://127.9:${open}/`).then((response) => response.text()),
  "fetch of fullwidth digits": ({ open }) =>
    fetch(`http://１２７.０.０.９:${open}/`).then((response) => response.text()),
  "fetch of an escaped host": ({ open }) =>
    fetch(`http://%31%32%37.0.0.9:${open}/`).then((response) => response.text()),
  "fetch of ideographic dots": ({ open }) => fetch(`http://127。0。0。9:${open}/`).then((response) => response.text()),
  "fetch of an IPv6 address": ({ port }) => fetch(`http://[::1]:${port}/`).then((response) => response.text()),
  "fetch of a mapped address": ({ open }) =>
    fetch(`http://[::ffff:7f00:9]:${open}/`).then((response) => response.text()),
  "fetch of [::]": ({ port }) => fetch(`http://[::]:${port}/`).then((response) => response.text()),
  "fetch of a host with a dot": ({ open }) => fetch(`http://127.0.0.9.:${open}/`).then((response) => response.text()),
  "fetch with a user before the host": ({ open, address }) =>
    fetch(`http://${address}:${open}/`, { headers: { host: "127.0.0.1" } }).then((response) => response.text()),
  "http.get of backslashes": ({ open, address }) => dialed(http.get(`http:\\\\${address}:${open}\\`)),
  "http.get of a host that IDNA maps": ({ open }) => dialed(http.get(`http://①②⑦.⓪.⓪.⑨:${open}/`)),
  "http.get of what domainToASCII gives": ({ open }) =>
    dialed(http.get({ host: domainToASCII("１２７.0.0.９"), port: open })),
  "a lookup that answers it": ({ open, address }) =>
    dialed(net.connect({ host: "good.invalid", port: open, lookup: answering(address) })),
  "a lookup that answers it in IPv6": ({ open }) =>
    dialed(net.connect({ host: "good.invalid", port: open, lookup: answering("::ffff:7f00:9") })),
  "a lookup that answers another address the second time": async ({ open, address }) => {
    let answers = 0;
    const lookup = (host, options, done) => answering(++answers > 1 ? address : "127.0.0.1")(host, options, done);
    await dialed(net.connect({ host: "good.invalid", port: open, lookup }));
    return dialed(net.connect({ host: "good.invalid", port: open, lookup }));
  },
  "a lookup that answers twice": ({ open, address }) => {
    const lookup = (host, options, done) => {
      answering("127.0.0.1")(host, options, () => undefined);
      answering(address)(host, options, done);
    };
    return dialed(net.connect({ host: "good.invalid", port: open, lookup }));
  },
  "a lookup whose answer changes afterwards": async ({ open, address }) => {
    const found = { address: "127.0.0.1", family: 4 };
    const list = [found];
    const lookup = (_host, { all }, done) => {
      if (!all) return done(null, address, 4);
      done(null, list);
      found.address = address;
      list.push({ address, family: 4 });
      return undefined;
    };
    await dialed(net.connect({ host: "good.invalid", port: open, lookup }));
    return dialed(net.connect({ host: "good.invalid", port: open, lookup, autoSelectFamily: false }));
  },
  "a name whose server answers it": async ({ open, address }) => {
    const server = await nameServer(() => address);
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
    const lookup = (host, { all }, done) =>
      resolver.resolve4(host, (error, found) => {
        if (error) done(error);
        else if (all)
          done(
            null,
            found.map((each) => ({ address: each, family: 4 })),
          );
        else done(null, found[0], 4);
      });
    return dialed(net.connect({ host: "good.test", port: open, lookup })).finally(() => server.close());
  },
  "a name whose server answers it the second time": async ({ open, address }) => {
    let answers = 0;
    const server = await nameServer(() => (++answers > 1 ? address : "127.0.0.1"));
    promises.setServers([`127.0.0.1:${server.address().port}`]);
    const [first] = await promises.resolve4("good.test");
    await dialed(net.connect(open, first));
    const [second] = await promises.resolve4("good.test");
    return dialed(net.connect(open, second)).finally(() => server.close());
  },
  "a default order of results": ({ port }) => {
    dns.setDefaultResultOrder("verbatim");
    return to("localhost", port);
  },
};

/** Answers every question with an A record of no lasting. */
const nameServer = async (addressOf) => {
  const server = dgram.createSocket("udp4");
  server.on("message", (question, { port, address }) => {
    const end = question.indexOf(0, 12) + 5;
    const answer = Buffer.concat([
      question.subarray(0, end),
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]),
      Buffer.from(addressOf().split(".").map(Number)),
    ]);
    answer.writeUInt16BE(0x8180, 2);
    answer.writeUInt16BE(1, 6);
    answer.writeUInt16BE(0, 8);
    answer.writeUInt16BE(0, 10);
    server.send(answer, port, address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  return server;
};
