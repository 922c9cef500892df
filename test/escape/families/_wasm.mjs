// A WebAssembly module, made byte by byte: opens a file of the first preopened folder, and writes what it reads to standard output.
const leb = (value) => {
  const bytes = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
};
const unsigned = (value) => {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
};
const text = (value) => [...unsigned(value.length), ...Buffer.from(value)];
const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];
const list = (items) => [...unsigned(items.length), ...items.flat()];
const i32 = (value) => [0x41, ...leb(value)];
const i64 = (value) => [0x42, ...leb(value)];
const load = (at) => [...i32(at), 0x28, 2, 0];

const [int, long] = [0x7f, 0x7e];
const nameAt = 64;
const descriptorAt = 0;
const listAt = 8;
const countAt = 16;
const bufferAt = 1024;
const bufferBytes = 4096;

export const readerModule = (name) => {
  const types = [
    [0x60, ...list([[int], [int], [int], [int], [int], [long], [long], [int], [int]]), ...list([[int]])],
    [0x60, ...list([[int], [int], [int], [int]]), ...list([[int]])],
    [0x60, ...list([]), ...list([])],
  ];
  const imported = (field, type) => [...text("wasi_snapshot_preview1"), ...text(field), 0, type];
  const code = [
    // path_open(3, follow, name, length, 0, read | seek, 0, 0, &descriptor)
    ...[i32(3), i32(1), i32(nameAt), i32(name.length), i32(0), i64(6), i64(0), i32(0), i32(descriptorAt)].flat(),
    ...[0x10, 0, 0x1a],
    // fd_read(descriptor, &list, 1, &count)
    ...[...load(descriptorAt), ...i32(listAt), ...i32(1), ...i32(countAt), 0x10, 1, 0x1a],
    // list.length = count; fd_write(1, &list, 1, &count)
    ...[...i32(listAt + 4), ...load(countAt), 0x36, 2, 0],
    ...[...i32(1), ...i32(listAt), ...i32(1), ...i32(countAt), 0x10, 2, 0x1a],
    0x0b,
  ];
  const body = [0, ...code];
  const iovec = Buffer.alloc(8);
  iovec.writeUInt32LE(bufferAt, 0);
  iovec.writeUInt32LE(bufferBytes, 4);
  const data = (at, bytes) => [0, ...i32(at), 0x0b, ...unsigned(bytes.length), ...bytes];
  return Uint8Array.from([
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, list([imported("path_open", 0), imported("fd_read", 1), imported("fd_write", 1)])),
    ...section(3, list([[2]])),
    ...section(5, list([[0, 1]])),
    ...section(
      7,
      list([
        [...text("memory"), 2, 0],
        [...text("_start"), 0, 3],
      ]),
    ),
    ...section(10, list([[...unsigned(body.length), ...body]])),
    ...section(11, list([data(listAt, iovec), data(nameAt, Buffer.from(name))])),
  ]);
};
