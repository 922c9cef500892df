/** The wire's own functions, for whoever speaks it without an engine: tests, proxies, other clients. */
export * from "../wire/index.ts";
