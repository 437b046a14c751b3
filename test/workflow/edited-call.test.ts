import { describe, expect, it } from 'vitest';
import { CliffordError } from '../../src/errors.ts';
import type { Approval } from '../../src/events/approval.ts';
import { digestOf } from '../../src/lib/digest.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { approve, askApproval, claimApproval, deny } from '../../src/workflow/requests/approval.ts';
import { dismissRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { approveEdited, wordFor } from '../../src/workflow/requests/edited-call.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { closedBy } from '../../src/workflow/requests/outcome-text.ts';
import { replyText } from '../../src/workflow/requests/reply-text.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { approval } from '../helpers/approval.ts';
import { openTestProject, projectWithSprint } from '../helpers/temp-project.ts';

const human = { by: 'ann', via: 'cli' };
const agent = { id: 'run-1', client: 'opencode' };
const args = { path: 'notes.txt', content: 'bye' };
const digest = (of: unknown) => digestOf(['fs', 'write_file', of]);
const isOwn = { isOwn: true } as const;

async function asked(project: Project, over: Partial<Approval> = {}, taskId: string | undefined = 'a') {
  const callDigest = digest(over.args ?? approval.args);
  return askApproval(project, {
    stream: 'demo',
    taskId,
    agent,
    approval: { ...approval, callDigest, ...over },
  });
}

describe('a call that a human changes', () => {
  it.each([
    ['a server’s', {}, 'yes'],
    ['an agent’s own', isOwn, 'no'],
    ['the reading of a resource', { definitionDigest: 'method resources/read' }, 'no'],
  ] as const)('where it is %s', async (_what, over, asItWas) => {
    const { project } = await projectWithSprint();
    const request = await asked(project, over);
    expect(await approveEdited(project, request.id, { ...human, args })).toMatchObject({ accepted: true });
    const ended = requestById(project.state, request.id) ?? request;
    expect(ended.answer).toMatchObject({ verdict: 'edited', edited: { args, callDigest: digest(args) } });
    expect(wordFor(ended, digest(approval.args))).toBe(asItWas);
    expect(wordFor(ended, digest(args))).toBe('yes');
    expect(wordFor(ended, digest({ ...args, mode: 7 }))).toBe('no');
    expect(replyText(ended)).toContain(JSON.stringify(args));
    expect(closedBy(ended)).toContain('ann allowed it as changed in the shell');
    // The changed one takes the yes, and one call alone.
    expect((await asked(project, { ...over, args })).id).toBe(request.id);
    expect(await claimApproval(project, ended, 'call-2')).toBe(true);
    expect(await claimApproval(project, ended, 'call-3')).toBe(false);
    expect((await asked(project, { ...over, args })).id).not.toBe(request.id);
  });

  it('is allowed no longer than its task goes on', async () => {
    const { project } = await projectWithSprint();
    const { id } = await asked(project, isOwn);
    await approveEdited(project, id, { ...human, args });
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
    const ended = requestById(await project.refresh(), id);
    expect(ended?.hasLapsed).toBe(true);
    expect(ended && (await claimApproval(project, ended, 'call-2'))).toBe(false);
    expect(ended && replyText(ended)).toContain('its task has ended since');
    for (const over of [{}, { args }]) expect((await asked(project, { ...isOwn, ...over })).id).not.toBe(id);
  });

  it('is the same call of the same tool only: another definition asks', async () => {
    const { project } = await projectWithSprint();
    const { id } = await asked(project);
    await approveEdited(project, id, { ...human, args });
    expect((await asked(project, { args, definitionDigest: 'definition-2' })).id).not.toBe(id);
    expect((await asked(project, { args }, 'b')).id).not.toBe(id);
  });

  it('is changed whole or not at all', async () => {
    const { project } = await projectWithSprint();
    const secret = `sk-${'x1'.repeat(20)}`;
    const code = async (promise: Promise<unknown>) => {
      const [how] = await Promise.allSettled([promise]);
      return how.status === 'rejected' && how.reason instanceof CliffordError ? how.reason.code : 'done';
    };
    const hidden = await asked(project, { args: { path: secret } });
    const open = await asked(project);
    const question = await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Why?' });
    expect(await code(approveEdited(project, hidden.id, { ...human, args }))).toBe('EDIT_HIDDEN');
    const edits = [
      [open.id, { path: secret }, 'EDIT_SECRET'],
      [open.id, { path: 'x'.repeat(70_000) }, 'EDIT_SECRET'],
      [open.id, { content: 'hello', path: 'notes.txt' }, 'EDIT_SAME'],
      [question.id, args, 'NOT_AN_APPROVAL'],
    ] as const;
    for (const [id, to, expected] of edits)
      expect(await code(approveEdited(project, id, { ...human, args: to }))).toBe(expected);
    expect(requestById(await project.refresh(), open.id)?.phase).toBe('open');
    expect(await approveEdited(project, 'q-none', { ...human, args })).toEqual({
      accepted: false,
      request: undefined,
    });
  });

  it('keeps every character, and the log has them as they were typed', async () => {
    const { root, project } = await projectWithSprint();
    const wild = {
      command: 'echo "\u001b]0;x\u0007" \u202E; rm -rf ~ \ud800',
      ['__proto__']: { a: 1 },
      // What is no key by its form, and hidden everywhere else in the log.
      text: `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(8)}\n`,
    };
    const { id } = await asked(project, { ...isOwn, args: { command: 'ls' } });
    await approveEdited(project, id, { ...human, args: wild });
    const read = requestById((await openTestProject(root)).state, id);
    const kept = requestById(await (await openTestProject(root)).refresh(), id) ?? read;
    expect(JSON.stringify(kept?.answer?.edited?.args)).toBe(JSON.stringify(wild));
    expect(kept && wordFor(kept, digest(wild))).toBe('yes');
  });

  it('has one answer when several people decide at once', async () => {
    const { root, project } = await projectWithSprint();
    for (let round = 0; round < 5; round += 1) {
      const { id } = await asked(project, { ...isOwn, args: { path: `f${round}` } });
      const faces = await Promise.all([1, 2, 3, 4].map(() => openTestProject(root)));
      const [one, two, three, four] = faces;
      if (!one || !two || !three || !four) throw new Error('too few');
      const outcomes = await Promise.all([
        approve(one, id, { by: 'ann', via: 'cli', scope: 'once' }),
        approveEdited(two, id, { by: 'bob', via: 'tui', args }),
        deny(three, id, { by: 'cid', via: 'cli' }),
        dismissRequest(four, id, { by: 'dan', via: 'web' }),
      ]);
      expect(outcomes.filter(({ accepted }) => accepted)).toHaveLength(1);
      const ended = requestById(await project.refresh(), id);
      const words = [digest({ path: `f${round}` }), digest(args)].map(
        (each) => ended && wordFor(ended, each),
      );
      const expected = {
        approved: ['yes', 'no'],
        edited: ['no', 'yes'],
        denied: ['no', 'no'],
        questioned: ['no', 'no'],
      } as const;
      expect(words).toEqual(expected[ended?.answer?.verdict ?? 'denied']);
      if (ended?.answer?.verdict === 'edited') await claimApproval(project, ended, `c${round}`);
    }
  });
});
