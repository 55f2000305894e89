// Puts bundle and page together: the site, and one saved page that works from a file. Checks its own work.
import { createHash } from 'node:crypto';

const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('base64');

/** Text of a script or style element may not end it, nor begin what a parser takes for a nested one. */
const inline = (code) => code.replace(/<\/(script|style)/gi, '<\\/$1').replaceAll('<!--', '\\x3c!--');

const policy = (script, style) =>
  `<meta http-equiv="Content-Security-Policy" content="${[
    "default-src 'none'",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `style-src ${style}`,
    'worker-src blob:',
  ].join('; ')}" />`;

function fill(template, parts) {
  return Object.entries(parts).reduce((html, [name, text]) => {
    const [before, after, more] = html.split(`<!--${name}-->`);
    if (after === undefined || more !== undefined) throw new Error(`the template must have exactly one <!--${name}-->`);
    return before + text + after;
  }, template);
}

/** A vendor's own entries as data of the page; '' without. `name`: what the page calls their origin. */
export const dataBlock = (overlay) => {
  if (!overlay) return '';
  const name = overlay.name.replace(/[^\p{L}\p{N} ._-]/gu, ' ');
  const json = JSON.stringify(overlay.entries).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="tunefit-overlay" data-name="${name}">${json}</script>`;
};
const kData = /<script type="application\/json" id="tunefit-overlay" data-name="[\p{L}\p{N} ._-]*">([^<]*)<\/script>/u;

const pick = (files, test) => files.filter(({ fileName }) => test.test(fileName));
const text = (file) => (file.type === 'chunk' ? file.code : String(file.source)).trim();

/** index.html of the site; `files` as Vite made them, `saved` and `notices` names of files beside it. `overlay`: {name, entries} or null. */
export function packSite(template, page, files, saved, notices, overlay) {
  const [entry] = files.filter((file) => file.isEntry);
  const [style] = pick(files, /\.css$/);
  return fill(template, {
    policy: policy("'self'", "'self'"),
    style: `<link rel="stylesheet" href="./${style.fileName}" />`,
    overlay: dataBlock(overlay),
    script: `<script type="module" src="./${entry.fileName}"></script>`,
    notices: `<!-- Licences of what this page contains: ${notices} -->`,
    saved,
    page,
  });
}

/** The saved page; `notices` is the text itself, `overlay` {name, entries} or null. */
export function packSaved(template, page, files, notices, overlay) {
  if (notices.includes('--' + '>') || notices.includes('<!--')) throw new Error('the notices cannot stand in a comment');
  const script = inline(text(files.find((file) => file.isEntry)));
  const style = inline(text(pick(files, /\.css$/)[0]));
  return fill(template, {
    policy: policy(`'sha256-${sha256(script)}'`, `'sha256-${sha256(style)}'`),
    style: `<style>${style}</style>`,
    overlay: dataBlock(overlay),
    script: `<script>${script}</script>`,
    notices: `<!--\n${notices}\n-->`,
    saved: '',
    page,
  });
}

/** Most bytes of the saved page, without a vendor's own entries. */
export const kBudget = 1_000_000;

/** What is wrong with a saved page; empty if nothing. */
export function checkSaved(whole) {
  const wrong = [];
  const must = (holds, what) => holds || wrong.push(what);
  // Entries are data: never run, and their sources may be addresses.
  const [data = '', entries = '{}'] = kData.exec(whole) ?? [];
  must(isJson(entries), 'the entries are no JSON');
  const html = whole.replace(data, '');
  const [, content = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  const first = html.indexOf('<meta');
  must(html.slice(first).startsWith('<meta http-equiv="Content-Security-Policy"'), 'the policy is not the first in the head');
  for (const directive of ["default-src 'none'", "connect-src 'none'", "form-action 'none'", "base-uri 'none'"]) {
    must(content.split('; ').includes(directive), `the policy lacks ${directive}`);
  }
  must(!/unsafe-inline|'unsafe-eval'|https?:/.test(content), 'the policy allows too much');
  const blocks = [...html.matchAll(/<(script|style)([^>]*)>(.*?)<\/\1>/gs)];
  must(blocks.length === 2, `one script and one style are expected, ${blocks.length} blocks found`);
  for (const [, tag, attributes, body] of blocks) {
    must(attributes === '', `<${tag}> has attributes`);
    must(content.includes(`'sha256-${sha256(body)}'`), `the hash of <${tag}> is not in the policy`);
  }
  const markup = blocks.reduce((rest, [whole]) => rest.replace(whole, ''), html);
  must(!/\s(src|srcset|href|action|data|poster)="(?!#|")/i.test(markup), 'the markup refers to something outside');
  must(!/\sstyle=|\son[a-z]+=/i.test(markup), 'the markup has inline styles or handlers');
  const kNames = /^http:\/\/www\.w3\.org\/(1998\/Math\/MathML|1999\/(xhtml|xlink)|2000\/(svg|xmlns\/))/;
  for (const [address] of html.matchAll(/https?:\/\/[^\s"'`<>\\)]*/g)) must(kNames.test(address), `there is an address: ${address}`);
  must(Buffer.byteLength(html) < kBudget, `${Buffer.byteLength(html)} bytes are over the budget of ${kBudget}`);
  return wrong;
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const digest = (html) => createHash('sha256').update(html, 'utf8').digest('hex');
