import type { Answer } from "../relay/exchange.ts";
import { maxTasks } from "../relay/limits.ts";
import { isObject, type RequestMessage } from "../relay/message.ts";

/** Calls that were answered by a task (2025-11-25): what the task answers in the end is judged as the tool's. */
export class Tasks {
  readonly #actions = new Map<string, string>();

  began(action: string, answer: Answer): void {
    const result =
      answer.kind === "result"
        ? answer.result
        : answer.response.outcome.kind === "result" && answer.response.outcome.result;
    if (!isObject(result) || !isObject(result.task)) return;
    const { taskId } = result.task;
    if (typeof taskId !== "string") return;
    this.#actions.set(taskId, action);
    if (this.#actions.size <= maxTasks) return;
    const [oldest] = this.#actions.keys();
    this.#actions.delete(oldest as string);
  }

  actionOf({ params }: RequestMessage): string {
    const taskId = params?.taskId;
    return (typeof taskId === "string" ? this.#actions.get(taskId) : undefined) ?? "mcp.task";
  }
}
