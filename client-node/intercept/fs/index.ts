import type { Guard } from "../ask.ts";
import type { GroupOptions } from "../group.ts";
import type { Patches } from "../patch.ts";

export const covers: readonly string[] = [];

export const install = (_patches: Patches, _guard: Guard, _options: GroupOptions): void => {};
