import { describe, expect, it } from 'vitest';
import { explainFirst, WHY } from '../../src/workflow/requests/explain-first.ts';
import { askApproval, approve, claimApproval } from '../../src/workflow/requests/approval.ts';
import { recordDelivery } from '../../src/workflow/requests/deliver.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { replyText } from '../../src/workflow/requests/reply-text.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { approval } from '../helpers/approval.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

const human = { by: 'ann', via: 'cli' };

const asked = (project: Project, run: string, said?: string) =>
  askApproval(project, { stream: 'demo', taskId: 'a', agent: { id: run, client: 'x' }, approval, said });

describe('a call that a human asks about first', () => {
  it('does not run, and comes back with the question and what the agent has said', async () => {
    const { project } = await projectWithSprint();
    const first = await asked(project, 'run-1', 'I begin.');
    expect(first.asked.approval?.explanation).toBeUndefined();
    await explainFirst(project, first.id, { ...human, question: 'Why this file?' });
    const ended = requestById(project.state, first.id) ?? first;
    expect(ended.answer).toMatchObject({ verdict: 'questioned', response: 'Why this file?' });
    expect(await claimApproval(project, ended, 'call-1')).toBe(false);
    expect(replyText(ended)).toContain('Why this file?');
    // Until the agent has the question it hears it, and nobody is asked.
    expect((await asked(project, 'run-1')).id).toBe(first.id);
    await recordDelivery(project, [ended], 'run-1');
    const token = `sk-${'x1'.repeat(20)}`;
    const again = await asked(project, 'run-1', ` Since it is missing: ${token}\n`);
    expect(again.asked).toMatchObject({
      follows: first.id,
      approval: {
        explanation: { question: 'Why this file?', words: expect.stringMatching(/^Since it is missing: \[/) },
      },
    });
    expect(JSON.stringify(again.asked)).not.toContain(token);
    await approve(project, again.id, { ...human, scope: 'once' });
    expect(await claimApproval(project, again, 'call-2')).toBe(true);
    expect((await asked(project, 'run-1', 'x')).asked.approval?.explanation).toBeUndefined();
  });

  it('says so when the agent has said nothing, and asks why when the human asks nothing', async () => {
    const { project } = await projectWithSprint();
    const { id } = await asked(project, 'run-1');
    await explainFirst(project, id, { ...human, question: ' ' });
    expect(requestById(project.state, id)?.answer?.response).toBe(WHY);
    // The attempt after it hears the question, too.
    const heard = await asked(project, 'run-2');
    expect(heard.id).toBe(id);
    await recordDelivery(project, [heard], 'run-2');
    expect((await asked(project, 'run-2')).asked.approval?.explanation).toEqual({ question: WHY, words: '' });
  });

  it('is one that somebody else has not decided, and a call', async () => {
    const { project } = await projectWithSprint();
    const { id } = await asked(project, 'run-1');
    await approve(project, id, { ...human, scope: 'once' });
    expect(await explainFirst(project, id, human)).toMatchObject({ accepted: false });
    expect(requestById(project.state, id)?.answer?.verdict).toBe('approved');
    const question = await ask(project, {
      stream: 'demo',
      agent: { id: 'x' },
      kind: 'help',
      question: 'Why?',
    });
    await expect(explainFirst(project, question.id, human)).rejects.toMatchObject({
      code: 'NOT_AN_APPROVAL',
    });
    expect(await explainFirst(project, 'q-none', human)).toEqual({ accepted: false, request: undefined });
  });
});
