import { of, outOfScope, type Row } from "./row.ts";

const computes = "computes in this process; reaches nothing outside of it";

/** What computes and reaches nothing, and what reaches only what it is handed. */
export const computing = (): readonly Row[] => [
  outOfScope(
    computes,
    "assert()",
    "assert.strict()",
    ...["assert", "assert.strict"].flatMap((holder) =>
      of(
        holder,
        "fail AssertionError Assert ok equal notEqual deepEqual notDeepEqual deepStrictEqual notDeepStrictEqual partialDeepStrictEqual strictEqual notStrictEqual throws rejects doesNotThrow doesNotReject ifError match doesNotMatch CallTracker strict",
      ),
    ),
    ...of(
      "buffer",
      "Buffer SlowBuffer transcode isUtf8 isAscii btoa atob constants INSPECT_MAX_BYTES Blob resolveObjectURL File",
    ),
    ...of(
      "crypto",
      "checkPrime checkPrimeSync createCipheriv createDecipheriv createDiffieHellman createDiffieHellmanGroup createECDH createHash createHmac createMac createPrivateKey createPublicKey createSecretKey createSign createVerify diffieHellman encapsulate decapsulate generatePrime generatePrimeSync getCiphers getCipherInfo getCurves getDiffieHellman getHashes getMacs hkdf hkdfSync pbkdf2 pbkdf2Sync argon2 argon2Sync generateKeyPair generateKeyPairSync generateKey generateKeySync parsePKCS12 privateDecrypt privateEncrypt publicDecrypt publicEncrypt randomBytes randomFill randomFillSync randomInt randomUUID randomUUIDv7 scrypt scryptSync sign timingSafeEqual getFips setFips verify hash Certificate Cipher Cipheriv Decipher Decipheriv DiffieHellman DiffieHellmanGroup ECDH Hash Hmac KeyObject Sign Verify X509Certificate secureHeapUsed createCipher createDecipher fips constants webcrypto subtle getRandomValues prng pseudoRandomBytes rng",
    ),
    "events()",
    ...of(
      "events",
      "addAbortListener once on getEventListeners getMaxListeners EventEmitter captureRejections EventEmitterAsyncResource defaultMaxListeners setMaxListeners init listenerCount",
    ),
    ...["path", "path.posix", "path.win32"].flatMap((holder) =>
      of(
        holder,
        "resolve normalize isAbsolute join relative toNamespacedPath dirname basename extname format parse matchesGlob win32 posix _makeLong",
      ),
    ),
    ...of(
      "perf_hooks",
      "Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming monitorEventLoopDelay createHistogram createSlidingWindowHistogram importHistogram performance constants eventLoopUtilization timerify",
    ),
    ...of("punycode", "ucs2 decode encode toASCII toUnicode"),
    ...of("querystring", "unescapeBuffer unescape escape stringify encode parse decode"),
    ...of("string_decoder", "StringDecoder"),
    ...of(
      "timers",
      "setTimeout clearTimeout setImmediate clearImmediate setInterval clearInterval _unrefActive active unenroll enroll promises promises.setTimeout promises.setImmediate promises.setInterval promises.scheduler",
    ),
    ...of(
      "url",
      "Url parse resolve resolveObject format URL URLPattern URLSearchParams domainToASCII domainToUnicode pathToFileURL fileURLToPath fileURLToPathBuffer urlToHttpOptions",
    ),
    ...of(
      "util",
      "_errnoException _exceptionWithHostPort _extend callbackify convertProcessSignalToExitCode debounce debug debuglog deprecate diff format formatWithOptions getCallSite getCallSites getSystemErrorMap getSystemErrorMessage getSystemErrorName inherits inspect isArray isBoolean isBuffer isDate isDeepStrictEqual isError isFunction isNull isNullOrUndefined isNumber isObject isPrimitive isRegExp isString isSymbol isUndefined log markPromiseAsHandled MIMEParams MIMEType parseArgs parseEnv promisify setTraceSigInt stripVTControlCharacters styleText TextDecoder TextEncoder throttle toUSVString transferableAbortController transferableAbortSignal aborted types",
    ),
    ...of(
      "util.types",
      "isExternal isDate isArgumentsObject isBigIntObject isBooleanObject isNumberObject isStringObject isSymbolObject isNativeError isRegExp isAsyncFunction isGeneratorFunction isGeneratorObject isPromise isMap isSet isMapIterator isSetIterator isWeakMap isWeakSet isArrayBuffer isDataView isSharedArrayBuffer isProxy isModuleNamespaceObject isAnyArrayBuffer isBoxedPrimitive isArrayBufferView isTypedArray isUint8Array isUint8ClampedArray isUint16Array isUint32Array isInt8Array isInt16Array isInt32Array isFloat16Array isFloat32Array isFloat64Array isBigInt64Array isBigUint64Array isKeyObject isCryptoKey",
    ),
    ...of(
      "zlib",
      "crc32 Deflate Inflate Gzip Gunzip DeflateRaw InflateRaw Unzip BrotliCompress BrotliDecompress ZstdCompress ZstdDecompress deflate deflateSync gzip gzipSync deflateRaw deflateRawSync unzip unzipSync inflate inflateSync gunzip gunzipSync inflateRaw inflateRawSync brotliCompress brotliCompressSync brotliDecompress brotliDecompressSync zstdCompress zstdCompressSync zstdDecompress zstdDecompressSync createDeflate createInflate createDeflateRaw createInflateRaw createGzip createGunzip createUnzip createBrotliCompress createBrotliDecompress createZstdCompress createZstdDecompress constants codes",
    ),
    ...of(
      "zlib/iter",
      "compressGzip compressDeflate compressBrotli compressZstd compressGzipSync compressDeflateSync compressBrotliSync compressZstdSync decompressGzip decompressDeflate decompressBrotli decompressZstd decompressGzipSync decompressDeflateSync decompressBrotliSync decompressZstdSync",
    ),
  ),
  outOfScope(
    "moves data between streams of the program's; a file or a socket among them was judged when it was opened",
    ...["stream", "_stream_duplex", "_stream_passthrough", "_stream_readable", "_stream_transform"].map(
      (name) => `${name}()`,
    ),
    ...["_stream_wrap", "_stream_writable"].map((name) => `${name}()`),
    ...of("_stream_duplex", "fromWeb toWeb from"),
    ...of("_stream_readable", "ReadableState _fromList from fromWeb toWeb wrap"),
    "_stream_wrap.StreamWrap",
    ...of("_stream_writable", "WritableState fromWeb toWeb"),
    ...of(
      "stream",
      "isDestroyed isDisturbed isErrored isReadable isWritable Readable Writable Duplex Transform PassThrough duplexPair pipeline addAbortSignal finished destroy compose setDefaultHighWaterMark getDefaultHighWaterMark promises promises.finished promises.pipeline Stream _isArrayBufferView _isUint8Array _uint8ArrayToBuffer",
    ),
    ...of("stream/consumers", "arrayBuffer blob buffer bytes text json"),
    ...of(
      "stream/iter",
      "Stream push duplex from fromSync pull pullSync pipeTo pipeToSync bytes text arrayBuffer array bytesSync textSync arrayBufferSync arraySync merge broadcast Broadcast share shareSync Share SyncShare tap tapSync ondrain fromReadable fromWritable toReadable toReadableSync toWritable",
    ),
    ...of(
      "stream/web",
      "ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableByteStreamController ReadableStreamDefaultController ReadableStreamTee TransformStream TransformStreamDefaultController WritableStream WritableStreamDefaultWriter WritableStreamDefaultController ByteLengthQueuingStrategy CountQueuingStrategy TextEncoderStream TextDecoderStream CompressionStream DecompressionStream",
    ),
    ...of(
      "readline",
      "Interface clearLine clearScreenDown createInterface cursorTo emitKeypressEvents moveCursor promises promises.Interface promises.Readline promises.createInterface",
    ),
    ...of(
      "console",
      "log warn dir time timeEnd timeLog timeStamp trace assert clear count countReset group groupEnd groupCollapsed table debug info dirxml error profile profileEnd context createTask Console _stdoutErrorHandler _stderrErrorHandler _times _stdout _stderr",
    ),
  ),
  outOfScope(
    "a descriptor that is open already: it was judged when it was opened, or was open when the program started",
    ...of("tty", "isatty ReadStream WriteStream ReadStream.prototype.setRawMode"),
    ...of(
      "tty.WriteStream.prototype",
      "getColorDepth hasColors _refreshSize cursorTo moveCursor clearLine clearScreenDown getWindowSize",
    ),
  ),
  outOfScope(
    "tells a program's own code what happens; what that code does is judged",
    ...of(
      "async_hooks",
      "AsyncLocalStorage createHook executionAsyncId triggerAsyncId executionAsyncResource asyncWrapProviders AsyncResource",
    ),
    ...of("diagnostics_channel", "channel hasSubscribers subscribe tracingChannel unsubscribe Channel"),
    ...of("domain", "_stack Domain createDomain create active"),
  ),
  outOfScope(
    "reads a fact about this machine or user; reaches no file, program or address that a rule could name",
    ...of(
      "os",
      "arch availableParallelism cpus endianness freemem getPriority homedir hostname loadavg networkInterfaces platform release tmpdir totalmem type userInfo uptime version machine constants",
    ),
  ),
  outOfScope(
    "changes how often the kernel lets a process run that the user owns; starts and ends none",
    "os.setPriority",
  ),
  outOfScope(
    "runs code in this process, which reaches builtins only by objects that it is handed: the guarded ones",
    ...of(
      "vm",
      "Script createContext createScript runInContext runInNewContext runInThisContext isContext compileFunction measureMemory constants Module SourceTextModule SyntheticModule",
    ),
    ...of("vm.Module.prototype", "identifier context namespace status error link evaluate"),
    ...of("vm.Script.prototype", "runInThisContext runInContext runInNewContext"),
    ...of(
      "vm.SourceTextModule.prototype",
      "dependencySpecifiers status error createCachedData linkRequests instantiate moduleRequests hasAsyncGraph hasTopLevelAwait",
    ),
    ...of("vm.SyntheticModule.prototype", "setExport link"),
    ...of("repl", "start writer REPLServer Recoverable isValidSyntax builtinModules _builtinLibs"),
    ...of(
      "repl.REPLServer.prototype",
      "setupHistory clearBufferedCommand close createContext resetContext displayPrompt setPrompt complete completeOnEditorMode defineCommand",
    ),
    "test()",
    ...of(
      "test",
      "expectFailure skip todo only after afterEach before beforeEach describe getTestContext it run suite test mock snapshot assert snapshot.setDefaultSnapshotSerializers snapshot.setResolveSnapshotPath",
    ),
    ...of("test/reporters", "dot junit spec tap lcov"),
  ),
  outOfScope("numbers, under the names that the operating system gives them", "constants"),
  outOfScope(
    "reads what is in this program's own executable",
    ...of("sea", "isSea getAsset getRawAsset getAssetAsBlob getAssetKeys"),
  ),
];
