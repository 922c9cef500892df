import type { JsonObject } from "../../../wire/value.ts";
import type { Message } from "../relay/message.ts";
import { isStateless } from "../relay/refusal.ts";

/** Of which member of the params the header `Mcp-Name` is (2026-07-28). */
const nameSources: Readonly<Record<string, string>> = Object.freeze({
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
});

/** The headers that mirror what a request of 2026-07-28 says; none for one of a session. */
export const mirrorHeaders = (message: Message): Readonly<Record<string, string>> => {
  if (message.kind !== "request" || !isStateless(message)) return {};
  const { method, params } = message;
  const meta = params?._meta as JsonObject;
  const version = meta["io.modelcontextprotocol/protocolVersion"] as string;
  const source = Object.hasOwn(nameSources, method) ? nameSources[method] : undefined;
  const name = source === undefined ? undefined : params?.[source];
  return {
    "mcp-protocol-version": headerValue(version),
    "mcp-method": headerValue(method),
    ...(typeof name === "string" ? { "mcp-name": headerValue(name) } : {}),
  };
};

/** What no header can carry as it is travels in base64. */
export const headerValue = (text: string): string =>
  text !== "" && text === text.trim() && /^[\t\x20-\x7e]*$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text.toWellFormed()).toString("base64")}?=`;
