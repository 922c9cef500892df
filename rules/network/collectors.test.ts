import { expect, it } from "vitest";
import { isInbox } from "./collectors.ts";

it.each([
  ["https://discord.com/api/webhooks/1/abc", true],
  ["https://discord.com/api/v10/webhooks/1/abc", true],
  ["https://api.telegram.org/bot123:abc/sendMessage", true],
  ["https://discord.com/developers/docs/intro", false],
  ["https://api.telegram.org/bot123:abc/getMe", false],
  ["https://discord.com.example.net/api/webhooks/1", false],
])("%s: %s", (url, inbox) => expect(isInbox(new URL(url))).toBe(inbox));
