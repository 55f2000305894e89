// The engine's end of the protocol. Runs in the worker; in a page that may not start one, behind a MessagePort.
import type { FromEngine, Port, ToEngine, Work } from './protocol';

/** The functions of the WebAssembly module (wasm/bindings.cpp): JSON text in, JSON text out. */
export interface Door {
  size(request: string): string;
  catalogue(call: string): string;
  import_(call: string): string;
  measured(): string;
  version(): string;
}

export type Factory = (options: { wasmBinary: ArrayBuffer }) => Promise<Door>;

async function decode(base64: string): Promise<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/** Lets waiting messages in. A timer would be held back to 4 ms after a few rounds. */
const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

export function serve(port: Port, create: Factory): void {
  const cancelled = new Set<number>();
  let starting: Promise<Door> | null = null;
  const say = (reply: FromEngine): void => port.postMessage(reply);

  async function answer(id: number, work: Work): Promise<string | null> {
    if (work.kind === 'start') {
      starting = decode(work.wasm).then((wasmBinary) => create({ wasmBinary }));
      return (await starting).version();
    }
    if (starting === null) throw new Error('the engine was not started');
    const door = await starting;
    switch (work.kind) {
      case 'version':
        return door.version();
      case 'measured':
        return door.measured();
      case 'size':
        return door.size(work.request);
      case 'catalogue':
        return door.catalogue(work.call);
      case 'import':
        return door.import_(work.call);
      case 'batch':
        for (const [done, request] of work.requests.entries()) {
          await breathe();
          if (cancelled.has(id)) return null;
          say({ id, kind: 'progress', done: done + 1, total: work.requests.length, text: door.size(request) });
        }
        return '';
    }
  }

  port.onmessage = (event: MessageEvent<ToEngine>): void => {
    const message = event.data;
    if ('cancel' in message) {
      cancelled.add(message.id);
      return;
    }
    const { id, work } = message;
    answer(id, work)
      .then((text) => say(text === null ? { id, kind: 'cancelled' } : { id, kind: 'done', text }))
      .catch((error: unknown) => say({ id, kind: 'failed', message: String(error) }))
      .finally(() => cancelled.delete(id));
  };
}
