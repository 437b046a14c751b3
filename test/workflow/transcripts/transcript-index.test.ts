import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secretsOf } from '../../../src/events/redaction.ts';
import { Transcript } from '../../../src/runner/output/transcript.ts';
import { readTranscriptIndex } from '../../../src/workflow/transcripts/transcript-index.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

/** A transcript of many segments, in which every event of a sprint is marked. */
async function marked(limits?: { segmentBytes: number; totalBytes: number }) {
  const { project, stream } = await projectWithSprint();
  for (let at = 0; at < 4; at += 1)
    await project.record(stream, [
      { type: 'agent.stalled', subject: `${stream}/a`, data: { runId: 'run-1', idleMs: at } },
    ]);
  const events = await eventsOf(project);
  const end = { onEnd: (note: string) => expect.fail(note), ...(limits ? { limits } : {}) };
  const transcript = new Transcript({
    dir: project.dir,
    runId: 'run-1',
    title: 'a',
    secrets: secretsOf({}),
    ...end,
  });
  for (const event of events) {
    transcript.append('stdout', `${'x'.repeat(500)}\n`);
    transcript.mark(event);
  }
  transcript.close();
  const path = join(project.dir, 'transcripts/run-1.cast');
  const index = join(project.dir, 'transcripts/run-1.index.jsonl');
  return { events, path, index, read: () => readTranscriptIndex(project, { path, stream }) };
}

it('the index of a transcript has the place of each event, and is made again from its markers', async () => {
  const { events, index, read } = await marked({ segmentBytes: 1_300, totalBytes: 100_000 });
  const entries = await read();
  expect(entries.map(({ id, streamversion, type }) => ({ id, streamversion, type }))).toEqual(
    events.map(({ id, streamversion, type }) => ({ id, streamversion, type })),
  );
  expect(new Set(entries.map(({ segment }) => segment)).size).toBeGreaterThan(2);

  const text = await readFile(index, 'utf8');
  await rm(index);
  expect(await read()).toEqual(entries);
  // As a crash leaves it: the last line torn, or not written.
  await writeFile(index, text);
  await truncate(index, text.length - 5);
  expect(await read()).toEqual(entries);
  await writeFile(index, text.split('\n').slice(0, 2).join('\n'));
  expect(await read()).toEqual(entries);
});

it('the index of a transcript has no place in what was removed', async () => {
  const { index, read } = await marked({ segmentBytes: 700, totalBytes: 2_100 });
  const entries = await read();
  const segments = new Set(entries.map(({ segment }) => segment));
  expect(segments.has(1)).toBe(true);
  expect(segments.has(2)).toBe(false);
  await rm(index);
  expect((await read()).map(({ offset, segment }) => ({ offset, segment }))).toEqual(
    entries.map(({ offset, segment }) => ({ offset, segment })),
  );
});
