// ./dev test adds up what the runners print: dev.d/test.sh against the output of each.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ownFolder, root, run } from './installed.mjs';

let folder;
before(async () => (folder = await ownFolder()));

async function count(kind, status, log, tap = '') {
  const file = join(folder, 'log');
  await writeFile(file, log);
  await writeFile(`${file}.tap`, tap);
  const script = `set -euo pipefail; . dev.d/test.sh; count_${kind} "$1" "$2"; echo "$passed $failed $skipped"`;
  const { stdout, stderr } = await run('bash', ['-c', script, 'counts', file, String(status)], { cwd: root });
  assert.equal(stderr, '');
  return stdout.trim();
}

test('Catch2: all passed, some failed, crashed', async () => {
  assert.equal(await count('catch', 0, 'x\nAll tests passed (15481 assertions in 53 test cases)\n'), '53 0 0');
  assert.equal(await count('catch', 0, 'All tests passed (1 assertion in 1 test case)\n'), '1 0 0');
  assert.equal(await count('catch', 1, 'test cases:  53 |  50 passed | 3 failed\nassertions: 9 | 5 passed | 4 failed\n'), '50 3 0');
  assert.equal(await count('catch', 1, 'test cases: 2 | 2 failed\nassertions: 9 | 5 passed | 4 failed\n'), '0 2 0');
  assert.equal(await count('catch', 1, '==1==ERROR: AddressSanitizer\n'), '0 1 0');
});

test('node --test: passed, failed, skipped, and no report at all', async () => {
  assert.equal(await count('node', 0, '', '# tests 9\n# pass 8\n# fail 0\n# skipped 1\n'), '8 0 1');
  assert.equal(await count('node', 1, '', '# pass 3\n# fail 2\n# skipped 0\n'), '3 2 0');
  assert.equal(await count('node', 1, ''), '0 1 0');
});

test('checks and builds', async () => {
  assert.equal(await count('check', 0, ''), '1 0 0');
  assert.equal(await count('check', 1, ''), '0 1 0');
  assert.equal(await count('build', 0, ''), '0 0 0');
  assert.equal(await count('build', 1, ''), '0 1 0');
});
