/**
 * What guarded programs begin with: a server on 127.0.0.1 that says what it was asked, one on 127.0.0.9 at the same port that counts who
 * reached it, and `say(name, step)`, which keeps what a step answered or the name of its error.
 */
export const prelude = `import dgram from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
const said = {};
let reached = 0;
const answer = (request, response) => {
  const [, status, location] = /^[/]hop([0-9]+)[?](.*)$/.exec(request.url) ?? [];
  if (location !== undefined) {
    response.writeHead(Number(status), { location: Buffer.from(location, "base64url").toString() }).end();
    return;
  }
  let body = "";
  request.on("data", (part) => { body += part; }).on("end", () => {
    const { authorization = "", x = "" } = request.headers;
    response.end([request.method, request.url, body, authorization, x].filter(Boolean).join(" "));
  });
};
const server = http.createServer(answer).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address();
const forbidden = net.createServer((socket) => { reached++; socket.destroy(); }).listen(port, "127.0.0.9");
await once(forbidden, "listening");
const other = http.createServer(answer).listen(0, "127.0.0.1");
await once(other, "listening");
const base = "http://127.0.0.1:" + port;
const hop = (status, to) => base + "/hop" + status + "?" + Buffer.from(to).toString("base64url");
const named = (error) => error.cause?.name === "BlockedError" ? error.name + "(BlockedError)" : error.code ?? error.name;
const tooLong = () => new Promise((_, reject) => setTimeout(reject, 5000, new Error("hangs")).unref());
const say = async (name, step) => {
  try { said[name] = await Promise.race([step(), tooLong()]); } catch (error) { said[name] = named(error); }
};
const text = async (...args) => (await fetch(...args)).text();
const answered = (request) => new Promise((resolve, reject) => {
  request.on("error", reject).on("response", (response) => {
    let all = "";
    response.on("data", (part) => { all += part; }).on("end", () => resolve(all));
  }).end();
});
const opened = (socket) => new Promise((resolve, reject) => {
  socket.once("connect", () => { socket.destroy(); resolve("connected"); }).once("error", reject);
});
const to = (...addresses) => (host, { all }, callback) => {
  const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
  if (all) callback(null, found);
  else callback(null, found[0].address, found[0].family);
};
`;

export const ending = `
said.reached = reached;
console.log(JSON.stringify(said));
process.exit(0);
`;
