import type { WireObject, WireValue } from "../../../../wire/value.ts";
import { deepestSchema, mostReferenceHops, mostSchemaNodes } from "../limits.ts";

export const isObject = (value: WireValue | undefined): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

export const own = (object: WireObject, name: string): WireValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Where a reference leads. Nothing is ever fetched. */
export type Resolved =
  | { readonly ok: true; readonly schema: WireValue }
  | { readonly ok: false; readonly why: "refers_outside" | "refers_nowhere" };

/** One document of schemas (JSON Schema 2020-12, 8.2): what `#/...` and `#anchor` in it lead to. */
export class SchemaDocument {
  readonly #root: WireValue;
  #anchors: ReadonlyMap<string, WireValue> | null = null;

  constructor(root: WireValue) {
    this.#root = root;
  }

  /** References that lead to a reference are followed; a circle of them leads nowhere. */
  follow(reference: string): Resolved {
    let next = reference;
    for (let hop = 0; hop < mostReferenceHops; hop++) {
      const resolved = this.#resolve(next);
      if (!resolved.ok || !isObject(resolved.schema)) return resolved;
      const names = Object.keys(resolved.schema);
      const further = own(resolved.schema, "$ref");
      if (typeof further !== "string" || names.length > 1) return resolved;
      next = further;
    }
    return { ok: false, why: "refers_nowhere" };
  }

  #resolve(reference: string): Resolved {
    if (!reference.startsWith("#")) return { ok: false, why: "refers_outside" };
    const fragment = decoded(reference.slice(1));
    if (fragment === null) return { ok: false, why: "refers_nowhere" };
    const schema = fragment === "" || fragment.startsWith("/") ? this.#at(fragment) : this.#named().get(fragment);
    return schema === undefined ? { ok: false, why: "refers_nowhere" } : { ok: true, schema };
  }

  #at(pointer: string): WireValue | undefined {
    let value: WireValue | undefined = this.#root;
    for (const step of pointer.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(value))
        value = /^\d{1,9}$/.test(name) ? (value[Number(name)] as WireValue | undefined) : undefined;
      else value = isObject(value) ? own(value, name) : undefined;
      if (value === undefined) return undefined;
    }
    return value;
  }

  #named(): ReadonlyMap<string, WireValue> {
    if (this.#anchors !== null) return this.#anchors;
    const anchors = new Map<string, WireValue>();
    let left = mostSchemaNodes;
    const visit = (value: WireValue, depth: number): void => {
      if (typeof value !== "object" || value === null || depth > deepestSchema || left-- <= 0) return;
      if (isObject(value))
        for (const keyword of ["$anchor", "$dynamicAnchor"]) {
          const name = own(value, keyword);
          if (typeof name === "string" && !anchors.has(name)) anchors.set(name, value);
        }
      for (const inner of Object.values(value)) visit(inner as WireValue, depth + 1);
    };
    visit(this.#root, 0);
    this.#anchors = anchors;
    return anchors;
  }
}

const decoded = (fragment: string): string | null => {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return null;
  }
};
