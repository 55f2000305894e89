// Makes dist/npm: the package as published, from the two links of the WebAssembly build and the schemas.
//   node wasm/package/build.mjs [folder of tunefit_web.js and tunefit_node.cjs]
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { typesOf } from './types.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = join(root, 'wasm/package');
const links = process.argv[2] ?? join(root, 'build/wasm/wasm');
const out = join(root, 'dist/npm');
const schemas = join(root, 'engine/json/schema');

async function version() {
  const text = await readFile(join(root, 'CMakeLists.txt'), 'utf8');
  return /project\(tunefit VERSION ([\d.]+)/.exec(text)[1];
}

// The readers of headers are the page's TypeScript, bundled: one copy of them, and the package needs no build of its own.
async function fileReaders() {
  const entry = join(root, 'web/src/files/pieces.ts');
  const options = { write: false, minify: false, target: 'es2022', lib: { entry, formats: ['es'] } };
  const result = await build({ root, configFile: false, envDir: false, publicDir: false, logLevel: 'warn', build: options });
  return [result].flat()[0].output[0].code;
}

const [web, node] = await Promise.all(['tunefit_web.wasm', 'tunefit_node.wasm'].map((name) => readFile(join(links, name))));
if (!web.equals(node)) throw new Error('the browser and the Node link differ: one tunefit.wasm cannot serve both');

await rm(out, { recursive: true, force: true });
await mkdir(join(out, 'schema'), { recursive: true });

const glue = await readFile(join(links, 'tunefit_web.js'), 'utf8');
const manifest = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
manifest.version = await version();

await Promise.all([
  writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`),
  writeFile(join(out, 'tunefit.wasm'), web),
  writeFile(join(out, 'classic.js'), glue),
  writeFile(join(out, 'files.mjs'), await fileReaders()),
  writeFile(join(out, 'glue.mjs'), `${glue}\nexport default createTunefit;\n`),
  cp(join(links, 'tunefit_node.cjs'), join(out, 'glue.cjs')),
  cp(join(root, 'LICENSE'), join(out, 'LICENSE')),
  ...['README.md', 'browser.mjs', 'cli', 'cli.mjs', 'engine.mjs', 'import_files.mjs', 'index.d.ts', 'index.mjs'].map((name) =>
    cp(join(here, name), join(out, name), { recursive: true }),
  ),
  ...(await readdir(schemas)).map((name) => cp(join(schemas, name), join(out, 'schema', name))),
]);
await writeFile(join(out, 'types.d.ts'), await typesOf(schemas));
