import { link, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import type { ClientFrame, Misbehaviour } from "./conduct.ts";
import { Peer } from "./peer.ts";

export interface MisbehavingDaemon {
  readonly socket: string;
  close(): Promise<void>;
}

/** Serves one misbehaviour on a unix socket. `timeout_ms` is how long the client under test waits for a verdict. */
export const serveMisbehaviour = async (
  conduct: Misbehaviour,
  socket: string,
  timeout_ms: number,
): Promise<MisbehavingDaemon> => {
  const remove = (): Promise<void> => rm(socket, { force: true });
  switch (conduct.at ?? "listening") {
    case "nothing":
      return { socket, close: async () => undefined };
    case "file":
      await writeFile(socket, "not a socket\n");
      return { socket, close: remove };
    case "dead":
      await leaveDeadSocket(socket);
      return { socket, close: remove };
    case "listening":
      return listen(conduct, socket, timeout_ms);
  }
};

const listen = async (conduct: Misbehaviour, socket: string, timeout_ms: number): Promise<MisbehavingDaemon> => {
  const open = new Set<Socket>();
  const asked: ClientFrame[] = [];
  const server = createServer({ allowHalfOpen: false }, (connection) => {
    open.add(connection);
    connection.on("close", () => open.delete(connection));
    // Clients hang up on daemons like these.
    connection.on("error", () => undefined);
    attend(conduct, connection, asked, timeout_ms);
  });
  await listening(server, socket);
  return {
    socket,
    close: () =>
      new Promise((resolve) => {
        for (const connection of open) connection.destroy();
        server.close(() => resolve());
      }),
  };
};

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => resolve());
  });

const attend = (conduct: Misbehaviour, connection: Socket, asked: ClientFrame[], timeout_ms: number): void => {
  const peer = new Peer(connection);
  let text = "";
  connection.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      answer(conduct, peer, line, asked, timeout_ms);
    }
  });
  conduct.onConnect?.(peer);
};

const answer = (conduct: Misbehaviour, peer: Peer, line: string, asked: ClientFrame[], timeout_ms: number): void => {
  const { id, isHello } = read(line);
  if (isHello) {
    peer.agree(line);
    if (conduct.onHello === undefined) peer.write(peer.hello(id));
    else conduct.onHello(peer, { id, line });
    return;
  }
  // A question that is asked once more after a lost connection is still the same question.
  const place = asked.findIndex((one) => one.id === id);
  const earlier = asked.slice(0, place === -1 ? asked.length : place);
  if (place === -1) asked.push({ id, line });
  if (conduct.onQuestion === undefined) peer.write(`${peer.allow(id)}\n`);
  else conduct.onQuestion(peer, { id, line }, { earlier, timeout_ms });
};

/** Leniently: what a client sends here is not what is tested. */
const read = (line: string): { readonly id: string; readonly isHello: boolean } => {
  try {
    const frame = JSON.parse(line) as { readonly id?: unknown; readonly hello?: unknown } | null;
    return { id: typeof frame?.id === "string" ? frame.id : "", isHello: frame?.hello !== undefined };
  } catch {
    return { id: "", isHello: false };
  }
};

/** A socket's file outlives its listener when it has a second name. */
const leaveDeadSocket = async (path: string): Promise<void> => {
  const first = `${path}.tmp`;
  const server = createServer();
  await listening(server, first);
  await link(first, path);
  await new Promise<void>((resolve) => server.close(() => resolve()));
};
