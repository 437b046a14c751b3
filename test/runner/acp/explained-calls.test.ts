import { expect, it } from 'vitest';
import { approve } from '../../../src/workflow/requests/approval.ts';
import { explainFirst } from '../../../src/workflow/requests/explain-first.ts';
import { requestById } from '../../../src/workflow/requests/find-request.ts';
import { startRun } from '../../helpers/sprint-run.ts';
import { acpSprint, done, human, openCall } from '../support/acp-sprint.ts';

it('a call that a human asks about is refused, the agent reads the question, and what it says then is shown', async () => {
  const again = { run: 'touch made' };
  const { root, project, has, prompts } = await acpSprint([again, { says: 'It has to be there.' }, again]);
  const { ended } = startRun(root, {});
  const first = await openCall(project);
  await explainFirst(project, first, { ...human, question: 'What is it for?' });
  await project.until(({ streams }) => (streams.get('demo')?.requests.size === 2 ? true : undefined));
  expect(has('made')).toBe(false);
  const second = await openCall(project);
  expect(requestById(project.state, second)?.asked.approval?.explanation).toEqual({
    question: 'What is it for?',
    words: 'At work.It has to be there.',
  });
  await approve(project, second, { ...human, scope: 'once' });
  expect(await ended).toEqual(done);
  expect(has('made')).toBe(true);
  expect((await prompts())[1]).toContain('What is it for?');
});
