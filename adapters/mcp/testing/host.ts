import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Json, LinePeer } from "./line-peer.ts";
import type { Session } from "./sessions.ts";

const children = new Set<ChildProcess>();

/** Ends whatever a test left behind. */
export const endAll = (): void => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
};

export interface Started {
  readonly child: ChildProcess;
  readonly peer: LinePeer;
  readonly stderr: () => string;
  /** How it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts a program whose standard streams speak MCP. */
export const startMcp = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Started => {
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, HOME: "/nonexistent", ...env } });
  children.add(child);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    children.delete(child);
    return { code, signal };
  });
  return { child, peer: new LinePeer(child.stdout as Readable, child.stdin as Writable), stderr: () => stderr, ended };
};

/** A host of the session era that can do everything, and answers what the server asks it. */
export const initialize = (protocolVersion = "2025-11-25"): object => ({
  protocolVersion,
  capabilities: {
    roots: { listChanged: true },
    sampling: {},
    elicitation: { form: {}, url: {} },
    tasks: { requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
  },
  clientInfo: { name: "test", version: "1.0.0" },
});

const answers: Readonly<Record<string, object>> = {
  "roots/list": { roots: [{ uri: "file:///nowhere", name: "nowhere" }] },
  "sampling/createMessage": { role: "assistant", model: "m", content: { type: "text", text: "yes" } },
  "elicitation/create": { action: "accept", content: { name: "Ann", check: true } },
};

/** Plays a session and returns all that the host saw: its answers in their order, and whatever else came, sorted. */
export const play = async (started: Started, { steps }: Session): Promise<{ answers: Json[]; others: string[] }> => {
  const { peer, ended } = started;
  const answered: Json[] = [];
  const others: string[] = [];
  const ask = async (id: number, method: string, params?: object): Promise<void> => {
    peer.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    for (;;) {
      const message = await peer.next(15_000);
      if (message === null) throw new Error(`the server ended: ${started.stderr()}`);
      if (message.method === undefined && message.id === id) {
        answered.push(message);
        return;
      }
      take(message);
    }
  };
  const take = (message: Json): void => {
    // How often a server says that its tools changed depends on what else the machine does.
    if (message.method !== "notifications/tools/list_changed") others.push(JSON.stringify(scrubbed(message)));
    if (message.method !== undefined && message.id !== undefined) {
      peer.send({ jsonrpc: "2.0", id: message.id, result: answers[message.method] ?? {} });
    }
  };
  await ask(0, "initialize", initialize());
  peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  // What a server does after that, such as asking for roots, comes before the first step in either run.
  await settle(peer, take);
  let id = 0;
  for (const [method, params] of steps) {
    const given = typeof params === "function" ? params(answered) : params;
    if (!method.startsWith("notifications/")) await ask(++id, method, given);
    else peer.send({ jsonrpc: "2.0", method, ...(given === undefined ? {} : { params: given }) });
  }
  await settle(peer, take);
  peer.end();
  // Some servers go on after their input has ended.
  started.child.kill("SIGTERM");
  await ended;
  return { answers: answered.map(scrubbed), others: others.sort() };
};

const settle = async (peer: LinePeer, take: (message: Json) => void): Promise<void> => {
  for (let quiet = 0; quiet < 2; ) {
    if (await peer.isQuiet(300)) quiet++;
    else take(await peer.next());
  }
};

/** Without what differs from run to run. */
const scrubbed = (message: Json): Json =>
  JSON.parse(
    JSON.stringify(message)
      // The texts in them tell the time.
      .replace(/"blob":"([^"]*)"/g, (_all, blob: string) => `"blob":${JSON.stringify(atob(blob))}`)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>")
      .replace(/\b[0-9a-f]{32}\b/g, "<id>")
      // A server with sessions names them, and one without says nothing.
      .replace(/ (from session <uuid>)?"/g, '"')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replace(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, "<clock>")
      .replace(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} \d\d \d{4} [^"\\]*/g, "<date>"),
  );
