// Modules that web/build.mjs makes.
declare module 'virtual:tunefit/glue' {
  const createTunefit: import('./engine/server').Factory;
  export default createTunefit;
}
declare module 'virtual:tunefit/wasm' {
  const base64: string;
  export default base64;
}
declare module 'virtual:tunefit/worker' {
  const source: string;
  export default source;
}
declare module 'virtual:tunefit/fields' {
  const fields: Readonly<Record<string, import('./fields/facts').Facts>>;
  export default fields;
}
declare module 'virtual:tunefit/entries' {
  /** By kind and member: what it means. */
  const meanings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  export default meanings;
}
declare module '*.css';
