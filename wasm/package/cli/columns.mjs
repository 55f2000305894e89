// A table that fits the terminal: columns give way in the order that their kind states.
import { plain, table } from './output.mjs';

// Least width of a column that may be cut, unless it states its own.
const kLeast = 12;

/**
 * rows of cells under columns { head, right, cut, least, drop }: cut: the cells may be shortened, to `least` characters;
 * drop: the column may go, the highest number first. width: columns of the terminal; Infinity: nothing is cut. Returns { text, dropped: [head] }.
 */
export function fitted(columns, rows, width) {
  let shown = columns.map((column, at) => ({ ...column, cells: [column.head, ...rows.map((row) => plain(row[at]))] }));
  for (const column of shown) column.width = Math.max(...column.cells.map((cell) => cell.length));
  const narrowest = (list) => sum(list.map(({ cut, least = kLeast, width }) => (cut ? Math.min(least, width) : width)));
  const dropped = [];
  while (narrowest(shown) + gaps(shown) > width) {
    const next = shown.reduce((a, b) => ((b.drop ?? 0) > (a.drop ?? 0) ? b : a));
    if (!next.drop) break;
    dropped.unshift(next.head);
    shown = shown.filter((column) => column !== next);
  }
  shorten(shown, width);
  const right = shown.flatMap(({ right }, at) => (right ? [at] : []));
  const lines = shown[0].cells.map((_, row) => shown.map(({ cells, width }) => cut(cells[row], width)));
  return { text: table(lines, right), dropped };
}

const gaps = (columns) => 2 * (columns.length - 1);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// Takes one character after another from the widest column that may be cut.
function shorten(columns, width) {
  let over = sum(columns.map((column) => column.width)) + gaps(columns) - width;
  const soft = columns.filter(({ cut }) => cut);
  for (; over > 0; --over) {
    const widest = soft
      .filter(({ width, least = kLeast }) => width > least)
      .reduce((a, b) => (b.width > (a?.width ?? 0) ? b : a), undefined);
    if (!widest) return;
    widest.width -= 1;
  }
}

const cut = (text, width) => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

/** Words of a text on lines of at most `width`, each after `indent`. */
export function wrapped(text, width, indent = '') {
  const lines = [];
  for (const word of plain(text).split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= Math.max(width, 20)) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n');
}
