import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { aboutRun } from '../../../src/cli/run/about-run.ts';
import { earlierAttempts } from '../../../src/cli/run/earlier-attempts.ts';
import { followTranscripts } from '../../../src/workflow/transcripts/follow-transcripts.ts';
import { createAgentOutput, type AgentOutput } from '../../../src/tui/text/agent-output.ts';
import { castLine } from '../../../src/workflow/transcripts/cast.ts';
import { openProject } from '../../../src/workflow/project/project.ts';
import { on } from '../../helpers/history.ts';
import { logEnv } from '../../helpers/log-env.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

const castOf = (text: string) =>
  castLine({ version: 3, term: { cols: 80, rows: 24 } }) + castLine([0, 'o', text]);

/** A project in which agents were started on the task `a`, and a way to start more. */
async function withRuns(...texts: string[]) {
  const { root, project } = await projectWithSprint();
  const folder = join(root, '.clifford/transcripts');
  await mkdir(folder);
  const start = async (attempt: number, text: string) => {
    const run = `run-${attempt}`;
    await writeFile(join(folder, `${run}.cast`), castOf(text));
    const transcript = `.clifford/transcripts/${run}.cast`;
    const data = { runId: run, attempt, agent: 'open\u001B[2Jcode', transcript };
    await project.record('demo', [on('demo/a', 'agent.started', data)]);
  };
  for (const [at, text] of texts.entries()) await start(at + 1, text);
  return { root, project, start };
}

/** The lines of a task, without the time of day. */
const shown = (output: AgentOutput, task: string) =>
  output.read(task)?.lines.map(({ line }) =>
    line.spans
      .map(({ text }) => text)
      .join('')
      .replace(/ \d\d:\d\d /, ' 14:03 '),
  );
const heading = (attempt: number) => `── attempt ${attempt} · opencode · 14:03 ──`;

it('what was written in earlier attempts stands before what is written now, in its colours', async () => {
  const { project } = await withRuns('\u001B[31mone\n', 'two\n');
  const output = createAgentOutput({ earlier: earlierAttempts(project, 'demo', { followed: false }) });
  output.append('a', 'three\nfo');
  const told = vi.fn<() => void>();
  output.subscribe(told);
  await vi.waitFor(() => expect(told).toHaveBeenCalled());
  expect(shown(output, 'a')).toEqual(['one', heading(2), 'two', 'three', 'fo']);
  output.append('a', 'ur\n');
  expect(shown(output, 'a')).toEqual(['one', heading(2), 'two', 'three', 'four']);
  expect(output.read('a')?.lines.map(({ at }) => at)).toEqual([-3, -2, -1, 0, 1]);
  expect(output.read('a')?.lines.map(({ line }) => line.spans.at(-1)?.own?.color)).toEqual([
    'red',
    ...Array.from({ length: 4 }, () => undefined),
  ]);
  expect(output.read('b')).toBeUndefined();
});

it('who attaches sees all attempts, each below what it was', async () => {
  const { project, start } = await withRuns('one\n', 'two\n');
  const output = createAgentOutput({ earlier: earlierAttempts(project, 'demo', { followed: true }) });
  const { stop } = followTranscripts(project, 'demo', output.append, (event) =>
    output.note('a', aboutRun(event)),
  );
  await vi.waitFor(() => expect(shown(output, 'a')).toEqual(['one', heading(2), 'two']));
  await start(3, 'three\n');
  await vi.waitFor(() => expect(shown(output, 'a')).toEqual(['one', heading(2), 'two', heading(3), 'three']));
  stop();
});

it('nothing of runs is shown that wrote nothing, or that begin later', async () => {
  const { project, start } = await withRuns('', 'two\n');
  const earlier = await earlierAttempts(project, 'demo', { followed: false });
  await start(3, 'three\n');
  const output = createAgentOutput({ earlier: Promise.resolve(earlier) });
  await vi.waitFor(() => expect(shown(output, 'a')).toEqual([heading(2), 'two']));
});

it('nothing is shown of a run whose agent began after what the screen knows, though it was started before', async () => {
  const { root, project } = await withRuns('one\n');
  await project.record('demo', [on('demo/a', 'task.started', { attempt: 2, runId: 'run-2' })]);
  await writeFile(join(root, '.clifford/transcripts/run-2.cast'), castOf('two\n'));
  // Its events have not come here yet.
  const other = await openProject({ root, source: '/clifford/runner', env: logEnv() });
  onTestFinished(() => other.close());
  const transcript = '.clifford/transcripts/run-2.cast';
  const data = { runId: 'run-2', attempt: 2, agent: 'opencode', transcript };
  await other.record('demo', [on('demo/a', 'agent.started', data)]);
  const earlier = await earlierAttempts(project, 'demo', { followed: false });
  const output = createAgentOutput({ earlier: Promise.resolve(earlier) });
  await vi.waitFor(() => expect(shown(output, 'a')).toEqual(['one']));
});

it('nothing of another sprint is shown, whose task is called alike', async () => {
  const { project } = await withRuns('one\n', 'two\n', '', '');
  const transcript = '.clifford/transcripts/run-1.cast';
  const data = { runId: 'run-of-other', attempt: 7, agent: 'opencode', transcript };
  await project.record('other', [
    on('other', 'sprint.created'),
    on('other/a', 'task.started', { attempt: 7, runId: 'run-of-other' }),
    on('other/a', 'agent.started', data),
  ]);
  const earlier = await earlierAttempts(project, 'demo', { followed: false });
  const output = createAgentOutput({ earlier: Promise.resolve(earlier) });
  await vi.waitFor(() =>
    expect(shown(output, 'a')).toEqual(['one', heading(2), 'two', heading(3), heading(4)]),
  );
});

it('what is left out is said: attempts before the last eight, and what of one was written before its end', async () => {
  const long = `${'x'.repeat(99)}\n`.repeat(700);
  const { project } = await withRuns('one\n', ...Array.from({ length: 7 }, () => ''), long);
  const output = createAgentOutput({ earlier: earlierAttempts(project, 'demo', { followed: false }) });
  const attached = createAgentOutput({ earlier: earlierAttempts(project, 'demo', { followed: true }) });
  const silent = [2, 3, 4, 5, 6, 7, 8].map(heading);
  const said = ['… 1 earlier attempt: clifford export <run>', ...silent, heading(9)];
  await vi.waitFor(() => expect(shown(output, 'a')?.slice(0, 9)).toEqual(said));
  expect(shown(output, 'a')?.slice(9, 11)).toEqual([
    '… earlier output: clifford export run-9',
    expect.stringMatching(/^…x*$/),
  ]);
  await vi.waitFor(() =>
    expect(shown(attached, 'a')).toEqual([...said, '… earlier output: clifford export run-9']),
  );
});

it('what was written before a gap does not stand in front of what is behind it', async () => {
  const { project } = await withRuns('one\n', 'two\n');
  const earlier = Promise.resolve(await earlierAttempts(project, 'demo', { followed: false }));
  const output = createAgentOutput({ maxLines: 2, earlier });
  output.append('a', '1\n2\n3\n4\n5\n');
  await vi.waitFor(() =>
    expect(shown(output, 'a')).toEqual(['… 6 earlier lines: clifford export <run>', '4', '5']),
  );
});
