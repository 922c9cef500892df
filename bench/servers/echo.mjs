// The floor of every latency: what comes in goes out, unread. Usage: node echo.mjs SOCKET
import { createServer } from "node:net";

const path = process.argv[2];
const server = createServer((socket) => {
  socket.on("data", (chunk) => socket.write(chunk));
  socket.on("error", () => socket.destroy());
});
server.listen(path, () => process.stderr.write(`echo: listening on ${path}\n`));
