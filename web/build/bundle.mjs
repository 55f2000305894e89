// The bundles: worker, site, saved page, and the page as HTML before any script runs.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { collectFacts, collectMeanings, readSchema } from './schema.mjs';

const kRoot = fileURLToPath(new URL('..', import.meta.url));
/** The oldest browsers that have WebAssembly under a policy, DecompressionStream and container queries. */
const kTargets = ['chrome111', 'firefox113', 'safari16.4'];

/** Modules whose text is made here; see web/src/virtual.d.ts. */
function virtualModules(texts) {
  const prefix = 'virtual:tunefit/';
  return {
    name: 'tunefit-virtual',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith(`\0${prefix}`) ? texts[id.slice(prefix.length + 1)] : undefined),
  };
}

const constant = (value) => `export default ${JSON.stringify(value)};`;

/** What the page is made of besides its own source. `engine`: folder with tunefit_web.js and tunefit_web.wasm. */
export async function readParts(engine) {
  const glue = await readFile(new URL('tunefit_web.js', engine), 'utf8');
  const wasm = await readFile(new URL('tunefit_web.wasm', engine));
  return {
    glue: `${glue}\nexport default createTunefit;`,
    // The same bytes on every run: gzip writes no time here, and the level is stated.
    wasm: constant(gzipSync(wasm, { level: 9 }).toString('base64')),
    fields: constant(collectFacts(await readSchema('request'))),
    entries: constant(await collectMeanings()),
    worker: constant(''),
  };
}

const common = (parts) => ({
  root: kRoot,
  base: './',
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [virtualModules(parts)],
  css: { transformer: 'lightningcss' },
});

const output = (result) => [result].flat()[0].output;

async function bundle(parts, input, format, inline) {
  const result = await build({
    ...common(parts),
    build: {
      write: false,
      target: kTargets,
      cssTarget: kTargets,
      cssMinify: 'lightningcss',
      modulePreload: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4096,
      // As a library: Vite then leaves dynamic imports as they are, without its preloading (which would fetch).
      lib: { entry: `${kRoot}src/${input}`, formats: [format], name: 'tunefit' },
      minify: true,
      rolldownOptions: {
        // Emscripten's glue asks for `module` and `exports`, where there are any.
        checks: { commonJsVariableInEsm: false },
        output: {
          format,
          minify: true,
          codeSplitting: !inline,
          entryFileNames: 'app-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: 'app-[hash][extname]',
        },
      },
    },
  });
  return output(result);
}

/** The worker as one classic script. */
export async function bundleWorker(parts) {
  const [chunk] = await bundle(parts, 'engine/worker.ts', 'iife', true);
  return { ...parts, worker: constant(chunk.code) };
}

/** Files of the site: an ES module with the engine in a chunk of its own. */
export const bundleSite = (parts) => bundle(parts, 'main.ts', 'es', false);

/** One classic script, for a page opened from a file. */
export const bundleSaved = (parts) => bundle(parts, 'main.ts', 'iife', true);

/** The start page as HTML, so that the form stands before the script does. */
export async function prerender(parts, savedPage, folder) {
  const result = await build({
    ...common(parts),
    build: {
      write: false,
      ssr: `${kRoot}src/prerender.ts`,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  await mkdir(folder, { recursive: true });
  const file = new URL('prerender.mjs', folder);
  await writeFile(file, output(result)[0].code);
  const { page } = await import(`${file.href}?${Date.now()}`);
  return page(savedPage);
}
