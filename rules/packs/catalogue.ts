import { code } from "./code/index.ts";
import { commands } from "./commands/index.ts";
import { database } from "./database/index.ts";
import { injection } from "./injection/index.ts";
import { limits } from "./limits/index.ts";
import { network } from "./network/index.ts";
import { paths } from "./paths/index.ts";
import { pii } from "./pii/index.ts";
import { roles } from "./roles/index.ts";
import { secrets } from "./secrets/index.ts";
import { templates } from "./templates/index.ts";

/** The standard packs by id, in the order in which their rules are asked. */
export const packs = Object.freeze({
  commands,
  paths,
  network,
  secrets,
  pii,
  injection,
  database,
  code,
  templates,
  limits,
  roles,
});
