import type { JsonObject } from "../../../wire/value.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { type BaselineFile, baselineFormat } from "../../surfaces/offline/baseline-file.ts";
import type { Baseline } from "../../surfaces/state/record.ts";
import type { ServerKey, SurfaceItem } from "../../surfaces/surface.ts";
import { askOperators, type OperatorSeat } from "../ask-operators.ts";

interface Part {
  readonly baseline: (Omit<Baseline, "items"> & { readonly items: number }) | null;
  readonly items: readonly (Omit<SurfaceItem, "definition"> & { readonly definition: JsonObject | null })[];
  readonly next: number | null;
}

/** All parts of a baseline, of one version. Throws Refusal where there is none, or where it was changed meanwhile. */
export const exportBaseline = async (
  seat: OperatorSeat,
  server: ServerKey & JsonObject,
  tell: (items: number) => void,
): Promise<BaselineFile> => {
  const items: SurfaceItem[] = [];
  let first: Part["baseline"] = null;
  for (let from: number | null = 0; from !== null; ) {
    const {
      baseline,
      items: some,
      next,
    } = (await askOperators(seat, "servers.export", { server, from })) as unknown as Part;
    if (baseline === null) throw new Refusal(ExitCode.no, "nothing of the server is approved yet");
    first ??= baseline;
    if (baseline.version !== first.version)
      throw new Refusal(ExitCode.no, "another baseline was approved meanwhile; export it again");
    for (const { definition, ...item } of some) {
      if (definition === null)
        throw new Refusal(ExitCode.no, "a definition of the baseline is kept no more; rebaseline first");
      items.push({ ...item, definition });
    }
    tell(items.length);
    from = next;
  }
  const { version, approved_by, approved_ms, identity, listed, hash } = first as NonNullable<typeof first>;
  const { server: name, credential } = server;
  return {
    format_version: baselineFormat,
    server: name,
    credential,
    version,
    approved_by,
    approved_ms,
    identity,
    listed,
    surface_hash: hash,
    items,
  };
};
