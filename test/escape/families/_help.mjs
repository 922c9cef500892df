// What several families use to wait for what they have begun.
import { once } from "node:events";

/** Waits until a socket, request or session has connected or failed. */
export const dialed = (socket) =>
  new Promise((resolve, reject) => {
    socket.on("error", reject);
    for (const event of ["connect", "response", "secureConnect", "open", "message"]) {
      socket.once(event, () => setTimeout(resolve, 30, `${event}ed`));
    }
    socket.once("close", () => resolve("closed"));
  });

/** All that a stream gives. */
export const textOf = async (stream) => {
  let text = "";
  for await (const part of stream) text += part;
  return text;
};

/** All that a child process prints, or why it did not start. */
export const outputOf = async (child) => {
  const failed = once(child, "error").then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  const parts = [child.stdout, child.stderr].filter(Boolean).map(textOf);
  return (await Promise.race([failed, Promise.all(parts)])).join("\n");
};

/** What a thread sends first, or why it ended. */
export const messageOf = (worker) =>
  new Promise((resolve, reject) => {
    worker
      .once("message", resolve)
      .once("error", reject)
      .once("exit", () => resolve("nothing"));
  });

/** As a promise: `called((done) => fs.readFile(path, done))`. */
export const called = (step) =>
  new Promise((resolve, reject) => {
    step((error, value) => (error ? reject(error) : resolve(value)));
  });
