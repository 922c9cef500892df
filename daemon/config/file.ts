import { readFileSync } from "node:fs";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { settingsSchema } from "./schema.ts";
import type { FileSettings } from "./settings.ts";
import { readYaml } from "./yaml-text.ts";

const maxConfigBytes = 256 * 1024;

const refuse = (place: string, what: string): never => {
  throw new Refusal(ExitCode.refused, `${place}: ${what}`);
};

/** Reads one configuration file, strictly. Every refusal names the file, the line and the key. */
export const readConfigFile = (path: string): FileSettings => {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return refuse(path, `the configuration cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return parseConfig(path, text);
};

/** @param path used in messages only. */
export const parseConfig = (path: string, text: string): FileSettings => {
  if (text.length > maxConfigBytes) return refuse(path, `larger than ${maxConfigBytes} bytes`);
  const read = readYaml(text);
  if (!read.ok) return refuse(read.place === null ? path : `${path}:${read.place.line}`, read.what);
  if (read.value === null) return {};
  if (!read.isMapping) return refuse(`${path}:1`, "must be a list of settings, such as `unknown: block`");
  const parsed = settingsSchema.safeParse(read.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue === undefined) return refuse(path, "refused");
  const key = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const at = key === undefined ? issue.path : [...issue.path, key];
  const what = key === undefined ? `${at.join(".")}: ${issue.message}` : `unknown setting ${JSON.stringify(key)}`;
  return refuse(`${path}:${read.place(at).line}`, what);
};
