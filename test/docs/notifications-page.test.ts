import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { tempRoot } from '../helpers/temp-project.ts';
import { calledProject } from '../notify/remote/support/called-project.ts';
import { webServer, type Received } from '../notify/remote/support/web-server.ts';

type Check = (received: Pick<Received, 'headers' | 'body'>, secret: string) => boolean;

/** The check that the page shows, as a program of its reader. */
async function shownCheck(): Promise<Check> {
  const page = await readFile(join(import.meta.dirname, '../../docs/notifications.md'), 'utf8');
  const [, code] = /^```js\n([^]*?)^```$/m.exec(page) ?? [];
  const file = join(await tempRoot(), 'check.mjs');
  await writeFile(file, String(code));
  const { isGenuine } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { isGenuine: Check };
  return isGenuine;
}

it.each([
  ['any text', 'correct-horse-battery-staple ä'],
  ['the kind of Standard Webhooks', `whsec_${randomBytes(32).toString('base64')}`],
])(
  'the check of a webhook that the page shows takes what Clifford sends, and nothing else: a secret of %s',
  async (_kind, secret) => {
    const isGenuine = await shownCheck();
    const received: Received[] = [];
    const { url } = await webServer((each) => {
      received.push(each);
      return { json: {} };
    });
    const { begin, asks } = await calledProject({
      notify: { channels: { board: { via: 'webhook', url, secret: '${HOOK}', after: 0 } } },
      env: { HOOK: secret },
    });
    await begin();
    await asks('q-1', { question: 'Größe?' });
    await vi.waitFor(() => expect(received).toHaveLength(1));
    const [sent] = received;
    if (!sent) throw new Error('nothing came');
    const { headers, body } = sent;
    expect(isGenuine({ headers, body }, secret)).toBe(true);
    expect(
      isGenuine(
        {
          headers: { ...headers, 'webhook-signature': `v1,xx ${String(headers['webhook-signature'])}` },
          body,
        },
        secret,
      ),
    ).toBe(true);
    expect(isGenuine({ headers, body: `${body} ` }, secret)).toBe(false);
    const other = `${secret.slice(0, 10)}${secret[10] === 'A' ? 'B' : 'A'}${secret.slice(11)}`;
    expect(isGenuine({ headers, body }, other)).toBe(false);
    expect(isGenuine({ headers: { ...headers, 'webhook-id': 'other' }, body }, secret)).toBe(false);
    expect(isGenuine({ headers: {}, body }, secret)).toBe(false);
    const now = Date.now();
    const later = vi.spyOn(Date, 'now').mockReturnValue(now + 302_000);
    expect(isGenuine({ headers, body }, secret)).toBe(false);
    later.mockRestore();
  },
);
