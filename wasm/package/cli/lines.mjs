// size --jsonl: many requests in one process, one answer a line, in order.
import { errorDocument } from '../engine.mjs';
import { complete, isObject, saysNo } from './commands.mjs';
import { largest, readLines } from './input.mjs';
import { write } from './output.mjs';
import { readOverlay } from './overlay.mjs';

/** `load` makes a new engine when a line stopped the old one. */
export async function sizeLines(engine, call, load) {
  const added = { want: call.want, overlay: await readOverlay(engine, call) };
  const count = { lines: 0, wrong: 0, no: 0 };
  const progress = progressLine();

  for await (const line of readLines(call.jsonl)) {
    const result = line.tooLong ? tooLong() : answerOf(engine, line.text, added);
    if (engine.stopped) engine = await load();
    count.lines += 1;
    if (result.error) count.wrong += 1;
    else if (saysNo(result.answer ?? result)) count.no += 1;
    await write(`${JSON.stringify(result)}\n`);
    progress.show(count);
  }
  progress.clear();
  if (count.wrong) process.stderr.write(`tunefit: ${count.wrong} of ${count.lines} lines are wrong; each has its error in its place\n`);
  if (!call.check) return 0;
  return count.wrong ? 2 : count.no ? 1 : 0;
}

// A line is a request or { id, request }; the id comes back with the answer or the error.
function answerOf(engine, text, added) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return engine.size(text);
  }
  const wrapped = isObject(value) && Object.hasOwn(value, 'request');
  const answer = engine.size(complete(wrapped ? value.request : value, added));
  if (!wrapped) return answer;
  const id = Object.hasOwn(value, 'id') ? { id: value.id } : {};
  return answer.error ? { ...id, ...answer } : { ...id, answer };
}

const tooLong = () =>
  errorDocument(
    'line_too_long',
    `the line is longer than ${largest / 2 ** 20} MiB.`,
    'One request per line, a few kilobytes of JSON each.',
  );

function progressLine() {
  let shown = 0;
  const every = 500; // milliseconds
  const visible = process.stderr.isTTY && !process.stdout.isTTY;
  return {
    show({ lines, wrong }) {
      if (!visible || Date.now() - shown < every) return;
      shown = Date.now();
      process.stderr.write(`\r${lines} lines, ${wrong} wrong`);
    },
    clear() {
      if (shown) process.stderr.write('\r\u001b[K');
    },
  };
}
