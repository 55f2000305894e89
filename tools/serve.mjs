// Serves a folder of static files on this machine.
//   node tools/serve.mjs FOLDER [--port N] [--host H]
// Without --port: 8080 or the next free one. The host is 127.0.0.1 unless given, so that only this machine is served.
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

// The file that a URL path names: index.html for a folder; null when there is none or it lies outside `root`.
async function find(root, urlPath) {
  try {
    const path = decodeURIComponent(urlPath);
    if (path.includes('\0')) return null;
    let file = await realpath(join(root, path));
    if ((await stat(file)).isDirectory()) file = await realpath(join(file, 'index.html'));
    return file.startsWith(root + sep) ? { file, size: (await stat(file)).size } : null;
  } catch {
    return null;
  }
}

/** A server of `folder`, not yet listening. */
export async function serverOf(folder) {
  const root = await realpath(folder);
  return createServer(async (request, response) => {
    const headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' };
    const answer = (status, text) => response.writeHead(status, { ...headers, 'content-type': types['.txt'] }).end(text);
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'only GET and HEAD\n');
    const found = await find(root, request.url.replace(/[?#].*$/, ''));
    if (!found) return answer(404, 'not found\n');
    response.writeHead(200, {
      ...headers,
      'content-type': types[extname(found.file)] ?? 'application/octet-stream',
      'content-length': found.size,
    });
    if (request.method === 'HEAD') return response.end();
    pipeline(createReadStream(found.file), response, () => {});
  });
}

/** Listens; resolves to the port. Without a port: 8080 or one of the next twenty. */
export async function listen(server, { port, host = '127.0.0.1' }) {
  const candidates = port === undefined ? Array.from({ length: 20 }, (_, i) => 8080 + i) : [port];
  for (const candidate of candidates) {
    const fault = await new Promise((resolve) => {
      server.once('error', resolve);
      server.listen(candidate, host, () => {
        server.removeListener('error', resolve);
        resolve(null);
      });
    });
    if (!fault) return server.address().port;
    if (fault.code !== 'EADDRINUSE') throw fault;
  }
  throw new Error(`port ${candidates.join(', ')} of ${host} in use: choose another with --port`);
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' }, host: { type: 'string' } },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65536))
    throw new Error(`--port ${values.port}: no port number`);
  const [folder = '.'] = positionals;
  const server = await serverOf(folder);
  const chosen = await listen(server, { port, host: values.host });
  const host = values.host ?? '127.0.0.1';
  console.log(`Serving ${folder} at http://${host.includes(':') ? `[${host}]` : host}:${chosen}/  (Ctrl-C ends)`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((fault) => {
    console.error(`serve: ${fault.message}`);
    process.exit(1);
  });
}
