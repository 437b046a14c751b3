import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aside, castLine } from '../../../src/workflow/transcripts/cast.ts';
import { CastTail } from '../../../src/workflow/transcripts/cast-tail.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const header = castLine({ version: 3, term: { cols: 80, rows: 24 } });
const out = (text: string) => castLine([0.1, 'o', text]);

async function folder(): Promise<string> {
  const dir = join(await tempRoot(), 'transcripts');
  await mkdir(dir);
  return dir;
}

describe('the tail of a transcript', () => {
  it('is what was printed since the last look, with plain newlines, without markers', async () => {
    const path = join(await folder(), 'run.cast');
    const tail = new CastTail(path, 1_000);
    expect(tail.read()).toBe('');
    await writeFile(path, header + out('one\r\n') + castLine([0, 'm', '#1 task.started']));
    expect(tail.read()).toBe('one\n');
    await appendFile(path, out('two\r\n'));
    expect(tail.read()).toBe('two\n');
    expect(tail.read()).toBe('');
  });

  it('has nothing of what is only kept', async () => {
    const path = join(await folder(), 'run.cast');
    await writeFile(path, header + out('one\r\n') + out(aside('its log\r\n')) + out('two\r\n'));
    expect(new CastTail(path, 1_000).read()).toBe('one\ntwo\n');
  });

  it('waits for the end of a line, and never gives out one that a crash left without', async () => {
    const path = join(await folder(), 'run.cast');
    const line = out('ä1\r\n');
    await writeFile(path, Buffer.from(header + line).subarray(0, -6));
    const tail = new CastTail(path, 1_000);
    expect(tail.read()).toBe('');
    await appendFile(path, line.slice(-6));
    expect(tail.read()).toBe('ä1\n');
    await appendFile(path, out('2').slice(0, -3));
    expect(tail.read()).toBe('');
  });

  it('goes on in the next segment, also when it was passed by the removal of some', async () => {
    const dir = await folder();
    const segment = (number: number) => join(dir, number === 1 ? 'run.cast' : `run.${number}.cast`);
    await writeFile(segment(1), header + out('1'));
    const tail = new CastTail(segment(1), 1_000);
    expect(tail.read()).toBe('1');
    await appendFile(segment(1), out('1b'));
    await writeFile(segment(2), header + out('2'));
    expect(tail.read()).toBe('1b2');
    await rm(segment(2));
    await writeFile(segment(5), header + out('5'));
    await writeFile(segment(6), header + out('6'));
    expect(tail.read()).toBe('\n…56');
    await appendFile(segment(6), out('lost'));
    await rm(segment(6));
    await writeFile(segment(7), header + out('7'));
    expect(tail.read()).toBe('\n…7');
  });

  it('goes on behind the first segment where all that followed it are removed', async () => {
    const dir = await folder();
    await writeFile(join(dir, 'run.cast'), header + out('1'));
    const tail = new CastTail(join(dir, 'run.cast'), 1_000);
    expect(tail.read()).toBe('1');
    await writeFile(join(dir, 'run.5.cast'), header + out('5'));
    expect(tail.read()).toBe('\n…5');
    expect(new CastTail(join(dir, 'run.cast'), 1_000).read()).toBe('1\n…5');
  });

  it('begins near the end of what is there, at the beginning of a line', async () => {
    const dir = await folder();
    const lines = Array.from({ length: 10 }, (_, at) => out(`line ${at}\r\n`));
    await writeFile(join(dir, 'run.cast'), header + lines.join(''));
    const length = lines[0]?.length ?? 0;
    const read = (backlog: number) => new CastTail(join(dir, 'run.cast'), backlog).read();
    expect(read(2 * length)).toBe('line 8\nline 9\n');
    expect(read(2 * length + 1)).toBe('line 8\nline 9\n');
    expect(read(2 * length - 1)).toBe('line 9\n');
    expect(read(0)).toBe('');
    const more = out('more\r\n');
    await writeFile(join(dir, 'run.2.cast'), header + more);
    expect(read(100_000)).toMatch(/^line 0\n[^]*line 9\nmore\n$/);
    expect(read(more.length)).toBe('more\n');
  });

  it('says so where that is in the middle of what was written', async () => {
    const dir = await folder();
    const segment = (number: number) => join(dir, number === 1 ? 'run.cast' : `run.${number}.cast`);
    const end = out('▸ ls\r\n');
    const read = (backlog = Buffer.byteLength(end)) => new CastTail(segment(1), backlog).read();
    await writeFile(segment(1), header + out('one\r\nsee ') + out(aside('log\r\n')) + end);
    expect(read()).toBe('…▸ ls\n');
    expect(read(1_000)).toBe('one\nsee ▸ ls\n');
    await writeFile(segment(1), header + out('one\r\n') + out(aside('x'.repeat(70_000))) + end);
    expect(read()).toBe('…▸ ls\n');
    await writeFile(segment(1), header + out('see '));
    await writeFile(segment(2), header + end);
    expect(read()).toBe('…▸ ls\n');
    expect(read(Buffer.byteLength(header + end))).toBe('…▸ ls\n');
    await writeFile(segment(1), header + out('see\r\n'));
    expect(read()).toBe('▸ ls\n');
    await rm(segment(1));
    expect(read(1_000)).toBe('…▸ ls\n');
  });

  it('knows whether something that is there was written before', async () => {
    const dir = await folder();
    const isCut = (backlog: number) => {
      const tail = new CastTail(join(dir, 'run.cast'), backlog);
      tail.read();
      return tail.isCut;
    };
    const [first, second] = [header + out('1\r\n'), header + out('2\r\n')];
    expect(isCut(1_000)).toBe(false);
    await writeFile(join(dir, 'run.cast'), first);
    await writeFile(join(dir, 'run.2.cast'), second);
    expect(isCut(1_000)).toBe(false);
    expect(isCut(second.length)).toBe(true);
    expect(isCut(1)).toBe(true);
    await rm(join(dir, 'run.cast'));
    expect(isCut(1_000)).toBe(false);
  });
});
