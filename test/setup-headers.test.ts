import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const script = new URL("../scripts/setup/headers.mjs", import.meta.url).href;
const { headersOfNode } = (await import(script)) as { headersOfNode(): object };

test("SQLite is compiled with the headers that this Node brought along, unless somebody named others", () => {
  const named = process.env.npm_config_nodedir;
  try {
    process.env.npm_config_nodedir = "/elsewhere";
    expect(headersOfNode()).toEqual({});
    delete process.env.npm_config_nodedir;
    const prefix = dirname(dirname(process.execPath));
    const hasThem = existsSync(join(prefix, "include/node/node_version.h"));
    expect(headersOfNode()).toEqual(hasThem ? { npm_config_nodedir: prefix } : {});
  } finally {
    if (named === undefined) delete process.env.npm_config_nodedir;
    else process.env.npm_config_nodedir = named;
  }
});
