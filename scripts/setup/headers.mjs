import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Where this very Node brought its headers along (the usual install does), SQLite is compiled with them: no download from nodejs.org, which many
 * networks do not reach. Nothing where they are missing, are of another version, or somebody named others.
 */
export const headersOfNode = () => {
  if (process.env.npm_config_nodedir !== undefined) return {};
  const prefix = dirname(dirname(process.execPath));
  try {
    const text = readFileSync(join(prefix, "include/node/node_version.h"), "utf8");
    const part = (name) => new RegExp(`^#define NODE_${name}_VERSION (\\d+)$`, "m").exec(text)?.[1];
    const version = [part("MAJOR"), part("MINOR"), part("PATCH")].join(".");
    const isWhole = existsSync(join(prefix, "include/node/common.gypi"));
    return isWhole && version === process.versions.node ? { npm_config_nodedir: prefix } : {};
  } catch {
    return {};
  }
};
