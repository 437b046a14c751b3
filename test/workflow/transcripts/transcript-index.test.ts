import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOf } from '../../../src/lib/text/end-of.ts';
import { aside, castLine, isAside } from '../../../src/workflow/transcripts/cast.ts';
import { castEvents } from '../../../src/workflow/transcripts/cast-events.ts';
import { markedVersion } from '../../../src/workflow/transcripts/marker-labels.ts';
import { TranscriptIndex } from '../../../src/workflow/transcripts/transcript-index.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const header = castLine({ version: 3, term: { cols: 80, rows: 24 } });
const out = (text: string) => castLine([0.1, 'o', text]);
const mark = (version: number) => castLine([0, 'm', `#${version} task.noted`]);

async function folder(): Promise<string> {
  const dir = join(await tempRoot(), 'transcripts');
  await mkdir(dir);
  return dir;
}

/** The same, read from the beginning each time. */
function plainly(path: string, version: number): string {
  let text = '';
  for (const { event } of castEvents(path)) {
    const [, code, data] = event;
    if (code === 'm' && (markedVersion(data) ?? 0) >= version) break;
    if (code === 'o' && !isAside(data)) text += data;
  }
  return endOf(text.replaceAll('\r\n', '\n'), 262_144);
}

/** Enough of a long text to tell it from another. */
const ends = (text: string) => [text.length, text.slice(0, 20), text.slice(-60)];

describe('what an agent had written', () => {
  it('is what stands before the mark of an event, or of the next one that is marked', async () => {
    const path = join(await folder(), 'run.cast');
    await writeFile(
      path,
      header + mark(3) + out('one\r\n') + mark(5) + out('two\r\n') + mark(9) + out('three'),
    );
    const index = new TranscriptIndex(path);
    expect([9, 3, 5, 4, 1, 12].map((version) => index.until(version).text)).toEqual([
      'one\ntwo\n',
      '',
      'one\n',
      'one\n',
      '',
      'one\ntwo\nthree',
    ]);
  });

  it('goes on as it is written, line by line', async () => {
    const path = join(await folder(), 'run.cast');
    const index = new TranscriptIndex(path);
    expect(index.until(1).text).toBe('');
    await writeFile(path, header + out('ä').slice(0, -4));
    expect(index.until(1).text).toBe('');
    await appendFile(path, out('ä').slice(-4) + out(' two'));
    expect(index.until(1).text).toBe('ä two');
    await appendFile(path, mark(1) + out(' three'));
    expect([index.until(2).text, index.until(1).text]).toEqual(['ä two three', 'ä two']);
  });

  it('has nothing of what is only kept, and takes no text for a mark', async () => {
    const path = join(await folder(), 'run.cast');
    await writeFile(
      path,
      header + out('[0,"m","#1 a"]\r\n') + out(aside('its log\r\n')) + out('two') + mark(2),
    );
    expect(new TranscriptIndex(path).until(2).text).toBe('[0,"m","#1 a"]\ntwo');
  });

  it('goes on in the next segment, and is what is left where some were removed', async () => {
    const dir = await folder();
    const segment = (number: number) => join(dir, number === 1 ? 'run.cast' : `run.${number}.cast`);
    await writeFile(segment(1), header + out('1') + mark(1));
    await writeFile(segment(2), header + out('2') + mark(2));
    const index = new TranscriptIndex(segment(1));
    expect(index.until(2).text).toBe('12');
    await writeFile(segment(3), header + out('3') + mark(3) + out('4'));
    await rm(segment(2));
    expect(new TranscriptIndex(segment(1)).until(3).text).toBe('1\n…3');
    expect([index.until(3).text, index.until(9).text]).toEqual(['123', '1234']);
    await rm(segment(1));
    expect(new TranscriptIndex(segment(1)).until(3).text).toBe('…3');
    await writeFile(segment(1), header + out('1') + mark(1));
    await writeFile(segment(2), header + out('2'));
    const late = new TranscriptIndex(segment(1));
    expect(late.until(1).text).toBe('1');
    await rm(segment(2));
    expect(late.until(9).text).toBe('1\n…34');
    // A part of a segment may have been read before.
    await writeFile(segment(2), header + out('2\n') + mark(2) + out('lost') + mark(3));
    await writeFile(segment(3), header + out('4') + mark(4));
    const partly = new TranscriptIndex(segment(1));
    expect(partly.until(2).text).toBe('12\n');
    await rm(segment(2));
    expect(partly.until(4).text).toBe('12\n…4');
  });

  it('is its end alone where it is long, and no more of it is kept', async () => {
    const path = join(await folder(), 'run.cast');
    const line = (n: number) => out(`${String(n).padStart(63, '.')}\n`);
    const lines = Array.from({ length: 30_000 }, (_, n) => line(n) + (n % 1_000 === 999 ? mark(n) : ''));
    await writeFile(path, header + lines.join(''));
    const index = new TranscriptIndex(path);
    for (let version = 999; version < 30_000; version += 1_000) {
      const text = index.until(version).text;
      expect(text.length).toBe(Math.min(262_144, (version + 1) * 64));
      expect(text.slice(-6)).toBe(`${String(version).padStart(5, '.')}\n`);
    }
    // Between two lines, and in the middle of one.
    expect(index.until(29_999).text[0]).toBe('.');
    await appendFile(path, out('x') + mark(30_000));
    expect(index.until(30_000).text.slice(0, 3)).toBe('…..');
    expect(index.keptCharacters).toBeLessThanOrEqual(4 * 262_144);
    expect(index.keptCharacters).toBeGreaterThan(262_144);
  });

  it('begins in the middle of a line also where that is where a part begins', async () => {
    const path = join(await folder(), 'run.cast');
    const quarter = out(`${'x'.repeat(65_535)}\n`);
    await writeFile(path, header + out('see ') + [1, 2, 3, 4].map((n) => mark(n) + quarter).join(''));
    const text = new TranscriptIndex(path).until(9).text;
    expect([text.length, text.slice(0, 2)]).toEqual([262_144, '…x']);
  });

  it.each([
    [262_144, false],
    [262_145, true],
    // Of a character of two units the second one is left out, too.
    [262_143, true, '😀'],
  ])(
    'says whether something is left out before it, of %i characters: %s',
    async (length, isCut, first = '') => {
      const path = join(await folder(), 'run.cast');
      await writeFile(path, header + out(first + 'x'.repeat(length)));
      expect(new TranscriptIndex(path).until(1).isCut).toBe(isCut);
    },
  );

  it('is the same as when it is read from the beginning each time', async () => {
    const dir = await folder();
    const piece = fc.oneof(
      fc.string({ maxLength: 40 }).map(out),
      fc.constant(out('x'.repeat(70_000))),
      fc.string().map((text) => out(aside(text))),
      fc.constant('damaged\n'),
      fc.constant('mark'),
    );
    let file = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(piece, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.integer({ min: 1, max: 40 })),
        async (segments, asked) => {
          file += 1;
          let version = 0;
          const path = join(dir, `run${file}.cast`);
          const index = new TranscriptIndex(path);
          for (const [at, pieces] of segments.entries()) {
            const text = pieces.map((each) => (each === 'mark' ? mark((version += 2)) : each)).join('');
            await writeFile(at === 0 ? path : join(dir, `run${file}.${at + 1}.cast`), header + text);
            for (const wanted of asked)
              expect(ends(index.until(wanted).text)).toEqual(ends(plainly(path, wanted)));
          }
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });
});
