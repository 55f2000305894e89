// The start page as HTML text; run at build time in Node.
import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { shell } from './app/shell';
import type { Context } from './fields/context';
import { startingRequest } from './state/start';
import { initialState } from './state/state';

const nothingHappens = (): void => undefined;

export async function page(savedPage: string): Promise<string> {
  const context: Context = {
    state: initialState(startingRequest, savedPage),
    apply: nothingHappens,
    act: {
      importText: nothingHappens,
      importFiles: nothingHappens,
      openOverlay: nothingHappens,
      removeOverlay: nothingHappens,
      go: nothingHappens,
      copyLink: nothingHappens,
      download: nothingHappens,
      focus: nothingHappens,
      notify: nothingHappens,
    },
  };
  const html = await collectResult(render(shell(context)));
  return html
    .replace(/<!--\/?lit-(part|node).*?-->/g, '')
    .replace(/ (selected|checked)="(true|false)"/g, '') // properties that the renderer takes for attributes; the attribute stands beside
    .replace(/>\s+</g, '> <');
}
