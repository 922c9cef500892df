import { describe, expect, it } from "vitest";
import { channelOf } from "./channel.ts";

describe("where a text comes from", () => {
  it.each(["read_email", "gmail.messages.get", "getThread", "mcp__slack__list_channels", "zendesk_get_ticket"])(
    "is correspondence by the name of %s",
    (action) => expect(channelOf(action, "Some words.")).toBe("correspondence"),
  );

  it.each(["read_file", "fetch", "emailer_docs", "bash"])("is a page by the name of %s", (action) =>
    expect(channelOf(action, "Some words about a thing.")).toBe("page"),
  );

  it.each(["send_email", "postMessage", "gmail.drafts.create"])("is not what %s is given to send", (action) =>
    expect(channelOf(action, "Some words.")).toBe("page"),
  );

  it("is correspondence where the text has the shape of a mail, whatever brings it", () => {
    expect(channelOf("read_file", "Subject: Lunch\nFrom: Ana <ana@example.com>\n\nAt noon?")).toBe("correspondence");
    expect(channelOf("fetch", "Hi Tom,\n\nthe key is under the mat.\n\nBest regards,\nAna")).toBe("correspondence");
    expect(channelOf("fetch", "Hi Tom,\n\nthe key is under the mat.")).toBe("page");
  });
});
