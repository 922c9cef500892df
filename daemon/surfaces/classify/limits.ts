/** Everything that bounds what one definition may cost. What lies beyond is not called unchanged: it is a finding. */

/** Pairs of schema nodes that are compared for one item; of real tools none has a thousand. */
export const mostSchemaNodes = 20_000;
/** Deeper than a frame may nest. */
export const deepestSchema = 64;
/** References that lead to each other without a node between them. */
export const mostReferenceHops = 16;
/** Members of one combinator, or values of one enumeration, that are paired by what they are rather than by their place. */
export const mostPairedMembers = 2_000;
/** Properties that went and came which are tried as renamed. */
export const mostRenamed = 64;
/** UTF-16 units of all texts of one definition that are judged. */
export const mostJudgedCharacters = 1_048_576;
/** Changes of one schema that are told one by one. */
export const mostFacts = 2_000;
