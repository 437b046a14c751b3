import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { aboutRun, earlierAttempts } from '../../../src/cli/run/earlier-attempts.ts';
import { followTranscripts } from '../../../src/workflow/transcripts/follow-transcripts.ts';
import { createAgentOutput, type AgentOutput } from '../../../src/tui/text/agent-output.ts';
import { castLine } from '../../../src/workflow/transcripts/cast.ts';
import { on } from '../../helpers/history.ts';
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
  return { project, start };
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
  expect(shown(output, 'a')).toEqual([heading(1), 'one', heading(2), 'two', 'three', 'fo']);
  output.append('a', 'ur\n');
  expect(shown(output, 'a')).toEqual([heading(1), 'one', heading(2), 'two', 'three', 'four']);
  expect(output.read('a')?.lines.map(({ at }) => at)).toEqual([-4, -3, -2, -1, 0, 1]);
  expect(output.read('a')?.lines.map(({ line }) => line.spans.at(-1)?.own?.color)).toEqual([
    undefined,
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
  await vi.waitFor(() => expect(shown(output, 'a')).toEqual([heading(1), 'one', heading(2), 'two']));
  await start(3, 'three\n');
  await vi.waitFor(() =>
    expect(shown(output, 'a')).toEqual([heading(1), 'one', heading(2), 'two', heading(3), 'three']),
  );
  stop();
});

it('nothing of runs is shown that wrote nothing, or that begin later', async () => {
  const { project, start } = await withRuns('', 'two\n');
  const earlier = await earlierAttempts(project, 'demo', { followed: false });
  await start(3, 'three\n');
  const output = createAgentOutput({ earlier: Promise.resolve(earlier) });
  await vi.waitFor(() => expect(shown(output, 'a')).toEqual([heading(2), 'two']));
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
  await vi.waitFor(() => expect(shown(output, 'a')).toEqual([heading(1), 'one', heading(2), 'two']));
});
