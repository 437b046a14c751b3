import { expect, it } from 'vitest';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { recordDelivery } from '../../src/workflow/requests/deliver.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { approval } from '../helpers/approval.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

const ofAgent = { stream: 'demo', taskId: 'a', agent: { id: 'run-1', client: 'x' }, approval };

it('clifford explain sends a call back, and its card shows what the agent says then', async () => {
  const { root, project } = await projectWithSprint();
  const request = await askApproval(project, ofAgent);
  const { id } = request;
  expect((await clifford(['questions'], { cwd: root })).out).toContain(
    `ask first with: clifford explain ${id} "…"`,
  );
  const asAgent = { cwd: root, env: { CLIFFORD_RUN_ID: 'run-1' } };
  expect((await clifford(['explain', id, 'Why?'], asAgent)).err).toContain('a human decides');
  expect(await clifford(['explain', 'last', '-'], { cwd: root, input: 'What\u001b[2K for?\n' })).toEqual({
    code: 0,
    signal: null,
    out:
      `asked about ${id}: fs write_file: What\\u001b[2K for?\n` +
      'it does not run for now; you are asked again when the agent makes the same call\n',
    err: '',
  });
  expect(requestById(await project.refresh(), id)?.answer).toMatchObject({
    verdict: 'questioned',
    by: 'ada',
  });
  expect((await clifford(['approve', id], { cwd: root })).err).toContain(
    'ada asked about it first in the shell',
  );
  expect((await clifford(['replay'], { cwd: root })).out).toContain(
    'ada asked about it first in the shell: What',
  );
  expect((await clifford(['questions', '--all'], { cwd: root })).out).toContain(
    'asked about it first by ada',
  );

  await recordDelivery(project, [request], 'run-1');
  await askApproval(project, { ...ofAgent, said: 'To have it.\u202E\nReally.' });
  const { out } = await clifford(['questions'], { cwd: root });
  expect(out).toContain('    Asked     What\\u001b[2K for?\n');
  expect(out).toContain('    It says   To have it.\\u202e\n              Really.\n');
});

it('clifford explain says that an agent behind an editor hears only a no', async () => {
  const { root, project } = await projectWithSprint();
  const own = { ...approval, server: '@x', tool: 'execute', isOwn: true } as const;
  const { id } = await askApproval(project, { stream: 'adhoc', agent: { id: 'editor-1' }, approval: own });
  expect((await clifford(['explain', id], { cwd: root })).out).toContain(
    'it does not run: the agent in the editor hears only a no, and you ask it there\n',
  );
});
