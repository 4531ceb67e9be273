/** The viewer's server against everything it must refuse: raw bytes over a socket, so that no client tidies them up. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SECURITY_HEADERS, startViewerServer, type ViewerServer } from '../../cli/server.js';

let folder: string;
let root: string;
let server: ViewerServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tendon-server-'));
  root = join(folder, 'root');
  mkdirSync(join(root, 'assets', '.hidden'), { recursive: true });
  mkdirSync(join(folder, 'root-beside'));
  const files: Record<string, string> = {
    'root/index.html': '<!doctype html><title>page</title>',
    'root/assets/a.js': 'export {};',
    'root/assets/with space.js': 'export {};',
    'root/assets/100%.js': 'export {};',
    'root/assets/.hidden/a.js': 'hidden',
    'root/.env.js': 'hidden',
    'root/secret.pem': 'key',
    'root/noextension': 'text',
    'root/page.ts': 'source',
    'root/run.sh': 'script',
    'outside.js': 'outside',
    'root-beside/a.js': 'beside',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync(join(folder, 'outside.js'), join(root, 'link.js'));
  symlinkSync(join(folder, 'root-beside'), join(root, 'linked'));
  symlinkSync(join(root, 'assets', 'a.js'), join(root, 'inner.js'));
  server = await startViewerServer({ root, port: 0 });
});

afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends bytes and returns everything that comes back until the other side closes. */
function exchange(bytes: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, host, () => socket.write(bytes, 'latin1'));
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(text) : reject(error)));
  });
}

const request = (line: string, headers: readonly string[] = ['Host: localhost']) =>
  exchange(`${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`);

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

/** Paths and the only answers they may get. */
const PATHS: readonly [string, number][] = [
  ['/', 200],
  ['/index.html', 200],
  ['/?scene=bar', 200],
  ['/index.html?a=../../b', 200],
  ['/assets/a.js', 200],
  ['/assets/with%20space.js', 200],
  ['/assets/100%25.js', 200],
  ['/%61ssets/a.js', 200],
  ['/inner.js', 200],
  ['/missing.js', 404],
  ['/assets', 404],
  ['/assets/', 400],
  ['/..', 400],
  ['/../outside.js', 400],
  ['/../../../../etc/passwd', 400],
  ['/assets/../index.html', 400],
  ['/assets/../../outside.js', 400],
  ['/./index.html', 400],
  ['/.', 400],
  ['//index.html', 400],
  ['//etc/passwd', 400],
  ['/assets//a.js', 400],
  ['/%2e%2e/outside.js', 400],
  ['/%2E%2E%2Foutside.js', 400],
  ['/..%2foutside.js', 400],
  ['/assets%2f..%2f..%2foutside.js', 400],
  ['/%252e%252e/outside.js', 404],
  ['/..%252foutside.js', 404],
  ['/..\\outside.js', 400],
  ['/..%5coutside.js', 400],
  ['/assets%5ca.js', 400],
  ['/index.html%00', 400],
  ['/index.html%00.js', 400],
  ['/%00', 400],
  ['/index.html%0d%0aX: y', 400],
  ['/%0a', 400],
  ['/%7f', 400],
  ['/%', 400],
  ['/%zz', 400],
  ['/%c0%ae%c0%ae/outside.js', 400],
  ['/%ff', 400],
  ['/C:/windows/win.ini', 400],
  ['/C%3a/windows/win.ini', 400],
  ['/index.html::$DATA', 400],
  ['/.env.js', 404],
  ['/assets/.hidden/a.js', 404],
  ['/.git/config', 404],
  ['/secret.pem', 404],
  ['/noextension', 404],
  ['/page.ts', 404],
  ['/run.sh', 404],
  ['/link.js', 404],
  ['/linked/a.js', 404],
  ['/index.html/', 400],
  ['/index.html/a.js', 404],
  ['*', 400],
  ['index.html', 400],
  ['http://localhost/index.html', 400],
  ['http://evil.example/index.html', 400],
  [`/${'a'.repeat(8200)}.js`, 414],
];

/** Host headers and whether they are this machine's. */
const HOSTS: readonly [string, number][] = [
  ['localhost', 200],
  ['LOCALHOST:8017', 200],
  ['127.0.0.1', 200],
  ['127.0.0.1:1', 200],
  ['[::1]:8017', 200],
  ['evil.example', 403],
  ['localhost.evil.example', 403],
  ['evil.example:8017', 403],
  ['localhost@evil.example', 403],
  ['localhost:80:80', 403],
  ['localhost:', 403],
  ['localhost:x', 403],
  ['127.0.0.1.nip.io', 403],
  ['127.1', 403],
  ['127.0.0.2', 403],
  ['2130706433', 403],
  ['0.0.0.0', 403],
  ['::1', 403],
  ['', 403],
  ['localhost, evil.example', 403],
];

describe('the viewer server', () => {
  it.each(PATHS)('path %j gets %i', async (path, status) => {
    const answer = await request(`GET ${path} HTTP/1.1`);
    expect(statusOf(answer)).toBe(status);
    expect(answer).not.toMatch(/outside$|beside$|hidden$|key$|source$|script$/);
  });

  it.each(HOSTS)('host %j gets %i', async (host, status) => {
    expect(statusOf(await request('GET / HTTP/1.1', [`Host: ${host}`]))).toBe(status);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'method %s is not allowed',
    async (method) => {
      const answer = await request(`${method} / HTTP/1.1`);
      expect(statusOf(answer)).toBe(405);
      expect(answer).toMatch(/\r\nAllow: GET, HEAD\r\n/);
    },
  );

  it('refuses what is not a plain request', async () => {
    expect(statusOf(await request('GET / HTTP/1.1', []))).toBe(400);
    expect(statusOf(await request('NONSENSE / HTTP/1.1'))).toBe(400);
    expect(statusOf(await request('CONNECT localhost:80 HTTP/1.1'))).not.toBe(200);
    expect(statusOf(await request('GET / HTTP/1.1', ['Host: localhost', 'Content-Length: 5']))).toBe(413);
    expect(statusOf(await request('GET / HTTP/1.1', ['Host: localhost', 'Transfer-Encoding: chunked']))).toBe(413);
    expect(statusOf(await request('GET / HTTP/1.1', ['Host: localhost', `X: ${'a'.repeat(17_000)}`]))).toBe(431);
  });

  it.each([
    ['http://localhost:9', 200],
    ['http://evil.example', 403],
    ['https://localhost:9', 403],
    ['http://localhost:8', 403],
    ['null', 403],
  ])('origin %s gets %i', async (origin, status) => {
    expect(statusOf(await request('GET / HTTP/1.1', ['Host: localhost:9', `Origin: ${origin}`]))).toBe(status);
  });

  it('sends its policy with every answer, right or wrong, and no CORS header', async () => {
    const lines = ['GET / HTTP/1.1', 'HEAD / HTTP/1.1', 'GET /missing.js HTTP/1.1', 'POST / HTTP/1.1'];
    for (const answer of [
      ...(await Promise.all(lines.map((line) => request(line)))),
      await request('GET /%00 HTTP/1.1'),
    ]) {
      for (const [name, value] of Object.entries(SECURITY_HEADERS))
        expect(answer).toContain(`\r\n${name}: ${value}\r\n`);
      expect(answer.toLowerCase()).not.toContain('access-control');
    }
    const policy = SECURITY_HEADERS['Content-Security-Policy'].split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "worker-src 'self'",
      "connect-src 'self' blob:",
      "img-src 'self' data: blob:",
      "style-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('lets nothing but the worker that unpacks pictures make functions from text', async () => {
    for (const name of ['basis-worker-Ab_1-x.js', 'index-Ab.js', 'basis-worker.html', 'x/basis-worker-Ab.js']) {
      const answer = await request(`GET /assets/${name} HTTP/1.1`);
      expect([name, answer.includes("'unsafe-eval'")]).toEqual([name, name === 'basis-worker-Ab_1-x.js']);
      if (answer.includes("'unsafe-eval'")) expect(answer).toContain("default-src 'none'");
    }
  });

  it('serves the one file it was given, under its own name only', async () => {
    const body = Buffer.from([0, 255, 13, 10]);
    const other = await startViewerServer({ root, port: 0, file: { name: 'my ä#?.glb', body } });
    const get = async (path: string) => fetch(`${other.url.replace('localhost', '127.0.0.1')}${path}`);
    const given = await get(`file/${encodeURIComponent('my ä#?.glb')}`);
    expect(Buffer.from(await given.arrayBuffer())).toEqual(body);
    expect(given.headers.get('content-type')).toBe('application/octet-stream');
    expect(given.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    for (const path of ['file/', 'file/other.glb', 'file/..%2Fmy%20%C3%A4%23%3F.glb', 'my%20%C3%A4%23%3F.glb']) {
      expect((await get(path)).status, path).toBeGreaterThanOrEqual(400);
    }
    await other.close();
  });

  it('answers HEAD without a body', async () => {
    const answer = await request('HEAD /index.html HTTP/1.1');
    expect(answer).toMatch(/\r\nContent-Length: 34\r\n/);
    expect(answer.split('\r\n\r\n')[1]).toBe('');
  });

  it('takes another port where the one asked for is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const second = await startViewerServer({ root, port });
    expect(second.moved).toBe(true);
    expect(second.port).not.toBe(port);
    await second.close();
    await new Promise((resolve) => taken.close(resolve));
    const third = await startViewerServer({ root, port });
    expect(third).toMatchObject({ port, moved: false });
    await third.close();
  });

  it('closes connections that dawdle, and holds no more than 64', async () => {
    // longer than 80 connections take on a busy machine: after it those that are held are closed as well
    const idle = 2000;
    const quick = await startViewerServer({ root, port: 0, idle });
    const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const slow = connect(quick.port, '127.0.0.1', () => slow.write('GET / HTTP/1.1\r\nHost: loc'));
    slow.on('error', () => {});
    slow.resume();
    await closed(slow);
    const many = Array.from({ length: 80 }, () => connect(quick.port, '127.0.0.1').on('error', () => {}));
    for (const socket of many) socket.resume();
    let open = 80;
    for (const socket of many) closed(socket).then(() => open--);
    await vi.waitFor(() => expect(open).toBe(64), idle);
    await quick.close();
    await vi.waitFor(() => expect(open).toBe(0));
  });

  it('answers others while 64 connections are held', async () => {
    const held = Array.from({ length: 70 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect(await request('GET / HTTP/1.1')).toMatch(/^HTTP\/1.1 200/);
    for (const socket of held) socket.destroy();
  });

  it('answers what is sent all at once in turn, and reads no file before its turn', async () => {
    writeFileSync(join(root, 'assets', 'large.js'), Buffer.alloc(2 ** 20, 32));
    const some = 'GET /assets/a.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(9);
    const answers = await exchange(`${some}GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answers.match(/HTTP\/1.1 200/g)).toHaveLength(10);
    const bytes = () => process.memoryUsage().arrayBuffers;
    const before = bytes();
    // read by nobody: what is answered stays in memory
    const greedy = connect(server.port, '127.0.0.1', () => {
      greedy.write('GET /assets/large.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(300));
    }).on('error', () => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(bytes() - before).toBeLessThan(20 * 2 ** 20);
    greedy.destroy();
  });

  it('listens to this machine only', async () => {
    const { networkInterfaces } = await import('node:os');
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter((one) => !one.internal && one.family === 'IPv4');
    for (const { address } of others)
      await expect(exchange('GET / HTTP/1.1\r\n\r\n', address)).rejects.toThrow('ECONNREFUSED');
  });
});
