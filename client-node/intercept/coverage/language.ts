import { of, outOfScope, type Row } from "./row.ts";

/** The globals that are neither guarded nor a module. */
export const globalScope = (): readonly Row[] => [
  outOfScope(
    "a part of the language",
    ...of(
      "globalThis",
      "Object Function Array Number parseFloat parseInt Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis global JSON Math Intl ArrayBuffer SharedArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet Proxy Reflect FinalizationRegistry WeakRef Iterator DisposableStack AsyncDisposableStack decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN WebAssembly gc",
    ),
  ),
  outOfScope(
    "computes in this process, or moves data in it",
    ...of(
      "globalThis",
      "Buffer clearImmediate setImmediate clearInterval clearTimeout setInterval setTimeout queueMicrotask structuredClone atob btoa URL URLPattern URLSearchParams DOMException AbortController AbortSignal Event EventTarget CustomEvent MessageEvent CloseEvent TextEncoder TextDecoder TransformStream TransformStreamDefaultController WritableStream WritableStreamDefaultController WritableStreamDefaultWriter ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableByteStreamController ReadableStreamDefaultController ByteLengthQueuingStrategy CountQueuingStrategy TextEncoderStream TextDecoderStream CompressionStream DecompressionStream BroadcastChannel MessageChannel MessagePort Blob File Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming performance FormData Headers Request Response crypto Crypto CryptoKey SubtleCrypto Navigator navigator",
    ),
  ),
  outOfScope(
    "keeps its data in the file that Node was started with (`--localstorage-file`), or in memory",
    ...of("globalThis", "Storage localStorage sessionStorage"),
  ),
  outOfScope("its members are listed one by one", ...of("globalThis", "console process")),
];
