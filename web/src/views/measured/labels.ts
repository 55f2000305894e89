// What the page calls a field of the request.
import fields from 'virtual:tunefit/fields';

export const labelOf = (pointer: string): string => (fields[pointer]?.title ?? pointer).replace(/^./, (first) => first.toLowerCase());
