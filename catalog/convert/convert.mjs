// Raw facts (models.json, gpus.json, systems.json in one folder) -> the catalogue's files. Running it again gives the same bytes.
//   node catalog/convert/convert.mjs FOLDER [models] [accelerators] [systems]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, inSchemaOrder } from '../lib/format.mjs';
import { convertAccelerators } from './accelerators.mjs';
import { convertModels } from './models.mjs';
import { convertSystems } from './systems.mjs';

const catalogue = join(dirname(fileURLToPath(import.meta.url)), '..');
const [folder, ...only] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node catalog/convert/convert.mjs FOLDER [models] [accelerators] [systems]');
  process.exit(2);
}
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const schema = (kind) => read(join(catalogue, 'schema', `${kind}.schema.json`));
const wanted = (part) => only.length === 0 || only.includes(part);

function write(folderName, kind, list, files) {
  mkdirSync(join(catalogue, folderName), { recursive: true });
  const entrySchema = schema(kind);
  for (const [name, file] of files) {
    const ordered = { ...file, [list]: file[list].map((e) => inSchemaOrder(e, entrySchema)) };
    writeFileSync(join(catalogue, folderName, `${name}.json`), format(ordered));
  }
  console.log(`${folderName}: ${files.size} files`);
}

if (wanted('models')) write('models', 'model', 'models', convertModels(read(join(folder, 'models.json'))));
if (wanted('accelerators')) write('accelerators', 'accelerator', 'accelerators', convertAccelerators(read(join(folder, 'gpus.json'))));
if (wanted('systems')) {
  const { systems, offers } = convertSystems(read(join(folder, 'systems.json')));
  write('systems', 'system', 'systems', systems);
  write('offers', 'offer', 'offers', offers);
}
