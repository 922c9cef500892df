/** Every member of the network modules: guarded, or out of scope for a reason. A test compares both with the Node that runs it. */

const each = (prefix: string, names: readonly string[]): string[] => names.map((name) => `${prefix}.${name}`);

const queries = [
  "lookup",
  "lookupService",
  "resolve",
  "resolve4",
  "resolve6",
  "resolveAny",
  "resolveCaa",
  "resolveCname",
  "resolveMx",
  "resolveNaptr",
  "resolveNs",
  "resolvePtr",
  "resolveSoa",
  "resolveSrv",
  "resolveTlsa",
  "resolveTxt",
  "reverse",
  "setServers",
  "Resolver",
] as const;

/** Guarded with the option `http`. */
export const httpMembers: readonly string[] = [
  "globalThis.fetch",
  "globalThis.WebSocket",
  "globalThis.EventSource",
  "http.request",
  "http.get",
  "http.ClientRequest",
  "https.request",
  "https.get",
  "http2.connect",
];

/** Guarded with the option `net`: where the name itself is not replaced, `net.Socket.prototype.connect` beneath it is. */
export const netMembers: readonly string[] = [
  "net.connect",
  "net.createConnection",
  "net.Socket",
  "net.Stream",
  "tls.connect",
  "tls.TLSSocket",
  "http.Agent",
  "https.Agent",
  "http.globalAgent",
  "https.globalAgent",
  "dgram.createSocket",
  "dgram.Socket",
  ...each("dns", queries),
  ...each("dns.promises", queries),
];

const listens = "accepts connections, and opens none";
const reads = "settings or text of this process: nothing leaves it";
const parts = "a message on a connection that was judged when it was opened";

/** Not guarded, and why. Whole names, or a prefix that ends in `.*`. */
export const outOfScope: Readonly<Record<string, string>> = {
  "net.createServer": listens,
  "net.Server": listens,
  "net._createServerHandle": `${listens}; a dial with its handle is judged at the handle`,
  "net._normalizeArgs": reads,
  "net._setSimultaneousAccepts": reads,
  "net.BlockList": reads,
  "net.SocketAddress": reads,
  "net.isIP": reads,
  "net.isIPv4": reads,
  "net.isIPv6": reads,
  "net.getDefaultAutoSelectFamily": reads,
  "net.setDefaultAutoSelectFamily": reads,
  "net.getDefaultAutoSelectFamilyAttemptTimeout": reads,
  "net.setDefaultAutoSelectFamilyAttemptTimeout": reads,
  "tls.CLIENT_RENEG_LIMIT": reads,
  "tls.CLIENT_RENEG_WINDOW": reads,
  "tls.DEFAULT_CIPHERS": reads,
  "tls.DEFAULT_ECDH_CURVE": reads,
  "tls.DEFAULT_MIN_VERSION": reads,
  "tls.DEFAULT_MAX_VERSION": reads,
  "tls.getCiphers": reads,
  "tls.getCACertificates": reads,
  "tls.setDefaultCACertificates": reads,
  "tls.rootCertificates": reads,
  "tls.convertALPNProtocols": reads,
  "tls.checkServerIdentity": reads,
  "tls.createSecureContext": reads,
  "tls.SecureContext": reads,
  "tls.createSecurePair": "encrypts between streams that the program has already",
  "tls.Server": listens,
  "tls.createServer": listens,
  "http._connectionListener": listens,
  "http.METHODS": reads,
  "http.STATUS_CODES": reads,
  "http.IncomingMessage": parts,
  "http.OutgoingMessage": parts,
  "http.Server": listens,
  "http.ServerResponse": parts,
  "http.createServer": listens,
  "http.validateHeaderName": reads,
  "http.validateHeaderValue": reads,
  "http.setMaxIdleHTTPParsers": reads,
  "http.setGlobalProxyFromEnv": "sets a proxy; the connection to it is judged",
  "http.maxHeaderSize": reads,
  "http.WebSocket": "the same class as globalThis.WebSocket before the guard: its connection is judged, its url is not",
  "http.CloseEvent": reads,
  "http.MessageEvent": reads,
  "https.Server": listens,
  "https.createServer": listens,
  "http2.constants": reads,
  "http2.createServer": listens,
  "http2.createSecureServer": listens,
  "http2.getDefaultSettings": reads,
  "http2.getPackedSettings": reads,
  "http2.getUnpackedSettings": reads,
  "http2.performServerHandshake": listens,
  "http2.sensitiveHeaders": reads,
  "http2.Http2ServerRequest": parts,
  "http2.Http2ServerResponse": parts,
  "dgram._createSocketHandle": "opens a descriptor; a dial with its handle is judged at the handle",
  "dns.getDefaultResultOrder": reads,
  "dns.setDefaultResultOrder": reads,
  "dns.getServers": reads,
  "dns.promises": "its members are listed one by one",
  "dns.promises.getDefaultResultOrder": reads,
  "dns.promises.setDefaultResultOrder": reads,
  "dns.promises.getServers": reads,
};

/** `dns.NODATA` and its kin. */
export const isConstant = (name: string): boolean => /^[A-Z0-9_]+$/.test(name);

/** Beneath the modules, and not guarded by this group. */
export const beneath: Readonly<Record<string, string>> = {
  "undici.globalDispatcher":
    "its requests are judged as connections (net.connect, tls.connect, net.dial), not as http.fetch",
  "Pipe.connect": "a raw pipe handle taken from a socket connects without a question; net.Socket with a path asks",
  "process.binding": "its fresh handles share the judged prototypes for tcp and udp, not for pipes and c-ares",
  "a connection kept alive":
    "a later request on it is judged as http.request or http.fetch, and not as net.dial once more",
};
