import type { WireObject } from "../../../wire/value.ts";
import { itemKey, type SurfaceItem } from "../surface.ts";
import { own } from "./schema/document.ts";
import { fingerprint } from "./schema/fingerprint.ts";

/** Items that came which are one that went under another name: what they say, or what they take and say, is the same. */
export const renamedItems = (
  gone: readonly SurfaceItem[],
  came: readonly SurfaceItem[],
): ReadonlyMap<string, SurfaceItem> => {
  const known = new Map<string, SurfaceItem>();
  for (const item of gone) for (const shape of shapesOf(item)) if (!known.has(shape)) known.set(shape, item);
  const renamed = new Map<string, SurfaceItem>();
  for (const item of came) {
    const from = shapesOf(item)
      .map((shape) => known.get(shape))
      .find((one) => one !== undefined);
    if (from !== undefined) renamed.set(itemKey(item), from);
  }
  return renamed;
};

const shapesOf = ({ kind, definition }: SurfaceItem): readonly string[] => {
  const { name: _name, title: _title, ...rest } = definition as WireObject;
  const description = own(definition, "description");
  const isTelling = typeof description === "string" && description.length > 20;
  return [`${kind} ${fingerprint(rest)}`, ...(isTelling ? [`${kind} says ${fingerprint(description)}`] : [])];
};
