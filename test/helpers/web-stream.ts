import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import type { LiveMessage, LiveName } from '../../src/web/api/live.ts';
import { patched } from '../../src/web/api/patched.ts';
import type { WebServer } from '../../src/web/server/web-server.ts';

type Message = { readonly name: string; readonly data: unknown; readonly id: string | undefined };

/** A reader of `GET /api/events`. */
export type StreamReader = {
  readonly response: IncomingMessage;
  /** All that came so far. */
  readonly messages: Message[];
  /** What came last of a name, with what has changed of it since. */
  readonly last: <N extends LiveName>(name: N) => LiveMessage[N] | undefined;
  /** What came of a name that adds to what was there, in a row. */
  readonly all: <N extends 'events' | 'output'>(name: N) => LiveMessage[N];
  /** The id to go on from. */
  readonly lastId: () => string | undefined;
  readonly isOver: () => boolean;
  readonly close: () => void;
};

/** Opens a stream; it is closed when the test is finished. `below`: the path of the project, among several. */
export async function readStream(
  { port, token: own }: Pick<WebServer, 'port' | 'token'>,
  query = '',
  { token = own, lastId, below = '' }: { token?: string; lastId?: string | undefined; below?: string } = {},
): Promise<StreamReader> {
  const sending = request({
    host: '127.0.0.1',
    port,
    path: `${below}/api/events${query}`,
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
  }).end();
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  onTestFinished(() => void response.destroy());
  const messages: Message[] = [];
  let rest = '';
  let isOver = false;
  let taken = 0;
  const last = new Map<string, unknown>();
  const take = ({ name, data }: Message = { name: '', data: undefined, id: undefined }) => {
    last.set(name, data);
    if (name !== 'patch') return;
    const { of, ...patch } = data as LiveMessage['patch'];
    last.set(of, patched(last.get(of) as object, patch));
  };
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    messages.push(...parts.flatMap(messageOf));
    for (; taken < messages.length; taken += 1) take(messages[taken]);
  });
  response.on('close', () => (isOver = true));
  response.on('error', () => undefined);
  return {
    response,
    messages,
    last: <N extends LiveName>(name: N) => last.get(name) as LiveMessage[N] | undefined,
    all: <N extends 'events' | 'output'>(name: N) =>
      messages
        .filter((each) => each.name === name)
        .flatMap(({ data }) => data as unknown[]) as LiveMessage[N],
    lastId: () => messages.findLast(({ id }) => id !== undefined)?.id,
    isOver: () => isOver,
    close: () => response.destroy(),
  };
}

function messageOf(part: string): Message[] {
  const fields = new Map(
    part.split('\n').map((line) => {
      const [, name = '', value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
      return [name, value] as const;
    }),
  );
  const data = fields.get('data');
  return data === undefined
    ? []
    : [{ name: fields.get('event') ?? '', data: JSON.parse(data), id: fields.get('id') }];
}
