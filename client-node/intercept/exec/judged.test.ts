import { describe, expect, it } from "vitest";
import { hasTicket, takeTicket, withTicket } from "./judged.ts";

const plan = { file: "echo", args: ["echo", "a"], cwd: null };

describe("a ticket", () => {
  it("is good for exactly one process, once, and no longer than the call", () => {
    withTicket(plan, () => {
      expect(takeTicket({ ...plan, args: ["echo", "b"] })).toBe(false);
      expect(takeTicket({ ...plan, args: ["echo"] })).toBe(false);
      expect(takeTicket({ ...plan, file: "/bin/echo" })).toBe(false);
      expect(takeTicket({ ...plan, cwd: "/" })).toBe(false);
      expect(hasTicket({ ...plan })).toBe(true);
      expect(takeTicket({ ...plan })).toBe(true);
      expect(hasTicket(plan)).toBe(false);
      expect(takeTicket(plan)).toBe(false);
    });
    expect(takeTicket(plan)).toBe(false);
  });

  it("waits while a call inside of it has its own, and is not renewed by it", () => {
    const inner = { ...plan, file: "ls" };
    withTicket(plan, () => {
      withTicket(inner, () => {
        expect(takeTicket(plan)).toBe(false);
        expect(takeTicket(inner)).toBe(true);
      });
      expect(takeTicket(plan)).toBe(true);
      withTicket(inner, () => undefined);
      expect(takeTicket(plan)).toBe(false);
    });
  });

  it("ends when the call throws", () => {
    expect(() =>
      withTicket(plan, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(takeTicket(plan)).toBe(false);
  });
});
