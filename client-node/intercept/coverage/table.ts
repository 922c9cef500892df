import { scope as beneath } from "../beneath/scope.ts";
import { scope as exec } from "../exec/scope.ts";
import { scope as files } from "../files/scope.ts";
import { scope as fs } from "../fs/scope.ts";
import { scope as net } from "../net/scope.ts";
import { computing } from "./computes.ts";
import { globalScope } from "./language.ts";
import type { Row } from "./row.ts";

/**
 * Every export of every builtin of Node 20, 22 and 24, each in one row: the one source of what `installInterceptors` answers and of
 * docs/coverage.md. Made when it is asked for, because a program that starts does not need it.
 */
export const table = (): readonly Row[] => [
  ...fs(),
  ...files(),
  ...exec(),
  ...beneath(),
  ...net(),
  ...computing(),
  ...globalScope(),
];
