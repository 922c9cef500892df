import { expect, it } from "vitest";
import { toolWords } from "./tool-words.ts";

it.each([
  ["runInTerminal", ["run", "in", "terminal"]],
  ["mcp__desktop__start_process", ["mcp", "desktop", "start", "process"]],
  ["gmail.messages.get", ["gmail", "messages", "get"]],
  ["pop3Fetch", ["pop3", "fetch"]],
  [`${"x".repeat(300)}_send`, ["x".repeat(300), "send"]],
])("%s", (action, words) => expect(toolWords(action)).toEqual(words));
