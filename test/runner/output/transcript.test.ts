import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newEvent } from '../../../src/events/envelope.ts';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import { secretsOf } from '../../../src/events/secrets/redaction.ts';
import { Transcript } from '../../../src/runner/output/transcript.ts';
import type { TranscriptParts } from '../../../src/runner/output/transcript.ts';
import { isAside } from '../../../src/workflow/transcripts/cast.ts';
import { exportCast } from '../../../src/workflow/transcripts/export-cast.ts';
import { markersOf, shownBy, strictCast } from '../../helpers/strict-cast.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** A transcript, why it ended if it did, and where it is. */
async function begin(parts: Partial<TranscriptParts> = {}) {
  const dir = parts.dir ?? join(await tempRoot(), '.clifford');
  const ends: string[] = [];
  const transcript = new Transcript({
    dir,
    runId: 'run-1',
    title: 'demo/a, attempt 1',
    secrets: secretsOf({ API_TOKEN: 'hunter2-hunter2' }),
    onEnd: (note) => ends.push(note),
    ...parts,
  });
  const folder = join(dir, 'transcripts');
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  return { transcript, ends, folder, read, cast: async () => strictCast(await read('run-1.cast'), 3) };
}

/** Where a link leads; `''` where it is gone by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function event(streamversion: number, type: 'task.skipped' = 'task.skipped'): StoredEvent {
  const stored = newEvent('/clifford/cli', { type, subject: 'demo/a', data: { by: 'me' } });
  return { ...stored, specversion: '1.0', streamversion, prevhash: '', schemaversion: 1 };
}

describe('a transcript', () => {
  it('is a cast of what a human reads, of both channels, with the exit status last', async () => {
    const { transcript, cast } = await begin();
    transcript.append('stdout', 'one\ntwo\r\n');
    transcript.append('stderr', '\u001B[31mred ä😀');
    transcript.close({ code: 3, signal: null });
    const { title, events } = await cast();
    expect(title).toBe('demo/a, attempt 1');
    expect(shownBy(events)).toBe('one\r\ntwo\r\n\u001B[31mred ä😀');
    expect(events.at(-1)?.slice(1)).toEqual(['x', '3']);
  });

  it('keeps what is only to be looked up faint, apart from the rest, without secrets', async () => {
    const { transcript, cast } = await begin();
    transcript.append('stdout', 'one\n');
    transcript.append('aside', 'log: hunter2-');
    transcript.append('stdout', 'two\n');
    transcript.append('aside', 'hunter2\n');
    transcript.close();
    const texts = (await cast()).events.map(([, , text]) => text);
    expect(texts.filter((text) => !isAside(text)).join('')).toBe('one\r\ntwo\r\n');
    expect(texts.filter(isAside).join('')).toContain('[redacted:API_TOKEN]');
    expect(texts.join('')).not.toContain('hunter2');
  });

  it('says of an agent that a signal ended what a shell says', async () => {
    const { transcript, cast } = await begin();
    transcript.close({ code: null, signal: 'SIGKILL' });
    expect((await cast()).events).toEqual([[expect.any(Number), 'x', '137']]);
  });

  it('is for the user alone', async () => {
    const { transcript, folder } = await begin();
    transcript.mark(event(1));
    transcript.close();
    const modes = async (name: string) => ((await stat(join(folder, name))).mode & 0o777).toString(8);
    expect(await modes('.')).toBe('700');
    expect((await readdir(folder)).toSorted()).toEqual(['run-1.cast']);
    expect(await modes('run-1.cast')).toBe('600');
  });

  it('has no secret, whole or in parts, whatever the other channel says between', async () => {
    const { transcript, cast } = await begin();
    transcript.append('stdout', 'it is hunter2-');
    transcript.append('stderr', 'a warning\n');
    transcript.append('stdout', 'hunter2 and ghp_abcdefghijklmn');
    transcript.append('stdout', 'opqrstuvwx\n');
    transcript.close();
    const shown = shownBy((await cast()).events);
    expect(shown).toContain('a warning');
    expect(shown).toContain('[redacted:API_TOKEN] and [redacted]\r\n');
    expect(shown).not.toContain('hunter2');
  });

  it('begins a line where a channel does, also while the end of one is held back with a secret', async () => {
    const { transcript, cast } = await begin();
    transcript.append('stdout', 'one ');
    transcript.append('stderr', 'see -----BEGIN RSA PRIVATE KEY-----\n');
    transcript.append('stdout', 'line\n');
    transcript.append(
      'stderr',
      `${'MIIEpAIB'.repeat(8)}\n-----END RSA PRIVATE KEY-----\nsee -----BEGIN RSA PRIVATE KEY-----\n`,
    );
    transcript.append('stdout', '▸ ls\n');
    transcript.append('stdout', '▸ cat\n');
    transcript.append(
      'stderr',
      `${'MIIEpAIB'.repeat(8)}\n-----END RSA PRIVATE KEY-----\ntwo\n-----BEGIN RSA PRIVATE KEY-----\n`,
    );
    transcript.append('stdout', '▸ ps\n');
    transcript.append('stderr', `${'MIIEpAIB'.repeat(8)}\n-----END RSA PRIVATE KEY-----\na long `);
    transcript.append('stdout', 'goes on\n');
    transcript.close();
    expect(shownBy((await cast()).events)).toBe(
      'one see line\r\n[redacted]\r\nsee \r\n▸ ls\r\n▸ cat\r\n[redacted]\r\ntwo\r\n▸ ps\r\n[redacted]\r\na long goes on\r\n',
    );
  });

  it('has what is held back until its end on a line of its own', async () => {
    const { transcript, cast } = await begin();
    transcript.append('stderr', '-----BEGIN RSA PRIVATE KEY-----');
    transcript.append('stdout', '▸ ls\n  ');
    transcript.close();
    expect(shownBy((await cast()).events)).toBe('▸ ls\r\n  \r\n-----BEGIN RSA PRIVATE KEY-----');
  });

  it('never has half a character, whose other half came later or never', async () => {
    const { transcript, cast } = await begin();
    transcript.append('stdout', 'a\uD83D');
    transcript.mark(event(1));
    transcript.append('stdout', '\uDE00 b \uDE00 c');
    transcript.close();
    expect(shownBy((await cast()).events)).toBe('a😀 b \uFFFD c');
  });

  it('shows output while the attempt goes on', async () => {
    const { transcript, read } = await begin();
    transcript.append('stdout', 'live');
    await expect.poll(() => read('run-1.cast')).toContain('live');
    transcript.close();
  });

  it('writes many small chunks as few events', async () => {
    const { transcript, cast } = await begin();
    for (let at = 0; at < 2_000; at += 1) transcript.append('stdout', `line ${at}\n`);
    transcript.close();
    const { events } = await cast();
    expect(shownBy(events)).toContain('line 1999\r\n');
    expect(events.length).toBeLessThan(10);
  });

  it('has the events of the log as markers', async () => {
    const { transcript, cast } = await begin();
    transcript.append('stdout', 'ä before\n');
    transcript.mark(event(41));
    transcript.append('stdout', 'after\n');
    transcript.close();
    const { events } = await cast();
    expect(events.map(([, code]) => code)).toEqual(['o', 'm', 'o']);
    expect(markersOf(events)).toEqual(['#41 task.skipped']);
  });
});

describe('a transcript that grows too long', () => {
  const limits = { segmentBytes: 1_000, totalBytes: 4_000 };
  const page = (at: number) => `page ${at} ${'x'.repeat(700)}\n`;

  /** Each page fills a segment. */
  async function grown(pages: number) {
    const begun = await begin({ limits });
    for (let at = 1; at <= pages; at += 1) {
      begun.transcript.append('stdout', page(at));
      begun.transcript.mark(event(at));
    }
    begun.transcript.close({ code: 0, signal: null });
    return begun;
  }

  it('goes on in segments that are casts by themselves', async () => {
    const { folder, read } = await grown(3);
    expect((await readdir(folder)).toSorted()).toEqual(['run-1.2.cast', 'run-1.3.cast', 'run-1.cast']);
    const casts = await Promise.all(['run-1.cast', 'run-1.2.cast', 'run-1.3.cast'].map(read));
    const titles = casts.map((text) => strictCast(text, 3).title);
    expect(titles).toEqual(['demo/a, attempt 1', 'demo/a, attempt 1 (part 2)', 'demo/a, attempt 1 (part 3)']);
    const joined = strictCast([...exportCast(join(folder, 'run-1.cast'), 3)].join(''), 3);
    expect(shownBy(joined.events)).toBe([1, 2, 3].map(page).join('').replaceAll('\n', '\r\n'));
  });

  it.runIf(existsSync('/proc/self/fd'))('holds one file open, and none once it is closed', async () => {
    const { transcript, folder } = await begin({ limits });
    const open = () => readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
    for (const at of [1, 2, 3]) {
      transcript.append('stdout', page(at));
      transcript.mark(event(at));
    }
    const ours = () => open().filter((path) => path.startsWith(folder));
    expect(ours()).toEqual([join(folder, 'run-1.3.cast')]);
    transcript.close();
    expect(ours()).toEqual([]);
  });

  it('ends where an agent has put a link in the place of the next one, and leaves what that leads to', async () => {
    const { transcript, folder, ends } = await begin({ limits });
    const users = join(folder, 'users');
    await writeFile(users, 'precious');
    await symlink(users, join(folder, 'run-1.2.cast'));
    for (const at of [1, 2, 3]) {
      transcript.append('stdout', page(at));
      transcript.mark(event(at));
    }
    transcript.close();
    expect(ends).toEqual([expect.stringMatching(/^the transcript cannot be written: EEXIST/)]);
    expect(await readFile(users, 'utf8')).toBe('precious');
  });

  it('keeps its beginning and its end, and says what is missing', async () => {
    const { folder, read } = await grown(8);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.cast')).toSorted();
    expect(files).toEqual(['run-1.6.cast', 'run-1.7.cast', 'run-1.8.cast', 'run-1.cast']);
    expect(markersOf(strictCast(await read('run-1.6.cast'), 3).events)[0]).toBe(
      'part 3 of this transcript removed: it grew too long',
    );
    const joined = strictCast([...exportCast(join(folder, 'run-1.cast'), 3)].join(''), 3);
    expect(markersOf(joined.events).filter((label) => !label.startsWith('#'))).toEqual([
      'parts 2 to 5 are missing: the transcript grew too long',
    ]);
    expect(shownBy(joined.events)).toContain('page 8');
  });
});

it('a transcript whose file is a link to a device ends and says so once', async () => {
  const dir = join(await tempRoot(), '.clifford');
  await mkdir(join(dir, 'transcripts'), { recursive: true });
  await symlink('/dev/null', join(dir, 'transcripts/run-1.cast'));
  const { transcript, ends } = await begin({ dir });
  for (const text of ['one', 'two']) {
    transcript.append('stdout', text);
    transcript.mark(event(1));
  }
  transcript.close({ code: 0, signal: null });
  expect(ends).toEqual(['the transcript cannot be written: it is a symbolic link']);
});

it('a transcript that cannot be made ends at once; nothing is thrown', async () => {
  const dir = await tempRoot();
  await writeFile(join(dir, 'transcripts'), '');
  const { transcript, ends } = await begin({ dir });
  transcript.append('stdout', 'one');
  transcript.close();
  expect(ends).toEqual([
    `the transcript cannot be written: Cannot use ${join(dir, 'transcripts')}: it is not a folder`,
  ]);
});

it('a transcript is not written behind a link', async () => {
  const dir = await tempRoot();
  await mkdir(join(dir, 'elsewhere'));
  await symlink('elsewhere', join(dir, 'transcripts'));
  const { ends } = await begin({ dir });
  expect(ends).toEqual([
    `the transcript cannot be written: Cannot use ${join(dir, 'transcripts')}: it is a symbolic link`,
  ]);
  expect(await readdir(join(dir, 'elsewhere'))).toEqual([]);
});
