// The floor of every throughput: reads each line as JSON, answers ALLOW as JSON, checks and keeps nothing. Each answer
// leaves in a write of its own, as it is made. Usage: node parse-and-answer.mjs SOCKET
import { createServer } from "node:net";

const path = process.argv[2];
const server = createServer((socket) => {
  socket.setEncoding("utf8");
  let rest = "";
  socket.on("data", (text) => {
    const end = text.lastIndexOf("\n");
    if (end === -1) {
      rest += text;
      return;
    }
    const lines = (rest + text.slice(0, end)).split("\n");
    rest = text.slice(end + 1);
    for (const line of lines) {
      const request = JSON.parse(line);
      const answer = {
        attributed_to: null,
        id: request.id,
        modified_args: null,
        modified_result: null,
        policy_id: null,
        reason: "",
        v: 1,
        verdict: 0,
      };
      socket.write(`${JSON.stringify(answer)}\n`);
    }
  });
  socket.on("error", () => socket.destroy());
});
server.listen(path, () => process.stderr.write(`parse-and-answer: listening on ${path}\n`));
