import { createInterface } from "node:readline";
import type { Task, TaskClient } from "./protocol.ts";

/** A client behind the line protocol: reads tasks until the input ends, and answers each when it is done. */
export const serveTasks = async (
  client: TaskClient,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<void> => {
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    const { id, ...task } = JSON.parse(line) as Task & { readonly id: string };
    const run = client.do(task as Task).then((answer) => {
      output.write(`${JSON.stringify({ id, ...answer })}\n`);
      running.delete(run);
    });
    running.add(run);
  }
  await Promise.all(running);
  await client.close();
};
