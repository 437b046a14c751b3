import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
