import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OutputDecoder } from '../../src/runner/output-decoder.ts';
import { Transcript } from '../../src/runner/transcript.ts';
import { tempRoot } from '../helpers/temp-project.ts';

describe('the output of an agent', () => {
  it('is decoded across chunks, each channel by itself', () => {
    const output = new OutputDecoder();
    const bytes = Buffer.from('ä€😀');
    const texts = [...bytes].map((byte) => [
      output.decode('stdout', Uint8Array.of(byte)),
      output.decode('stderr', Uint8Array.of(byte)),
    ]);
    expect(texts.map(([text]) => text).join('')).toBe('ä€😀');
    expect(texts.map(([, text]) => text).join('')).toBe('ä€😀');
  });

  it('leaves its last lines of stderr, without colours', () => {
    const output = new OutputDecoder();
    output.decode('stderr', Buffer.from('one\ntwo\r\n\n\u001B[31mthree\u001B[0m\n'));
    output.decode('stdout', Buffer.from('not this\n'));
    output.decode('stderr', Buffer.from('four\n'));
    expect(output.lastWords()).toBe('two | three | four');
  });
});

describe('a transcript', () => {
  it('keeps the bytes as they came, for the user alone', async () => {
    const dir = join(await tempRoot(), '.clifford');
    const transcript = new Transcript(dir, 'run-1');
    transcript.append(Buffer.from([0xff, 0x0a]));
    transcript.append(Buffer.from('ok\n'));
    transcript.close();
    const file = join(dir, 'transcripts/run-1.log');
    expect(await readFile(file)).toEqual(Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from('ok\n')]));
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(join(dir, 'transcripts'))).mode & 0o777).toString(8)).toBe('700');
  });

  it('ends at its limit and says so once', async () => {
    const dir = join(await tempRoot(), '.clifford');
    const transcript = new Transcript(dir, 'run-1', { limitBytes: 4 });
    const notes = ['abc', 'def', 'ghi'].map((text) => transcript.append(Buffer.from(text)));
    transcript.close();
    expect(notes).toEqual([undefined, 'the transcript ends here, at 4 bytes', undefined]);
    expect(await readFile(join(dir, 'transcripts/run-1.log'), 'utf8')).toBe(
      'abcd\n[the transcript ends here, at 4 bytes]\n',
    );
  });

  it.runIf(existsSync('/dev/full'))('on a full disk ends and says so once; the agent goes on', async () => {
    const dir = join(await tempRoot(), '.clifford');
    await mkdir(join(dir, 'transcripts'), { recursive: true });
    await symlink('/dev/full', join(dir, 'transcripts/run-1.log'));
    const transcript = new Transcript(dir, 'run-1');
    const notes = ['one', 'two'].map((text) => transcript.append(Buffer.from(text)));
    transcript.close();
    expect(notes).toEqual([expect.stringMatching(/^the transcript cannot be written: ENOSPC/), undefined]);
  });

  it('of a run that is named twice goes on where it was', async () => {
    const dir = join(await tempRoot(), '.clifford');
    await mkdir(dir, { recursive: true });
    for (const text of ['one ', 'two']) {
      const transcript = new Transcript(dir, 'run-1');
      transcript.append(Buffer.from(text));
      transcript.close();
    }
    expect(await readFile(join(dir, 'transcripts/run-1.log'), 'utf8')).toBe('one two');
  });
});
