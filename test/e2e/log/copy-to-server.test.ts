import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clifford } from '../../helpers/clifford-process.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const demo = join(import.meta.dirname, '../../../.clifford/events.jsonl');

describeWithNats('a log copied to a server and back', (server) => {
  it('is the same bytes, and says the same there', async () => {
    const root = await tempRoot();
    const url = `nats://${server.address}/${randomUUID()}`;
    const copy = (from: string, to: string) => clifford(['log', 'copy', from, to], { cwd: root });
    const lines = (await readFile(demo, 'utf8')).split('\n').length - 1;
    expect((await copy(demo, url)).out).toBe(`copied ${lines} events of 1 stream to ${url}\n`);
    expect((await copy(url, '.clifford/events.jsonl')).code).toBe(0);
    expect(await readFile(join(root, '.clifford/events.jsonl'), 'utf8')).toBe(await readFile(demo, 'utf8'));
    expect((await copy(demo, url)).out).toContain(`copied 0 events of 0 streams to ${url}; ${lines} events`);

    const args = ['replay', 'demo', '--plain'];
    const here = await clifford(args, { cwd: root });
    expect(await clifford([...args, '--log', url], { cwd: root })).toEqual(here);
    const verified = await clifford(['replay', '--verify', '--log', url], { cwd: root });
    expect(verified.out).toContain(`verified ${url}: ${lines} events in 1 stream`);
  });
});
