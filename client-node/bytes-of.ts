const { apply, getOwnPropertyDescriptor } = Reflect;
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;

type Getter<T> = (this: ArrayBufferView) => T;
const getters = (prototype: object) => ({
  buffer: getOwnPropertyDescriptor(prototype, "buffer")?.get as Getter<ArrayBuffer>,
  byteOffset: getOwnPropertyDescriptor(prototype, "byteOffset")?.get as Getter<number>,
  byteLength: getOwnPropertyDescriptor(prototype, "byteLength")?.get as Getter<number>,
});
const ofArray = getters(typedArray);
const ofView = getters(DataView.prototype);
const nameOf = getOwnPropertyDescriptor(typedArray, Symbol.toStringTag)?.get as Getter<string>;

/** The bytes that a view is of, whatever it says of itself. They are shared with it. */
export const bytesOf = (view: ArrayBufferView): Uint8Array<ArrayBuffer> => {
  const { buffer, byteOffset, byteLength } = view instanceof DataView ? ofView : ofArray;
  return new Uint8Array(apply(buffer, view, []), apply(byteOffset, view, []), apply(byteLength, view, []));
};

const kinds: Readonly<Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>> = {
  ...{ Uint8Array, Int8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array },
  ...{ Float32Array, Float64Array, BigInt64Array, BigUint64Array },
};

/** A view of the same kind on a copy of its bytes. */
export const copyOf = (view: ArrayBufferView): ArrayBufferView => {
  const Kind = view instanceof DataView ? DataView : (kinds[apply(nameOf, view, [])] ?? DataView);
  return new Kind(new Uint8Array(bytesOf(view)).buffer);
};
