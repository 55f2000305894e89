// Compiled, never run: the package's declarations as a strict user meets them.
import { load, type Answer, type ErrorDocument, type Request } from 'tunefit';

const request: Request = {
  model: 'meta-llama/Llama-3.1-8B',
  recipe: { method: 'qlora', sequence_length: 2048, lora: { r: 16, target_modules: 'all-linear' } },
  placement: { accelerator: 'nvidia-a100-80gb-sxm' },
};
const engine = await load({ wasmBinary: new Uint8Array() });
const result: Answer | ErrorDocument = engine.size(request);
if ('error' in result) {
  const pointer: string = result.error.pointer;
  console.log(pointer, result.findings.length);
} else {
  const device: number | undefined = result.memory?.peak?.device?.expected;
  console.log(device);
}

const own = await engine.importFiles([new File([], 'config.json')]);
if (!('error' in own)) engine.size({ ...request, ...own.request });
engine.import({ kind: 'gguf', text: '{}', name: 'x' });

// @ts-expect-error a method that does not exist
engine.size({ recipe: { method: 'magic' } });
// @ts-expect-error there is no such call
engine.train(request);
