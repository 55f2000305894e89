// What the commands print.

/** Writes to standard output and waits while its reader is slow. */
export function write(text) {
  return new Promise((resolve) => {
    if (process.stdout.write(text)) resolve();
    else process.stdout.once('drain', resolve);
  });
}

export const writeJson = (value) => write(`${JSON.stringify(value, null, 2)}\n`);

/** Columns of the terminal that reads the output; COLUMNS decides where it is set, and a file or pipe has no end. */
export function terminalWidth() {
  const set = Number(process.env.COLUMNS);
  if (Number.isInteger(set) && set > 0) return set;
  return (process.stdout.isTTY && process.stdout.columns) || Infinity;
}

// Control characters in a name from outside must not reach a terminal.
// eslint-disable-next-line no-control-regex
export const plain = (text) => String(text).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

/** An error for a person, on one line. */
export function oneLine({ error }) {
  const where = error.pointer ? `${error.pointer}: ` : '';
  return plain(`tunefit: ${where}${error.message} ${error.hint ?? ''}`)
    .trimEnd()
    .slice(0, 500);
}

/** Prints the error document and its line; the exit status of a wrong request. */
export async function fail(document) {
  await writeJson(document);
  process.stderr.write(`${oneLine(document)}\n`);
  return 2;
}

/** Columns of text, the first row underlined; `right` holds the indexes of columns set flush right. */
export function table(rows, right = []) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => (right.includes(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd();
  const [head, ...body] = rows;
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n');
}
