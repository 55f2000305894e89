// Licences of what the pages contain besides Tunefit: npm packages by the modules in the bundle, the engine's by name.
import { readFile, readdir } from 'node:fs/promises';

const kEngine = `The WebAssembly module contains nlohmann/json, Copyright (c) 2013-2022 Niels Lohmann, with parts Copyright (c) 2009
Florian Loitsch and Copyright (c) 2008-2009 Bjoern Hoehrmann; the Emscripten runtime, Copyright (c) 2010-2026 The Emscripten
Authors; and musl libc, Copyright (c) 2005-2026 Rich Felker, et al. All under the MIT License:

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const packageOf = (module) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module);

async function licence(folder) {
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${folder} has no licence`);
  return (await readFile(`${folder}/${file}`, 'utf8')).trim();
}

/** The notices for bundles made by Vite, packages of one licence text together. */
export async function noticesOf(files) {
  const folders = new Map();
  for (const module of files.flatMap((file) => file.moduleIds ?? [])) {
    const found = packageOf(module);
    if (found) folders.set(found[1], found[0]);
  }
  const texts = new Map();
  for (const name of [...folders.keys()].sort()) {
    const text = await licence(folders.get(name));
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  const packages = [...texts].map(([text, names]) => `${names.join(', ')}\n\n${text}`);
  return [
    'Tunefit is licensed under the Apache License, Version 2.0. It contains the following.',
    kEngine,
    ...packages,
  ].join('\n\n----\n\n');
}
