import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { verifyLog } from '../../src/cli/history/verify-log.ts';
import { taskKind } from '../../src/machines/kinds.ts';
import type { SprintState } from '../../src/machines/project-state.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { completeSprint } from '../../src/workflow/sprint/complete-sprint.ts';
import { skipTask } from '../../src/workflow/sprint/control.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { approve, askApproval, claimApproval } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import type { Folded } from '../../src/workflow/project/snapshot-cache.ts';
import { approval } from '../helpers/approval.ts';
import { forgeSnapshot, snapshotFile } from '../helpers/forge-snapshot.ts';
import { on } from '../helpers/history.ts';
import { openTestProject, projectWithSprint, writeSprint } from '../helpers/temp-project.ts';

const agent = { id: 'session-1', client: 'opencode' };
const me = { by: 'me', via: 'cli' };

const demoIn = ({ state }: Pick<Folded, 'state'>): SprintState => {
  const sprint = state.streams.get('demo');
  if (!sprint) throw new Error('There is no sprint demo');
  return sprint;
};
const logOf = (root: string) => join(root, '.clifford', 'events.jsonl');
const taskName = (project: Project, id: string) =>
  nameOf(demoIn(project).tasks.get(id)?.machine.value ?? 'missing');

/** The log is whole, whatever the snapshot says. */
async function expectWholeLog(root: string): Promise<void> {
  await rm(snapshotFile(root), { force: true });
  await verifyLog(logOf(root));
}

describe('a snapshot that somebody wrote', () => {
  it('cannot give a used yes to another call', async () => {
    const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
    const call = { stream, taskId: 'a', agent, approval };
    const { id } = await askApproval(project, call);
    await approve(project, id, { ...me, scope: 'once' });
    expect(await claimApproval(project, { stream, id, taskId: 'a' }, 'call-1')).toBe(true);
    await forgeSnapshot(root, (folded) => {
      const request = demoIn(folded).requests.get(id);
      if (request) delete request.usedBy;
    });
    const second = await openTestProject(root);
    expect(requestById(second.state, id)?.usedBy).toBeUndefined();
    expect(await claimApproval(second, { stream, id, taskId: 'a' }, 'call-2')).toBe(false);
    expect(await askApproval(second, call)).toMatchObject({ phase: 'open' });
  });

  it('cannot answer a question', async () => {
    const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
    const question = { stream, agent, kind: 'help', task: 'a', question: 'May I?' } as const;
    const { id } = await ask(project, question);
    await forgeSnapshot(root, (folded) => {
      const request = demoIn(folded).requests.get(id);
      if (!request) return;
      request.phase = 'answered';
      request.answer = { ...me, response: 'Of course', at: request.askedAt };
    });
    expect(await ask(await openTestProject(root), question)).toMatchObject({ id, phase: 'open' });
  });

  it.each([
    ['of a stream that is longer', { demo: { version: 41, hash: 'x' } }],
    ['of none', {}],
  ])('with heads %s cannot damage the log', async (_what, heads) => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
    await skipTask(project, { stream: 'demo', by: 'me', taskId: 'a' });
    await forgeSnapshot(root, ({ checkpoint }) => ({ checkpoint: { ...checkpoint, heads } }));
    const second = await openTestProject(root);
    await second.record('demo', [on('demo', 'tool.requested')]);
    await skipTask(second, { stream: 'demo', by: 'me', taskId: 'b' });
    expect(demoIn(second).version).toBe(4);
    await expectWholeLog(root);
  });

  it('with heads of another length does not end those who follow', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
    const heads = { demo: { version: 41, hash: 'x' } };
    await forgeSnapshot(root, ({ checkpoint }) => ({ checkpoint: { ...checkpoint, heads } }));
    const second = await openTestProject(root);
    const skipped = second.until(() => (taskName(second, 'b') === 'done.skipped' ? true : undefined));
    await skipTask(project, { stream: 'demo', by: 'me', taskId: 'b' });
    expect(await skipped).toBe(true);
  });

  it.each([1, 7])('of a stream at version %i cannot keep a decision from being made', async (version) => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
    await skipTask(project, { stream: 'demo', by: 'me', taskId: 'a' });
    await forgeSnapshot(root, (folded) => void (demoIn(folded).version = version));
    await skipTask(await openTestProject(root), { stream: 'demo', by: 'me', taskId: 'b' });
    await expectWholeLog(root);
  });

  it('cannot have a decision made that the machines do not allow', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
    await skipTask(project, { stream: 'demo', by: 'me', taskId: 'a' });
    await forgeSnapshot(root, (folded) => {
      const { tasks } = demoIn(folded);
      const task = tasks.get('a');
      if (task) tasks.set('a', { ...task, machine: taskKind.create() });
    });
    const second = await openTestProject(root);
    expect(taskName(second, 'a')).toBe('pending');
    const started = setTaskStatus(second, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await expect(started).rejects.toMatchObject({ code: 'ILLEGAL' });
    expect(taskName(second, 'a')).toBe('done.skipped');
    await expectWholeLog(root);
  });

  it('is found out while others write and somebody follows: no event is lost', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
    await project.record(
      'demo',
      Array.from({ length: 2_000 }, () => on('demo', 'tool.requested')),
    );
    await forgeSnapshot(root, (folded) => void (demoIn(folded).toolCalls = 0));
    const second = await openTestProject(root);
    const followed = second.until((state) => (demoIn({ state }).toolCalls === 2_020 ? true : undefined));
    const confirmed = second.confirm('demo');
    for (let round = 0; round < 20; round += 1) await project.record('demo', [on('demo', 'tool.requested')]);
    await confirmed;
    expect(await followed).toBe(true);
  });
});

describe('a snapshot that cannot be one', () => {
  /** A sprint that is over and another one, in a log of a few lines; what is true of them. */
  async function twoSprints(): Promise<{ root: string; expectTruth: () => Promise<void> }> {
    const { root, project } = await projectWithSprint({ tasks: ['a'] });
    const { id } = await ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question: 'Which?' });
    await answerRequest(project, id, { ...me, response: 'That one' });
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
    await completeSprint(project, { stream: 'demo', by: 'me' });
    await project.record('adhoc', [on('adhoc', 'tool.requested')]);
    await writeSprint(root, { id: 'next' });
    const expectTruth = async () => {
      const again = await openTestProject(root);
      // A stream that is none is found out when somebody asks for it; then the whole log is read.
      const answer = await again.until((state) => requestById(state, id)?.answer);
      expect(again.state.streams.get('adhoc')?.toolCalls).toBe(1);
      expect(answer.response).toBe('That one');
      expect(taskName(again, 'a')).toBe('done.completed');
    };
    return { root, expectTruth };
  }

  /** Changes the text of a snapshot, and makes it whole again. */
  async function rewrite(root: string, change: (text: string) => string): Promise<void> {
    const bytes = await readFile(snapshotFile(root));
    const text = bytes.subarray(bytes.indexOf('\n') + 1).toString('latin1');
    const changed = Buffer.from(change(text), 'latin1');
    expect(changed.toString('latin1')).not.toBe(text);
    await writeFile(snapshotFile(root), Buffer.concat([Buffer.from(`${crc32(changed)}\n`), changed]));
  }

  it.each<[what: string, change: (text: string) => string]>([
    ['with a field of another type', (text) => text.replace('"toolCalls":1,', '"toolCalls":"",')],
    ['with a stream that is no JSON', (text) => text.replace('{"id":"adhoc"', '{"id":adhoc""')],
    ['with a header that is no JSON', (text) => `{${text}`],
    [
      'with a compressed stream that cannot be restored',
      (text) => text.replace(/(\n\["[^"]*"\])[^]{20}/, `$1${'x'.repeat(20)}`),
    ],
    ['with nonsense at its end', (text) => `${text.slice(0, -400)}${'x'.repeat(400)}`],
    ['that ends early', (text) => text.slice(0, -30)],
  ])('%s is none', async (_what, change) => {
    const { root, expectTruth } = await twoSprints();
    await forgeSnapshot(root, () => undefined);
    await rewrite(root, change);
    await expectTruth();
  });

  it('with a state that no machine has is none once something happens', async () => {
    const { root } = await twoSprints();
    await forgeSnapshot(root, (folded) => {
      const adhoc = folded.state.streams.get('adhoc');
      if (adhoc) Object.assign(adhoc, { machine: { value: 'nowhere', context: adhoc.machine.context } });
    });
    const again = await openTestProject(root);
    await again.record('adhoc', [on('adhoc', 'sprint.paused')]);
    expect(again.state.streams.get('adhoc')?.toolCalls).toBe(1);
  });

  it.each<[what: string, make: (file: string) => Promise<unknown>]>([
    ['a folder', (file) => mkdir(file)],
    ['a named pipe', async (file) => execFileSync('mkfifo', [file])],
    ['a link', (file) => symlink(`${file}.there`, file)],
    ['of 8 GB', (file) => writeFile(file, '').then(() => truncate(file, 2 ** 33))],
  ])('since it is %s is none', async (_what, make) => {
    const { root, expectTruth } = await twoSprints();
    await forgeSnapshot(root, ({ state }) => {
      const adhoc = state.streams.get('adhoc');
      if (adhoc) adhoc.toolCalls = 7;
    });
    const file = snapshotFile(root);
    await rename(file, `${file}.there`);
    await make(file);
    await expectTruth();
  });
});
