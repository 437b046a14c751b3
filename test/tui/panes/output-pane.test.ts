import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { outputPane } from '../../../src/tui/panes/output-pane.ts';
import { TaskTracks } from '../../../src/workflow/history/task-tracks.ts';
import { castLine } from '../../../src/workflow/transcripts/cast.ts';
import { PastOutput } from '../../../src/workflow/transcripts/past-output.ts';
import { History, on } from '../../helpers/history.ts';
import { paneSource } from '../../helpers/pane-source.ts';
import { eventLog } from '../../helpers/stored-events.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const transcriptOf = (run: string) => `.clifford/transcripts/${run}.cast`;
const mark = (version: number) => castLine([0, 'm', `#${version} agent.started`]);
const out = (text: string) => castLine([0.1, 'o', text]);

it('the pane of output shows each attempt as far as it had come, the earlier ones whole', async () => {
  const root = await tempRoot();
  const history = new History(
    on('demo', 'sprint.created', { tasks: [{ id: 'parser', file: 'parser.md' }] }),
    on('demo', 'sprint.started', { maxAttempts: 3 }),
    on('demo/parser', 'task.started', { attempt: 1, runId: 'run-1' }),
    on('demo/parser', 'agent.started', {
      attempt: 1,
      runId: 'run-1',
      agent: 'opencode',
      transcript: transcriptOf('run-1'),
    }),
    on('demo/parser', 'agent.exited', { runId: 'run-1' }),
    on('demo/parser', 'task.retried', { attempt: 2 }),
    on('demo/parser', 'task.started', { attempt: 2, runId: 'run-2' }),
    on('demo/parser', 'agent.started', {
      attempt: 2,
      runId: 'run-2',
      agent: 'codex',
      transcript: transcriptOf('run-2'),
    }),
    on('demo/parser', 'agent.connected', { runId: 'run-2' }),
  );
  const write = async (run: string, ...lines: string[]) => {
    const path = join(root, transcriptOf(run));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, castLine({ version: 3, term: { cols: 80, rows: 24 } }) + lines.join(''));
  };
  await write('run-1', mark(4), out('first\r\n'), mark(5), out('cut'));
  await write('run-2', mark(8), out('second\r\n'), mark(9), out('third\r\n'));

  const tracks = new TaskTracks();
  for (const event of history.events) tracks.take(event);
  const output = new PastOutput(join(root, '.clifford'));
  const shownAt = async (version: number) => {
    const past = { version, sprint: undefined };
    const source = paneSource({ tracks: { read: () => Promise.resolve(tracks) }, output, past });
    const { lines, empty } = await outputPane.load(source, 'parser');
    const texts = lines(80).map(({ line }) => line.spans.map(({ text }) => text).join(''));
    return texts.length === 0 ? empty : texts.map((text) => text.replace(/\d\d:\d\d/, '12:00'));
  };
  expect(await shownAt(3)).toBe('No output yet');
  expect(await shownAt(4)).toBe('No output yet');
  expect(await shownAt(5)).toEqual(['first']);
  expect(await shownAt(6)).toEqual(['first', 'cut']);
  const attempt = '── attempt 2 · codex · 12:00 ──';
  expect(await shownAt(7)).toEqual(['first', 'cut', attempt]);
  expect(await shownAt(8)).toEqual(['first', 'cut', attempt]);
  expect(await shownAt(9)).toEqual(['first', 'cut', attempt, 'second']);
  expect(await shownAt(10)).toEqual(['first', 'cut', attempt, 'second', 'third']);
});

it('the pane of output says what it leaves out: attempts before the last eight, and what was written before the end of one', async () => {
  const root = await tempRoot();
  const tracks = new TaskTracks();
  const starts = Array.from({ length: 9 }, (_, at): ['agent.started', object] => {
    const runId = `run-${at + 1}`;
    const data = { attempt: at + 1, runId, agent: 'codex', transcript: transcriptOf(runId) };
    return ['agent.started', data];
  });
  const created = eventLog('demo', ['sprint.created', { tasks: [{ id: 'parser', file: 'parser.md' }] }]);
  for (const event of [...created, ...eventLog('demo/parser', ...starts)]) tracks.take(event);
  const written = 'x'.repeat(300_000);
  await mkdir(join(root, dirname(transcriptOf('run-9'))), { recursive: true });
  await writeFile(
    join(root, transcriptOf('run-9')),
    castLine({ version: 3, term: { cols: 80, rows: 24 } }) + out(written),
  );
  const project = { dir: join(root, '.clifford') };
  const source = paneSource({ project, tracks: { read: () => Promise.resolve(tracks) } });
  const { lines } = await outputPane.load(source, 'parser');
  const texts = lines(80).map(({ line }) => line.spans.map(({ text }) => text).join(''));
  expect(texts.map((text) => text.replace(/ · codex · .*| ?(?<=…)x+/, ''))).toEqual([
    '… 1 earlier attempt: clifford export <run>',
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => `── attempt ${attempt}`),
    '… earlier output: clifford export run-9',
    '…',
  ]);
});
