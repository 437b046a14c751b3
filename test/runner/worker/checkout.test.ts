import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Checkout } from '../../../src/runner/worker/checkout.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

it('fetches and pushes one after the other: in one clone, git finds the locks of another git', async () => {
  const base = await tempRoot();
  const said = join(base, 'said');
  const command = (name: string) => `sh -c 'echo ${name} >> ${said}; sleep 0.1; echo over >> ${said}'`;
  const commands = { fetch: command('fetch'), push: command('push') };
  const checkout = new Checkout({ base, project: 'demo', sprint: 'one', commands, env: process.env });
  const { signal } = new AbortController();
  await checkout.fetch(signal);
  await Promise.all([checkout.push(signal, 'x'), checkout.fetch(signal), checkout.push(signal, 'y')]);
  const each = ['fetch', 'push', 'fetch', 'push'].flatMap((name) => [name, 'over']);
  expect((await readFile(said, 'utf8')).trimEnd().split('\n')).toEqual(each);
});

it('a command that waits for another one is given up at once where it is to end', async () => {
  const base = await tempRoot();
  const go = join(base, 'go');
  const push = `sh -c 'until test -e ${go}; do sleep 0.05; done'`;
  const commands = { fetch: 'true', push };
  const checkout = new Checkout({ base, project: 'demo', sprint: 'one', commands, env: process.env });
  const stopping = new AbortController();
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const { signal } = over;
  await checkout.fetch(signal);
  const pushed = vi.fn<() => void>();
  const pushing = checkout.push(signal, 'x').then(pushed);
  const fetching = checkout.fetch(stopping.signal);
  stopping.abort(new Error('the worker ends'));
  await expect(fetching).rejects.toThrow('the worker ends');
  expect(pushed).not.toHaveBeenCalled();
  await writeFile(go, '');
  await pushing;
  await checkout.fetch(signal);
});
