// Headers of safetensors and GGUF files as the page reads them: only the front of a file, several files together, and no
// broken file that hangs or throws.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('../../web/src/files/headers.ts', import.meta.url));
let readFiles, pattern;
before(async () => {
  const load = async (path) => (await runnerImport(path, { configFile: false, logLevel: 'error' })).module;
  ({ readFiles } = await load(source));
  ({ pattern } = await load(source.replace('headers', 'tensors')));
});

// A file with a name that counts how much of it is read.
class Given extends Blob {
  read = 0;
  constructor(name, parts) {
    super(parts);
    this.name = name;
  }
  slice(from, to) {
    this.read += Math.min(to, this.size) - from;
    return super.slice(from, to);
  }
}

const u32 = (n) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(n);
  return bytes;
};
const u64 = (n) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(n));
  return bytes;
};
const text = (words) => Buffer.concat([u64(Buffer.byteLength(words)), Buffer.from(words)]);

function safetensors(tensors, weights = 0) {
  const header = Buffer.from(JSON.stringify(tensors));
  return [u64(header.length), header, Buffer.alloc(weights)];
}

const field = (key, type, ...value) => Buffer.concat([text(key), u32(type), ...value]);
const info = (name, shape, type) => Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(type), u64(0)]);
function gguf(fields, infos, version = 3) {
  return [Buffer.from('GGUF'), u32(version), u64(infos.length), u64(fields.length), ...fields, ...infos];
}
const llama = () => [
  field('general.architecture', 8, text('llama')),
  field('llama.block_count', 4, u32(2)),
  field('llama.rope.freq_base', 6, Buffer.from(new Float32Array([500000]).buffer)),
  field('general.quantized', 7, Buffer.from([1])),
  field('llama.big', 10, u64(2 ** 40)),
  field('llama.feed_forward_length', 9, u32(4), u64(2), u32(128), u32(256)),
  field('tokenizer.ggml.tokens', 9, u32(8), u64(100), ...Array.from({ length: 100 }, (_, i) => text(`token ${i}`))),
  field('tokenizer.ggml.scores', 9, u32(6), u64(100), Buffer.alloc(400)),
  field('general.tags', 9, u32(8), u64(2), text('a'), text('b')),
];

const only = async (...files) => {
  const { calls, findings } = await readFiles(files);
  assert.deepEqual(findings, []);
  assert.equal(calls.length, 1);
  return { kind: calls[0].kind, ...JSON.parse(calls[0].text) };
};
const refused = async (file, code) => {
  const { calls, findings } = await readFiles([file]);
  assert.deepEqual(calls, []);
  assert.equal(findings.length, 1);
  assert.equal(findings[0].code, code);
  assert.ok(findings[0].message.startsWith(file.name) && findings[0].hint.length > 0);
};

describe('safetensors', () => {
  it('reads the header alone and groups what is alike', async () => {
    const tensors = { __metadata__: { format: 'pt' } };
    for (let i = 0; i < 3; i += 1)
      for (let e = 0; e < 128; e += 1)
        tensors[`model.layers.${i}.mlp.experts.${e}.up_proj.weight`] = { dtype: 'BF16', shape: [8, 4], data_offsets: [0, 64] };
    const file = new Given('model.safetensors', safetensors(tensors, 50_000_000));
    const read = await only(file);
    assert.equal(read.kind, 'safetensors-header');
    assert.equal(read.tensors.length, 3);
    assert.deepEqual(read.tensors[1], { name: 'model.layers.1.mlp.experts.*.up_proj.weight', dtype: 'BF16', shape: [8, 4], count: 128 });
    assert.ok(file.read < 3_000_000, `${file.read} bytes were read`);
  });

  it('puts the files of a model together and counts a name once', async () => {
    const one = new Given(
      'model-00001-of-00002.safetensors',
      safetensors({ 'a.weight': { dtype: 'F16', shape: [2], data_offsets: [0, 4] } }, 4),
    );
    const two = new Given(
      'model-00002-of-00002.safetensors',
      safetensors({ 'b.weight': { dtype: 'F16', shape: [3], data_offsets: [0, 6] } }, 6),
    );
    const read = await only(one, two);
    assert.deepEqual(
      read.tensors.map((t) => t.name),
      ['a.weight', 'b.weight'],
    );
    const { calls, findings } = await readFiles([one, new Given('copy.safetensors', [one])]);
    assert.equal(JSON.parse(calls[0].text).tensors[0].count, 1);
    assert.equal(findings[0].code, 'tensor_twice');
  });

  it('tells what is wrong with a file', async () => {
    const named = (parts) => new Given('x.safetensors', parts);
    await refused(named([]), 'truncated');
    await refused(named([u64(2 ** 40), Buffer.from('{}')]), 'not_safetensors');
    await refused(named([Buffer.alloc(8, 0xff)]), 'out_of_range');
    await refused(named([u64(1000), Buffer.from('{}')]), 'truncated');
    await refused(named([u64(3), Buffer.from('{x}')]), 'not_json');
    await refused(named([u64(2), Buffer.from('[]')]), 'wrong_type');
    const { calls, findings } = await readFiles([named(safetensors({ a: { dtype: 'F32', shape: [9], data_offsets: [0, 36] } }, 10))]);
    assert.equal(calls.length, 1); // the header is whole
    assert.equal(findings[0].code, 'truncated');
    assert.match(findings[0].message, /26 bytes/);
    await refused(new Given('notes.txt', ['hello there, nothing here']), 'unknown_file');
  });
});

describe('GGUF', () => {
  it('reads metadata and tensor infos, lists of tokens as their length', async () => {
    const infos = [
      info('token_embd.weight', [64, 100], 12),
      info('blk.0.attn_q.weight', [64, 64], 14),
      info('blk.1.attn_q.weight', [64, 64], 99),
    ];
    const read = await only(new Given('model.gguf', [...gguf(llama(), infos), Buffer.alloc(20_000_000)]));
    assert.equal(read.kind, 'gguf');
    assert.deepEqual(read.metadata, {
      'general.architecture': 'llama',
      'llama.block_count': 2,
      'llama.rope.freq_base': 500000,
      'general.quantized': true,
      'llama.big': 2 ** 40,
      'llama.feed_forward_length': [128, 256],
      'tokenizer.ggml.tokens': { length: 100 },
      'tokenizer.ggml.scores': { length: 100 },
      'general.tags': ['a', 'b'],
    });
    assert.deepEqual(
      read.tensors.map((t) => [t.name, t.dtype]),
      [
        ['token_embd.weight', 'Q4_K'],
        ['blk.0.attn_q.weight', 'Q6_K'],
        ['blk.1.attn_q.weight', 'type 99'],
      ],
    );
  });

  it('reads a vocabulary that spans many slices', async () => {
    const tokens = Array.from({ length: 200_000 }, (_, i) => text(`a rather long token, number ${i}`));
    const fields = [field('tokenizer.ggml.tokens', 9, u32(8), u64(tokens.length), Buffer.concat(tokens)), ...llama().slice(0, 2)];
    const read = await only(new Given('model.gguf', gguf(fields, [])));
    assert.deepEqual(read.metadata['tokenizer.ggml.tokens'], { length: 200_000 });
    assert.equal(read.metadata['llama.block_count'], 2);
  });

  it('tells what is wrong with a file, at once', async () => {
    const named = (parts) => new Given('x.gguf', parts);
    const started = performance.now();
    await refused(named([Buffer.from('GGUF'), u32(1), u64(0), u64(0)]), 'unsupported_version');
    await refused(named([Buffer.from('GGUF'), u32(0x03000000), u64(0), u64(0)]), 'unsupported_version');
    await refused(named([Buffer.from('GGUF')]), 'truncated');
    await refused(named([Buffer.from('GGUF'), u32(3), u64(2 ** 50), u64(1)]), 'out_of_range');
    await refused(named([Buffer.from('GGUF'), u32(3), u64(1), u64(0)]), 'truncated');
    await refused(named(gguf([field('a', 77)], [])), 'out_of_range');
    await refused(named(gguf([field('a', 8, u64(2 ** 40))], [])), 'out_of_range');
    await refused(named(gguf([field('a', 9, u32(4), u64(2 ** 45))], [])), 'out_of_range');
    await refused(named(gguf([field('a', 9, u32(8), u64(3_000_000))], [])), 'truncated');
    await refused(named(gguf([field('a', 9, u32(9), u64(3))], [])), 'out_of_range');
    await refused(named(gguf([], [Buffer.concat([text('t'), u32(4_000_000_000)])])), 'out_of_range');
    await refused(named([Buffer.from('NOPE'), Buffer.alloc(40)]), 'not_gguf');
    assert.ok(performance.now() - started < 5000);
  });

  it('any cut of a good file gives a finding', async () => {
    const whole = Buffer.concat(gguf(llama(), [info('token_embd.weight', [64, 100], 12)]));
    for (let n = 4; n < whole.length; n += 7) await refused(new Given('cut.gguf', [whole.subarray(0, n)]), 'truncated');
  });
});

describe('JSON files', () => {
  it('are a config.json or an index, whose names are shortened', async () => {
    const { calls } = await readFiles([
      new Given('config.json', ['{"model_type": "llama"}']),
      new Given('model.safetensors.index.json', [
        JSON.stringify({
          metadata: { total_size: 7 },
          weight_map: { 'model.layers.0.mlp.experts.0.w': 'a', 'model.layers.0.mlp.experts.1.w': 'b' },
        }),
      ]),
      new Given('broken.json', ['{"weight_map": ']),
    ]);
    assert.deepEqual(
      calls.map((call) => call.kind),
      ['hf-config', 'safetensors-index', 'hf-config'],
    );
    assert.deepEqual(JSON.parse(calls[1].text), {
      metadata: { total_size: 7 },
      tensors: 2,
      weight_map: { 'model.layers.0.mlp.experts.*.w': '' },
    });
  });

  it('keep the number of the layer only', () => {
    assert.equal(pattern('model.layers.12.mlp.experts.3.w1.weight'), 'model.layers.12.mlp.experts.*.w1.weight');
    assert.equal(pattern('transformer.h.0.attn.c_attn.weight'), 'transformer.h.0.attn.c_attn.weight');
    assert.equal(pattern('visual.blocks.3.mlp.0.weight'), 'visual.blocks.3.mlp.*.weight');
    assert.equal(pattern('blk.7.ffn_up.weight'), 'blk.7.ffn_up.weight');
    assert.equal(pattern('__proto__'), '__proto__');
  });
});
