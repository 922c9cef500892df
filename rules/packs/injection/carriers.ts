import { remembered } from "../../remembered.ts";
import { toolWords } from "../../tool-words.ts";

/** Words in the names of tools that hand texts on to people, agents, or a later session. */
const carriers = new Set([
  "a2a",
  "agent",
  "announce",
  "channel",
  "chat",
  "comment",
  "completion",
  "delegate",
  "dm",
  "email",
  "elicitation",
  "mail",
  "memory",
  "memories",
  "memorize",
  "message",
  "messages",
  "notify",
  "post",
  "prompt",
  "prompts",
  "publish",
  "remember",
  "reply",
  "respond",
  "response",
  "sampling",
  "slack",
  "sms",
  "subagent",
  "task",
  "tweet",
]);

/** `memory_write`, `sendMessage`, `prompts/get`, `sampling/createMessage`. */
export const isCarrier = remembered((action): boolean => toolWords(action).some((word) => carriers.has(word)));

const memories = new Set(["memory", "memories", "memorize", "remember"]);

/** What is kept is read again in later sessions, by a model that does not see where it came from: there a doubt is enough. */
export const keeps = remembered((action): boolean => toolWords(action).some((word) => memories.has(word)));
