import { guarded, of, outOfScope, type Row } from "../coverage/row.ts";

/** `inspector`, `v8`, `module`, and the engines of OpenSSL. */
export const scope = (): readonly Row[] => [...ofInspector(), ...ofEngines(), ...ofModules()];

const ofInspector = (): readonly Row[] => [
  guarded("exec", "inspector.open", "inspector.open", "inspector/promises.open"),
  guarded("exec", "process._debugProcess", "process._debugProcess"),
  guarded(
    "exec",
    "inspector.Session.post",
    ...["inspector", "inspector/promises"].flatMap((holder) => of(holder, "Session Session.prototype.post")),
  ),
  outOfScope(
    "reaches nothing before a message is posted",
    ...of("inspector.Session.prototype", "connect connectToMainThread disconnect"),
  ),
  outOfScope(
    "tells a debugger something, waits for one, or says where it would listen",
    ...["inspector", "inspector/promises"].flatMap((holder) =>
      of(holder, "close url waitForDebugger console Network NetworkResources DOMStorage"),
    ),
    ...of(
      "inspector.Network",
      "requestWillBeSent responseReceived loadingFinished loadingFailed dataSent dataReceived webSocketCreated webSocketClosed webSocketHandshakeResponseReceived",
    ),
    "inspector.NetworkResources.put",
    ...of(
      "inspector.DOMStorage",
      "domStorageItemAdded domStorageItemRemoved domStorageItemUpdated domStorageItemsCleared registerStorage",
    ),
  ),
];

const ofEngines = (): readonly Row[] => [
  guarded("exec", "v8.setFlagsFromString", "v8.setFlagsFromString"),
  guarded("exec", "crypto.setEngine", "crypto.setEngine"),
  guarded(
    "exec",
    "tls.createSecureContext",
    ...of("tls", "createSecureContext SecureContext"),
    ...of("_tls_common", "createSecureContext SecureContext"),
  ),
  outOfScope(
    "lists what is open in this process, without the guard's own connection",
    ...of("process", "_getActiveHandles _getActiveRequests"),
  ),
  outOfScope(
    "reads or measures the memory of this process, where the program itself is; writes no file",
    ...of(
      "v8",
      "cachedDataVersionTag getHeapSnapshot getHeapStatistics getHeapSpaceStatistics getHeapCodeStatistics getCppHeapStatistics isStringOneByteRepresentation queryObjects GCProfiler startCpuProfile",
    ),
  ),
  outOfScope(
    "computes in this process, or tells a program's own code what happens",
    ...of("v8", "Serializer Deserializer DefaultSerializer DefaultDeserializer serialize deserialize promiseHooks"),
    ...of("v8.promiseHooks", "createHook onInit onBefore onAfter onSettled"),
  ),
  outOfScope(
    "does something only while a snapshot is built, which no guard comes before: a child may not be started so",
    ...of(
      "v8.startupSnapshot",
      "addDeserializeCallback addSerializeCallback setDeserializeMainFunction isBuildingSnapshot",
    ),
    "v8.startupSnapshot",
  ),
];

const ofModules = (): readonly Row[] => [
  outOfScope(
    "finds or loads a module, whose file is read by `fs` and asked for there; a native one by `process.dlopen`",
    "module()",
    ...of(
      "module",
      "Module createRequire runMain _load _extensions _findPath _resolveFilename _resolveLookupPaths _nodeModulePaths _preloadModules registerHooks Module.prototype.load Module.prototype.require",
    ),
  ),
  outOfScope(
    "tells whether a path is a file or a folder, or reads the fields of a `package.json`; gives no other text",
    ...of("module", "_stat _readPackage findPackageJSON"),
  ),
  outOfScope(
    "code or settings of this process; what the code calls is judged",
    ...of(
      "module",
      "_cache _pathCache globalPaths wrap wrapper _debug _initPaths isBuiltin builtinModules findSourceMap SourceMap constants stripTypeScriptTypes getSourceMapsSupport setSourceMapsSupport Module.prototype._compile Module.prototype.isPreloading Module.prototype.parent",
    ),
  ),
  outOfScope("publishes what the builtins have, which is what the guard put there", "module.syncBuiltinESMExports"),
];
