import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventType } from '../../../src/events/catalog.ts';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { Candidate } from '../../../src/machines/legality.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { transcriptPath } from '../../../src/workflow/transcripts/transcript-files.ts';
import { approval } from '../../helpers/approval.ts';
import { on } from '../../helpers/history.ts';
import { makeRepository, type TestGit } from '../../helpers/temp-repository.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';

/** Of the sprint that is run. */
export const stream = 'demo';

/** Something that is recorded, or that the agent at work writes. */
type Step = { readonly record: (project: Project) => Promise<StoredEvent> } | { readonly writes: string };
const recordOf = (candidate: Candidate): Step => ({
  async record(project) {
    const [stored] = await project.dispatch(stream, () => [candidate]);
    if (!stored) throw new Error(`${candidate.type} was not appended`);
    return stored;
  },
});
const step = <T extends EventType>(...[subject, type, data]: Parameters<typeof on<T>>): Step =>
  recordOf(on(subject, type, data));

const started = (runId: string, attempt: number): Step[] => [
  step('demo/a', 'task.started', { attempt, runId }),
  step('demo/a', 'agent.started', {
    attempt,
    runId,
    agent: 'opencode',
    transcript: `.clifford/${transcriptPath(runId)}`,
  }),
  step('demo/a', 'agent.connected', { runId }),
];
const asked = { agent: 'run-1', runId: 'run-1' };

/** A run until its last commit: a question, a call that is denied, a failed attempt, another one that completes, and a task that is skipped. */
const run: readonly Step[] = [
  step('demo', 'sprint.started', { maxAttempts: 3 }),
  ...started('run-1', 1),
  { writes: 'Reading\n\u001B[1mWri' },
  step('demo/a', 'tool.requested', { callId: 'c-1', runId: 'run-1', server: 'fs', tool: 'read_file' }),
  { writes: 'ting\u001B[0m\nand ' },
  step('demo/a', 'tool.returned', { callId: 'c-1' }),
  step('demo/a', 'help.requested', {
    requestId: 'q-1',
    kind: 'help',
    question: 'Which port?',
    origin: asked,
  }),
  step('demo/a', 'help.answered', { requestId: 'q-1', response: '8080', by: 'ada', via: 'tui' }),
  step('demo/a', 'help.delivered', { requestId: 'q-1', to: 'run-1' }),
  { writes: 'on\n' },
  step('demo/a', 'tool.requested', { callId: 'call-1', runId: 'run-1', server: 'fs', tool: 'write_file' }),
  step('demo/a', 'help.requested', {
    requestId: 'q-2',
    kind: 'approval',
    question: 'Allow it?',
    approval,
    origin: asked,
  }),
  step('demo/a', 'help.answered', {
    requestId: 'q-2',
    response: 'no',
    verdict: 'denied',
    by: 'ada',
    via: 'tui',
  }),
  step('demo/a', 'tool.denied', { callId: 'call-1' }),
  step('demo/a', 'agent.exited', { runId: 'run-1' }),
  step('demo/a', 'task.retried', { attempt: 2 }),
  ...started('run-2', 2),
  { writes: 'Again\n' },
  step('demo/a', 'agent.usage', { runId: 'run-2' }),
  step('demo/b', 'task.skipped', { by: 'ada', reason: 'not now' }),
  step('demo/a', 'task.completed', { runId: 'run-2', by: 'agent' }),
  step('demo/a', 'agent.exited', { runId: 'run-2' }),
];

/** What a task has made is committed. */
const committed = (git: TestGit): Step => ({
  async record(project) {
    git.write({ 'src/a.ts': 'made\n' });
    git.commitAll('a');
    const sha = git('rev-parse', 'HEAD');
    const [stored] = await project.record(stream, [on('demo/a', 'task.committed', { sha })]);
    if (!stored) throw new Error('the commit was not appended');
    return stored;
  },
});

/** A run that is played: its project, its tasks, and what happens in it. */
export type Played = {
  readonly project: Project;
  readonly tasks: readonly string[];
  readonly steps: readonly Step[];
};

/** A run with a denied call, a failed attempt, a skipped task and a commit. */
export async function made(): Promise<Played> {
  const { root, project } = await projectWithSprint();
  const git = makeRepository(root);
  git.commitAll();
  const steps = [...run, committed(git), step('demo', 'sprint.completed', {})];
  return { project, tasks: ['a', 'b'], steps };
}

const recording = join(import.meta.dirname, '../../../.clifford');

/** The sprint that was recorded of the demo, event by event; its transcripts have the names of today. */
export async function recorded(): Promise<Played> {
  const root = await tempRoot();
  await cp(join(recording, 'sprints'), join(root, '.clifford/sprints'), { recursive: true });
  const project = await openTestProject(root);
  const lines = (await readFile(join(recording, 'events.jsonl'), 'utf8')).trimEnd().split('\n');
  const steps = lines.flatMap((line): Step[] => {
    const event = JSON.parse(line.replace(/(transcripts\/run-[\w-]+)\.log/, '$1.cast')) as StoredEvent;
    const played = recordOf(event);
    return event.type === 'agent.connected' ? [played, { writes: 'Reading\nit\n' }] : [played];
  });
  return { project, tasks: ['module', 'program', 'changelog'], steps };
}
