// tools/serve.mjs: the right types, and nothing from outside the folder.
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { listen, serverOf } from '../../tools/serve.mjs';
import { ownFolder } from './installed.mjs';

let server, port;
before(async () => {
  const outer = await ownFolder();
  const site = join(outer, 'site');
  await mkdir(join(site, 'deep'), { recursive: true });
  await writeFile(join(outer, 'secret.txt'), 'secret');
  await writeFile(join(outer, 'site-secret.txt'), 'secret');
  await writeFile(join(site, 'index.html'), '<!doctype html>');
  await writeFile(join(site, 'deep/index.html'), 'deep');
  await writeFile(join(site, 'a b.wasm'), Buffer.from([0, 97, 115, 109]));
  await writeFile(join(site, 'main.js'), 'export {};');
  await symlink(join(outer, 'secret.txt'), join(site, 'link.txt'));
  server = await serverOf(site);
  port = await listen(server, { port: 0 });
});
after(() => server.close());

// The path as it stands, without the tidying that fetch does.
function get(path, method = 'GET') {
  return new Promise((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', path, method }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: String(Buffer.concat(chunks)) }));
    })
      .on('error', reject)
      .end();
  });
}

test('files with their types', async () => {
  assert.match((await get('/')).headers['content-type'], /^text\/html/);
  assert.equal((await get('/a%20b.wasm?x=1')).headers['content-type'], 'application/wasm');
  assert.match((await get('/main.js')).headers['content-type'], /^text\/javascript/);
  assert.equal((await get('/deep/')).body, 'deep');
  const head = await get('/main.js', 'HEAD');
  assert.equal(head.headers['content-length'], '10');
  assert.equal(head.body, '');
});

test('nothing outside the folder, nothing strange', async () => {
  const paths = ['/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/deep/../../secret.txt', '/../site-secret.txt', '/link.txt'];
  for (const path of [...paths, '/%00', '/%zz', '/none', '//etc/passwd', '/deep%5c..%5c..%5csecret.txt']) {
    const { status, body } = await get(path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(body, /secret|root:/);
  }
  assert.equal((await get('/', 'POST')).status, 405);
});

test('it listens on this machine only, and a taken port is an error or the next one', async () => {
  assert.equal(server.address().address, '127.0.0.1');
  const second = await serverOf('.');
  await assert.rejects(listen(second, { port }), /in use/);
});
