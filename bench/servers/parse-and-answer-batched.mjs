// For scale: parse-and-answer.mjs whose answers to one read leave in one write. Usage: node parse-and-answer-batched.mjs SOCKET
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
    let answers = "";
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
      answers += `${JSON.stringify(answer)}\n`;
    }
    if (answers !== "") socket.write(answers);
  });
  socket.on("error", () => socket.destroy());
});
server.listen(path, () => process.stderr.write(`parse-and-answer-batched: listening on ${path}\n`));
