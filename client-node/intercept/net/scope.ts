import { guarded, of, outOfScope, type Row } from "../coverage/row.ts";
import { queryNames } from "./names.ts";

const text = "settings or text of this process: nothing leaves it";
const parts = "a message on a connection that was judged when it was opened";
const connected = "works on a socket that was judged when it was connected or began to listen";

/** Every export of the network modules: guarded, where the name itself is not replaced by what lies beneath it; or not, and why. */
export const scope = (): readonly Row[] => [
  ...ofRequests(),
  ...ofSockets(),
  ...ofListening(),
  ...ofNames(),
  ...harmless(),
];

const ofRequests = (): readonly Row[] => [
  guarded("http", ["http.fetch"], "globalThis.fetch"),
  guarded("http", ["websocket.connect"], "globalThis.WebSocket", "http.WebSocket"),
  guarded("http", ["eventsource.connect"], "globalThis.EventSource"),
  guarded(
    "http",
    ["http.request"],
    ...of("http", "request get ClientRequest"),
    ...of("https", "request get"),
    "_http_client.ClientRequest",
  ),
  guarded("http", ["http2.connect"], "http2.connect"),
];

/** By `net.Socket.prototype.connect`, and by the kernel's connect beneath it. */
const ofSockets = (): readonly Row[] => [
  guarded(
    "net",
    ["net.connect", "net.dial"],
    ...of("net", "connect createConnection Socket Stream Socket.prototype.connect"),
    ...of("http", "Agent globalAgent"),
    ...of("http.Agent.prototype", "createConnection createSocket addRequest"),
    "_http_agent.Agent",
    "_http_agent.globalAgent",
  ),
  guarded(
    "net",
    ["tls.connect", "net.dial"],
    ...of("tls", "connect TLSSocket"),
    ...of("_tls_wrap", "connect TLSSocket"),
    ...of("https", "Agent globalAgent Agent.prototype.createConnection"),
  ),
  guarded(
    "net",
    ["dgram.send", "net.dial"],
    ...of("dgram", "createSocket Socket"),
    ...of("dgram.Socket.prototype", "send sendto connect connectSync"),
  ),
];

const ofListening = (): readonly Row[] => [
  guarded(
    "net",
    "net.listen",
    ...of("net", "createServer Server Server.prototype.listen Server.prototype._listen2 _createServerHandle"),
    ...of("net", "BoundSocket _TransferredBoundSocket"),
    ...of("tls", "createServer Server"),
    ...of("_tls_wrap", "createServer Server"),
    ...of("http", "createServer Server _connectionListener"),
    ...of("_http_server", "Server _connectionListener"),
    ...of("https", "createServer Server"),
    ...of("http2", "createServer createSecureServer performServerHandshake"),
  ),
  guarded("net", "dgram.bind", ...of("dgram", "Socket.prototype.bind Socket.prototype.bindSync _createSocketHandle")),
];

const ofNames = (): readonly Row[] => [
  guarded(
    "net",
    ["dns.lookup"],
    ...["dns", "dns.promises"].flatMap((holder) => [
      ...of(holder, "lookup lookupService Resolver"),
      ...queryNames.flatMap((name) => [`${holder}.${name}`, `${holder}.Resolver.prototype.${name}`]),
    ]),
  ),
  guarded(
    "net",
    ["dns.setServers"],
    ...["dns", "dns.promises"].flatMap((holder) => of(holder, "setServers Resolver.prototype.setServers")),
  ),
];

const harmless = (): readonly Row[] => [
  outOfScope(
    text,
    ...of(
      "net",
      "_normalizeArgs _setSimultaneousAccepts BlockList SocketAddress isIP isIPv4 isIPv6 getDefaultAutoSelectFamily setDefaultAutoSelectFamily getDefaultAutoSelectFamilyAttemptTimeout setDefaultAutoSelectFamilyAttemptTimeout",
    ),
    ...of(
      "tls",
      "getCiphers getCACertificates getCertificateCompressionAlgorithms setDefaultCACertificates rootCertificates convertALPNProtocols checkServerIdentity",
    ),
    "_tls_common.translatePeerCertificate",
    ...of("http", "METHODS STATUS_CODES validateHeaderName validateHeaderValue setMaxIdleHTTPParsers maxHeaderSize"),
    ...of("http", "CloseEvent MessageEvent"),
    ...of(
      "_http_common",
      "_checkInvalidHeaderChar _checkIsHttpToken chunkExpression continueExpression freeParser methods parsers HTTPParser isLenient prepareError calculateLenientFlags",
    ),
    ...of("_http_outgoing", "parseUniqueHeadersOption validateHeaderName validateHeaderValue"),
    ...of("_http_server", "STATUS_CODES setupConnectionsTracking storeHTTPOptions httpServerPreClose"),
    ...of("http2", "constants getDefaultSettings getPackedSettings getUnpackedSettings sensitiveHeaders"),
    ...["dns", "dns.promises"].flatMap((holder) =>
      of(holder, "getDefaultResultOrder setDefaultResultOrder getServers Resolver.prototype.getServers"),
    ),
  ),
  outOfScope("its members are listed one by one", "dns.promises"),
  outOfScope("sets a proxy; the connection to it is judged", "http.setGlobalProxyFromEnv"),
  outOfScope("encrypts between streams that the program has already", "tls.createSecurePair"),
  outOfScope(
    parts,
    ...of("http", "IncomingMessage OutgoingMessage ServerResponse"),
    ...of("_http_incoming", "IncomingMessage readStart readStop"),
    "_http_outgoing.OutgoingMessage",
    "_http_server.ServerResponse",
    ...of("http2", "Http2ServerRequest Http2ServerResponse"),
    ...of(
      "http.ClientRequest.prototype",
      "_finish _implicitHeader abort destroy onSocket _deferToConnect setTimeout setNoDelay setSocketKeepAlive clearTimeout path",
    ),
  ),
  outOfScope(
    connected,
    ...of("http.Agent.prototype", "getName removeSocket keepSocketAlive reuseSocket destroy"),
    ...of("https.Agent.prototype", "getName _getSession _cacheSession _evictSession keepSocketAlive"),
    ...["http", "https"].flatMap((holder) =>
      of(`${holder}.Server.prototype`, "close closeAllConnections closeIdleConnections setTimeout"),
    ),
    ...of("net.Server.prototype", "listening address getConnections close _emitCloseIfDrained _setupWorker ref unref"),
    ...of("net.BoundSocket.prototype", "address fd close isPipe"),
    ...of(
      "net.Socket.prototype",
      "_unrefTimer _final setTimeout _onTimeout setNoDelay setKeepAlive address _connecting pending readyState bufferSize _read end resetAndDestroy pause resume read destroySoon _destroy _reset _getpeername bytesRead remoteAddress remoteFamily remotePort _getsockname localAddress localPort localFamily _writeGeneric _writev _write _bytesDispatched bytesWritten ref unref _handle setTypeOfService getTypeOfService",
    ),
    ...of(
      "tls.Server.prototype",
      "setSecureContext _getServerData _setServerData getTicketKeys setTicketKeys setOptions addContext",
    ),
    ...of(
      "tls.TLSSocket.prototype",
      "disableRenegotiation _wrapHandle _destroySSL _init renegotiate exportKeyingMaterial setMaxSendFragment _handleTimeout _emitTLSError _tlsError _releaseControl _finishInit _start setServername setSession getPeerCertificate getCertificate getPeerX509Certificate getX509Certificate setKeyCert getCipher getSharedSigalgs getEphemeralKeyInfo getFinished getPeerFinished getProtocol getSession getTLSTicket isSessionReused enableTrace",
    ),
    ...of(
      "dgram.Socket.prototype",
      "disconnect close address remoteAddress setBroadcast setTTL setMulticastTTL setMulticastLoopback setMulticastInterface addMembership dropMembership addSourceSpecificMembership dropSourceSpecificMembership ref unref setRecvBufferSize setSendBufferSize getRecvBufferSize getSendBufferSize getSendQueueSize getSendQueueCount _handle _receiving _bindState _queue _reuseAddr _healthCheck _stopReceiving",
    ),
  ),
];
