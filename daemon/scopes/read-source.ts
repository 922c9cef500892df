import type { z } from "zod";
import { maxDocumentBytes } from "../../wire/signed-document.ts";
import { readYaml } from "../config/yaml-text.ts";
import { keepsAll } from "../contracts/keeps-all.ts";
import { firstIssue } from "../contracts/policies/issue.ts";
import { safeText } from "../operator/display/safe-text.ts";
import { type CheckedScopes, checkScopes } from "./check.ts";
import { type ScopeProblem, ScopesRefused } from "./refusal.ts";
import { type ScopeSource, sourceSchema } from "./schema.ts";

export interface ReadSource {
  readonly source: ScopeSource;
  readonly checked: CheckedScopes;
}

/**
 * A document as somebody wrote it, YAML or JSON. Every problem names file, line, column and key. Throws `ScopesRefused`.
 * @param shown the file as messages show it.
 */
export const readSource = (text: string, shown: string): ReadSource => {
  if (Buffer.byteLength(text) > maxDocumentBytes)
    throw new ScopesRefused("too_large", `${shown}: larger than ${maxDocumentBytes} bytes`);
  const read = readYaml(text);
  if (!read.ok) {
    const place = read.place === null ? shown : `${shown}:${read.place.line}:${read.place.column}`;
    throw new ScopesRefused("malformed", `${place}: ${read.what}`);
  }
  const lineOf = ({ code, path, what }: ScopeProblem): string => {
    const { line, column } = read.place(path);
    return `${shown}:${line}:${column}: ${path.length === 0 ? "" : `${safeText(path.join("."))}: `}${what} (${code})`;
  };
  const parsed = parseScopes(read.value ?? {}, sourceSchema);
  if (!parsed.ok) throw refusedFor(parsed.problems, lineOf);
  const checked = checkScopes(parsed.value);
  if (!checked.ok) throw refusedFor(checked.problems, lineOf);
  return { source: parsed.value, checked: checked.checked };
};

/** The form alone. */
export const parseScopes = <Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
):
  | { readonly ok: true; readonly value: z.infer<Schema> }
  | { readonly ok: false; readonly problems: readonly ScopeProblem[] } => {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      problems: parsed.error.issues.map((issue) => {
        const { path, what } = firstIssue([issue], schema);
        return { code: what.startsWith("unknown key") ? "unknown_key" : "malformed", path, what };
      }),
    };
  if (keepsAll(value, parsed.data)) return { ok: true, value: parsed.data };
  return { ok: false, problems: [{ code: "malformed", path: [], what: "holds a key that cannot be kept" }] };
};

/** The first problem is the message; all of them are the details. */
export const refusedFor = (
  problems: readonly ScopeProblem[],
  lineOf: (problem: ScopeProblem) => string,
): ScopesRefused => {
  const [first] = problems as [ScopeProblem];
  return new ScopesRefused(first.code, lineOf(first), problems.map(lineOf));
};
