import type { WireValue } from "../../../../wire/value.ts";
import type { SchemaRelation } from "../../finding.ts";

/** A place in a schema, as whoever judges a change of it needs it. */
export interface Place {
  /** `inputSchema.properties.to.enum`, without the keyword. */
  readonly path: string;
  /** The nearest property's name: a bound in `$defs` is judged by the field that uses it. "" at the top. */
  readonly field: string;
}

/** One difference between two schemas. `relation` is about what instances are accepted. Closed: the judge says something to each. */
export type SchemaFact = Place &
  (
    | { readonly kind: "field_added"; readonly schema: WireValue; readonly isRequired: boolean }
    | { readonly kind: "field_removed"; readonly isRequired: boolean }
    | { readonly kind: "field_renamed"; readonly from: string; readonly schema: WireValue }
    | { readonly kind: "made_required" }
    | { readonly kind: "made_optional" }
    | { readonly kind: "type"; readonly relation: SchemaRelation }
    /** `added`: values that were not accepted before; null where any value is now. */
    | { readonly kind: "values"; readonly relation: SchemaRelation; readonly added: readonly WireValue[] | null }
    | {
        readonly kind: "bound";
        readonly keyword: string;
        readonly relation: SchemaRelation;
        readonly before: WireValue | undefined;
        readonly after: WireValue | undefined;
      }
    | { readonly kind: "default"; readonly before: WireValue | undefined; readonly after: WireValue | undefined }
    | { readonly kind: "incomparable"; readonly why: Incomparable }
  );

/** Why two schemas could not be compared: what they accept may be anything. */
export type Incomparable = "too_large" | "refers_outside" | "refers_nowhere" | "unknown_keyword";
