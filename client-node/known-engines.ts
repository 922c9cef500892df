import type { EngineSettings } from "./engine-options.ts";

/** Where an engine asks, for a second one like it in another thread. Kept beside the object: it holds the token. */
export interface EngineAddress {
  readonly path: string;
  readonly settings: EngineSettings;
}

const addresses = new WeakMap<object, EngineAddress>();

export const rememberEngine = (engine: object, address: EngineAddress): void => {
  addresses.set(engine, address);
};

/** Null for an engine that is not a `RemoteEngine`. */
export const addressOf = (engine: object): EngineAddress | null => addresses.get(engine) ?? null;
