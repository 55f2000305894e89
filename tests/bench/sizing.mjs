// Microseconds of one sizing: native without JSON, native with JSON, WebAssembly with JSON text, and the package with
// objects. One request everywhere: Llama-3.1-8B, QLoRA r 16 on all linear layers, 2,048 tokens.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const request = {
  model: 'meta-llama/Llama-3.1-8B',
  recipe: {
    framework: 'transformers',
    method: 'qlora',
    lora: { r: 16, target_modules: 'all-linear' },
    per_device_train_batch_size: 1,
    sequence_length: 2048,
  },
  placement: { accelerator: 'nvidia-a100-80gb-sxm', accelerators: 1 },
  want: ['memory'],
};

function native(program, words, input) {
  const { status, stdout, error } = spawnSync(program, words, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? `status ${status}`}`);
  return stdout.trim().split('\n').map(Number);
}

function repeat(call, times) {
  const spent = [];
  for (let i = -times / 10; i < times; ++i) {
    const start = performance.now();
    call();
    if (i >= 0) spent.push(1000 * (performance.now() - start));
  }
  return spent;
}

/** Names and microseconds of each of `times` sizings. */
export async function timesOfSizing(root, times) {
  const { load } = await import(join(root, 'dist/npm/index.mjs'));
  const engine = await load();
  const text = JSON.stringify(request);
  const { error } = engine.size(request);
  if (error) throw new Error(`the request of the benchmark is refused: ${error.pointer} ${error.message}`);
  const programs = join(root, 'build/native/tests');
  return [
    ['native, no JSON', native(join(programs, 'tunefit_bench'), [String(times)])],
    ['native, JSON text in and out', native(join(programs, 'tunefit_native'), ['--repeat', String(times)], `${text}\n`)],
    ['WebAssembly (Node), no JSON', native(process.execPath, [join(root, 'build/wasm/wasm/tunefit_bench.cjs'), String(times)])],
    ['WebAssembly (Node), JSON text in and out', repeat(() => engine.text.size(text), times)],
    ['package (Node), objects in and out', repeat(() => engine.size(request), times)],
  ];
}
