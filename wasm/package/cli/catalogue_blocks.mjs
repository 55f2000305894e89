// Entries that are texts rather than figures: a heading, then what they say, then where it was read.
import { wrapped } from './columns.mjs';
import { plain } from './output.mjs';

// Heading and the members that follow it, of each kind; other kinds show every member that is text.
const kinds = {
  glossary: { head: ({ term, id }) => `${term} (${id})`, members: ['text', 'aliases', 'see', 'source'], bare: 'text' },
  rules: { head: ({ rule, id }) => `${rule} (${id})`, members: ['holds', 'misleads', 'source', 'misleads_source'] },
};

const written = (value) => (Array.isArray(value) ? value.filter((v) => typeof v === 'string').join(', ') : value);
const isText = (value) => typeof value === 'string' || (Array.isArray(value) && value.some((v) => typeof v === 'string'));

export function blocks(kind, entries, width) {
  const room = Math.min(width, 100);
  const form = kinds[kind];
  return entries.map((entry) => block(entry, form, room)).join('\n\n');
}

function block(entry, form, room) {
  const head = form ? form.head(entry) : [entry.name ?? entry.id, entry.name && `(${entry.id})`].filter(Boolean).join(' ');
  const members = form?.members ?? Object.keys(entry).filter((member) => !['id', 'name'].includes(member));
  const lines = members
    .filter((member) => isText(entry[member]) && written(entry[member]))
    .map((member) => line(member, entry, form, room));
  return [wrapped(plain(head), room), ...lines].join('\n');
}

function line(member, entry, form, room) {
  const label = member === form?.bare ? '' : `${member.replaceAll('_', ' ')}: `;
  return wrapped(`${label}${written(entry[member])}`, room, '    ');
}
