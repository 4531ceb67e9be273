/**
 * The viewer's server: files of one folder, to this machine only. It answers GET and HEAD for the names this machine
 * has for itself, so that no page elsewhere can reach it under a name of its own (DNS rebinding), and sends a policy
 * under which the page can load nothing but its own files.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connections } from './connections.js';
import { findServedFile } from './files/served-file.js';

/** Names this machine has for itself. */
const HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Most bytes of all headers together. */
const MAX_HEADERS = 16 * 1024;
/** A connection that says nothing, or not all it has to say, for this long is closed [ms]. */
const IDLE = 30_000;
const MAX_CONNECTIONS = 64;

/**
 * The one file that may make functions from text, and the policy it is sent with: the worker that unpacks KTX2 pictures, whose transcoder does so
 * (viewer/decode/basis-worker.ts). A worker obeys the policy of its own file; it has no page. 'wasm-unsafe-eval' alone is not enough: Basis Universal is published
 * only in builds whose glue (embind) makes its functions by `Function(text)` while it starts; one made with Emscripten's DYNAMIC_EXECUTION=0 would not, and
 * three does not ship one (three.js issue 34389). Once it does, this policy can go.
 */
const TRANSCODER = /^\/assets\/basis-worker-[\w-]+\.js$/;
const TRANSCODER_POLICY = "default-src 'none'; script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval'; connect-src 'self'";

/** Sent with every answer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' blob:; " +
    "img-src 'self' data: blob:; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** A running server. */
export interface ViewerServer {
  readonly port: number;
  /** "http://localhost:port/". */
  readonly url: string;
  /** True where the port that was asked for was taken. */
  readonly moved: boolean;
  close(): Promise<void>;
}

/** What the server can be told. */
export interface ViewerServerOptions {
  /** The only folder it serves. */
  readonly root: string;
  /** Port to try first; 0 for any free one. */
  readonly port: number;
  /** One more file, served as /file/NAME from memory. */
  readonly file?: { readonly name: string; readonly body: Buffer };
  /** Idle time after which a connection is closed [ms]; default 30 s. */
  readonly idle?: number;
}

/** Starts serving on 127.0.0.1 and, where there is one, on ::1; on another port where the one asked for is taken. */
export async function startViewerServer(options: ViewerServerOptions): Promise<ViewerServer> {
  const { port } = options;
  const connections = new Connections(MAX_CONNECTIONS);
  const make = () => makeServer(options, connections);
  const servers = (await listenOnLoopback(make, port)) ?? (await listenOnLoopback(make, 0));
  if (!servers) throw new Error('no free port on this machine');
  const used = (servers[0].address() as AddressInfo).port;
  return {
    port: used,
    url: `http://localhost:${used}/`,
    moved: port !== 0 && used !== port,
    close: async () => {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      connections.close();
      await Promise.all(closed);
    },
  };
}

function makeServer(served: ViewerServerOptions, connections: Connections): Server {
  const { idle = IDLE } = served;
  const options = {
    maxHeaderSize: MAX_HEADERS,
    headersTimeout: idle,
    requestTimeout: idle,
    keepAliveTimeout: idle,
    connectionsCheckingInterval: Math.min(5000, idle),
  };
  const server = createServer(options, (request, response) => {
    connections.inTurn(request.socket, response, () => answer(served, request, response));
  });
  server.setTimeout(idle, (socket) => socket.destroy());
  // counted over both addresses
  server.on('connection', (socket) => connections.add(socket));
  return server;
}

async function answer(
  { root, file: given }: ViewerServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  const { method, headers } = request;
  if (!isOwnHost(headers.host) || !isOwnOrigin(headers.origin, headers.host)) return refuse(response, 403);
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return refuse(response, 405);
  }
  // Nothing served here takes a body, so one is never read.
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0) {
    return refuse(response, 413);
  }
  const target = request.url ?? '';
  if (TRANSCODER.test(target)) response.setHeader('Content-Security-Policy', TRANSCODER_POLICY);
  const isGiven = given !== undefined && target === `/file/${encodeURIComponent(given.name)}`;
  const file = isGiven
    ? { status: 200 as const, type: 'application/octet-stream', body: given.body }
    : await findServedFile(root, target);
  if (file.status !== 200) return refuse(response, file.status);
  response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.body.length });
  response.end(method === 'HEAD' ? undefined : file.body);
}

function refuse(response: ServerResponse, status: number): void {
  const body = `${status} ${STATUS_CODES[status]}\n`;
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': body.length, Connection: 'close' };
  response.writeHead(status, headers).end(body);
}

/** Whether a Host header names this machine, with or without a port. */
function isOwnHost(host: string | undefined): boolean {
  const match = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.exec(host ?? '');
  return match !== null && HOSTS.has(match[1].toLowerCase());
}

/** Whether a request comes from the page itself; navigations carry no origin. */
function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || origin.toLowerCase() === `http://${host?.toLowerCase()}`;
}

/** Listens on both loopback addresses; undefined where the port is taken on either. */
async function listenOnLoopback(make: () => Server, port: number): Promise<Server[] | undefined> {
  const first = make();
  if ((await listen(first, '127.0.0.1', port)) !== undefined) return undefined;
  const second = make();
  const error = await listen(second, '::1', (first.address() as AddressInfo).port);
  if (error === undefined) return [first, second];
  // Many containers have no IPv6 at all.
  if (error !== 'EADDRINUSE') return [first];
  await new Promise((resolve) => first.close(resolve));
  return undefined;
}

/** Starts listening; returns the error's code, or undefined. */
function listen(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown');
    server.once('error', failed);
    server.listen({ host, port, exclusive: true }, () => {
      server.removeListener('error', failed);
      resolve(undefined);
    });
  });
}
