import type { FactRef } from "./tool.ts";

export const isFactRef = (value: unknown): value is FactRef =>
  typeof value === "object" && value !== null && !Array.isArray(value);
