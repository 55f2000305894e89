// The WebAssembly module, gzipped, in base64. In the site a script of its own, so that the form works before it is there;
// in the saved page part of the one script. Never fetched: the policy allows no connection.
export const wasm = (): Promise<string> => import('virtual:tunefit/wasm').then((module) => module.default);
