// Builds dist/site and dist/tunefit.html.
//   node web/build.mjs [--catalogue FILE] [folder of tunefit_web.js, tunefit_web.wasm and tunefit_node.*]
// FILE (or TUNEFIT_CATALOGUE): a vendor's own entries, checked and put into both pages. Paths begin in INIT_CWD, if that is set.
import { parseArgs } from 'node:util';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { bundleSaved, bundleSite, bundleWorker, prerender, readParts } from './build/bundle.mjs';
import { noticesOf } from './build/notices.mjs';
import { readOverlay } from './build/overlay.mjs';
import { writeTypes } from './build/schema.mjs';
import { checkSaved, digest, packSaved, packSite } from './pack.mjs';

const root = new URL('../', import.meta.url);
const folder = (path) => pathToFileURL(`${path.replace(/\/+$/, '')}/`);
const { values, positionals } = parseArgs({ options: { catalogue: { type: 'string' } }, allowPositionals: true });
const engine = positionals[0] ? folder(positionals[0]) : new URL('build/wasm/wasm/', root);
const work = new URL('build/web/', root);
const site = new URL('dist/site/', root);
const kSaved = 'tunefit.html';
const kNotices = 'licences.txt';

const overlay = await readOverlay(values.catalogue ?? process.env.TUNEFIT_CATALOGUE, engine).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
await writeTypes(new URL('types.d.ts', work));
const template = (await readFile(new URL('index.html', import.meta.url), 'utf8')).replace(/>\n\s*</g, '>\n<');
const parts = await bundleWorker(await readParts(engine));

const savedFiles = await bundleSaved(parts);
const saved = packSaved(template, await prerender(parts, '', work), savedFiles, await noticesOf(savedFiles), overlay);
const wrong = checkSaved(saved);
if (wrong.length > 0) throw new Error(`the saved page is not fit to ship:\n  ${wrong.join('\n  ')}`);

const siteFiles = await bundleSite(parts);
await rm(site, { recursive: true, force: true });
await mkdir(site, { recursive: true });
for (const file of siteFiles) await writeFile(new URL(file.fileName, site), file.type === 'chunk' ? file.code : file.source);
await writeFile(
  new URL('index.html', site),
  packSite(template, await prerender(parts, kSaved, work), siteFiles, kSaved, kNotices, overlay),
);
await writeFile(new URL(kNotices, site), `${await noticesOf(siteFiles)}\n`);
await writeFile(new URL(`dist/${kSaved}`, root), saved);
await cp(new URL(`dist/${kSaved}`, root), new URL(kSaved, site));

if (overlay) console.log(`with ${overlay.count} entries of ${overlay.name}`);
console.log(`dist/${kSaved}  ${Buffer.byteLength(saved)} bytes  sha256 ${digest(saved)}`);
for (const { fileName, code, source } of siteFiles) console.log(`dist/site/${fileName}  ${Buffer.byteLength(code ?? source)} bytes`);
