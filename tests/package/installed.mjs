// The package as a stranger gets it: packed, then installed without a network in an empty folder.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A request that can be answered and fits. */
export const request = {
  model: 'meta-llama/Llama-3.1-8B',
  recipe: { method: 'qlora', sequence_length: 2048, per_device_train_batch_size: 1 },
  placement: { accelerator: 'nvidia-a100-80gb-sxm', accelerators: 1 },
};

/** Runs a program; resolves to { status, stdout, stderr } whatever the status. */
export function run(program, words, { input, ...options } = {}) {
  return new Promise((resolve) => {
    const child = execFile(program, words, { maxBuffer: 2 ** 28, ...options }, (fault, stdout, stderr) => {
      resolve({ status: fault ? (fault.code ?? fault.signal) : 0, stdout, stderr });
    });
    child.stdin.on('error', () => {}); // the program may end before it has read everything
    child.stdin.end(input ?? '');
  });
}

/** A folder of this test file's own, removed after it. */
export async function ownFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'tunefit-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Packs dist/npm and installs it in a new folder; resolves to { folder, packed } (npm's description of the archive). */
export async function install() {
  const folder = await ownFolder();
  const pack = await run('npm', ['pack', join(root, 'dist/npm'), '--json', '--pack-destination', folder], { cwd: folder });
  const [packed] = JSON.parse(pack.stdout);
  await writeFile(join(folder, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }');
  const words = ['install', `./${packed.filename}`, '--offline', '--no-audit', '--no-fund'];
  const installed = await run('npm', words, { cwd: folder });
  if (installed.status !== 0) throw new Error(`npm install: ${installed.stderr}`);
  return { folder, packed };
}
