import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CliffordProject } from '../../src/library/clifford-project.ts';
import { hasProcessTable } from '../../src/lib/processes/process-table.ts';
import { skipTask } from '../../src/workflow/sprint/control.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { approval } from '../helpers/approval.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { connectAgent } from '../mcp/support/connect-agent.ts';
import { eventsOf } from '../mcp/support/project-log.ts';

const library = pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href;
const inAgent = { CLIFFORD_RUN_ID: 'run-1' };
const agent = { id: 'run-1', runId: 'run-1' };

async function heldCall(project: Project, callDigest = approval.callDigest): Promise<string> {
  const call = { stream: 'demo', taskId: 'a', agent: { id: 'other' }, approval: { ...approval, callDigest } };
  return (await askApproval(project, call)).id;
}

async function question(project: Project, options: string[] = []): Promise<string> {
  const asked = {
    stream: 'adhoc',
    agent,
    kind: 'help',
    question: `Which port? ${options.join()}`,
    options,
  } as const;
  return (await ask(project, asked)).id;
}

async function open(root: string, env: Record<string, string> = {}): Promise<CliffordProject> {
  const opened = await CliffordProject.open({ projectRoot: root, by: 'ann', env });
  onTestFinished(() => opened.close());
  return opened;
}

/** Runs a program in a shell of an agent that hides its attempt. Returns what it printed. */
function runHidden(root: string, code: string): Promise<string> {
  const args = ['-c', 'unset CLIFFORD_RUN_ID; "$@"; exit $?', 'sh', process.execPath];
  const env = { ...process.env, ...inAgent, CLIFFORD_PROJECT_ROOT: root };
  return new Promise((resolve, reject) => {
    const child = execFile('sh', [...args, '--input-type=module', '-e', code], { env }, (error, out, err) => {
      if (error) reject(new Error(err, { cause: error }));
      else resolve(out);
    });
    child.stdin?.end();
  });
}

describe('CliffordProject in a process of an agent', () => {
  it.each<[what: string, act: (opened: CliffordProject, id: string) => Promise<unknown>]>([
    ['approve', (opened, id) => opened.approve(id)],
    ['approve', (opened, id) => opened.answer(id, 'yes')],
    ['approve', (opened, id) => opened.approveEdited(id, { args: { path: 'b' } })],
    ['approve', (opened, id) => opened.approveAll([id])],
    ['ask about', (opened, id) => opened.explain(id)],
    ['retry', (opened) => opened.retry({ task: 'b' })],
    ['retry', (opened) => opened.retry()],
  ])('refuses to %s, as the command line does', async (what, act) => {
    const { root, project } = await projectWithSprint();
    const id = await heldCall(project);
    await skipTask(project, { stream: 'demo', taskId: 'b', by: 'ann' });
    const before = project.state.streams.get('demo')?.version;
    await expect(act(await open(root, inAgent), id)).rejects.toMatchObject({
      code: 'NOT_A_HUMAN',
      message: expect.stringMatching(`^Cannot ${what}.* \\(run run-1\\), and a human decides$`),
    });
    expect((await project.refresh()).streams.get('demo')?.version).toBe(before);
  });

  it('records what it may decide as decided by the agent', async () => {
    const { root, project } = await projectWithSprint();
    const [answered, rejected, dismissed, denied, deniedToo] = [
      await question(project),
      await question(project, ['8080']),
      await question(project, ['9090']),
      await heldCall(project),
      await heldCall(project, 'another'),
    ];
    const opened = await open(root, inAgent);
    await opened.answer(answered, '8080');
    await opened.reject(rejected, 'Out of scope');
    await opened.dismiss(dismissed);
    await opened.deny(denied);
    await opened.denyAll([deniedToo]);
    await project.refresh();
    const ends = [
      ...(await eventsOf(project, 'help.answered')),
      ...(await eventsOf(project, 'help.dismissed')),
    ];
    expect(ends.map(({ data, source }) => [data.by, source])).toEqual(
      ends.map(() => ['agent:run-1', '/clifford/api']),
    );
    expect(ends).toHaveLength(5);
    expect(await opened.answer(answered, '1')).toMatchObject({ because: 'answered', by: 'agent:run-1' });
  });

  it.skipIf(!hasProcessTable)('is known by the processes it descends from', async () => {
    const { root, project } = await projectWithSprint();
    const [held, asked] = [await heldCall(project), await question(project)];
    const out = await runHidden(
      root,
      `const { CliffordProject } = await import('${library}');
       const project = await CliffordProject.open({ by: 'ann', env: {}, projectRoot: process.env.CLIFFORD_PROJECT_ROOT });
       console.log(await project.approve('${held}').catch(({ code }) => code));
       await project.answer('${asked}', '8080');
       await project.close();`,
    );
    expect(out).toBe('NOT_A_HUMAN\n');
    await project.refresh();
    expect(requestById(project.state, held)?.phase).toBe('open');
    expect(requestById(project.state, asked)?.answer).toMatchObject({ by: 'agent:run-1', via: 'api' });
  });
});

describe('CliffordProject of a person', () => {
  it('has a source of its own', async () => {
    const { root, project } = await projectWithSprint();
    const opened = await open(root);
    await opened.approve(await heldCall(project));
    const [answered] = await eventsOf(project, 'help.answered');
    expect(answered).toMatchObject({ source: '/clifford/api', data: { by: 'ann', via: 'api' } });
  });
});

describe('CliffordMcpServer in a process of an agent', () => {
  it('answers as the agent, and allows no call', async () => {
    const { root, project } = await projectWithSprint();
    const held = await heldCall(project);
    const { server } = await connectAgent(root, { env: inAgent, by: 'ann' });
    await expect(server.answer(held, 'yes')).rejects.toMatchObject({ code: 'NOT_A_HUMAN' });

    const problem = new Promise((resolve) => server.once('error', resolve));
    expect(server.resolveCurrentBlock('yes')).toBe(true);
    expect(await problem).toMatchObject({ code: 'NOT_A_HUMAN' });
    expect(requestById(await project.refresh(), held)?.phase).toBe('open');

    const dismissed = new Promise((resolve) => server.once('block-dismissed', resolve));
    expect(server.dismissCurrentBlock()).toBe(true);
    await dismissed;
    const asked = await question(project);
    expect(await server.answer(asked, '8080')).toMatchObject({ accepted: true });
    await project.refresh();
    expect(requestById(project.state, held)?.dismissal).toMatchObject({ by: 'agent:run-1', via: 'api' });
    expect(requestById(project.state, asked)?.answer).toMatchObject({ by: 'agent:run-1', via: 'api' });
  });

  it('of a person has the source of the library', async () => {
    const { root, project } = await projectWithSprint();
    const asked = await question(project);
    const { server } = await connectAgent(root, { by: 'ann' });
    await server.answer(asked, '8080');
    const [answered] = await eventsOf(project, 'help.answered');
    expect(answered).toMatchObject({ source: '/clifford/api', data: { by: 'ann', via: 'api' } });
  });

  it('is told of nothing that was typed at a prompt', async () => {
    const { root, project } = await projectWithSprint();
    const about = { stream: 'adhoc', agent, question: 'Password:' } as const;
    const { id } = await ask(project, { ...about, kind: 'prompt' });
    const { server } = await connectAgent(root, { by: 'ann' });
    const resolved = new Promise((resolve) => server.once('block-resolved', resolve));
    await answerRequest(project, id, { response: 'sonnen_blume9', by: 'bob', via: 'cli' });
    const hidden = "[not shown: it answers a program's prompt]";
    expect(await resolved).toMatchObject({ requestId: id, response: hidden });
    const late = { accepted: false, because: 'answered', by: 'bob', response: hidden };
    expect(await server.answer(id, 'me too')).toEqual(late);
    expect(await (await open(root)).answer(id, 'me too')).toEqual(late);
  });

  it('records which option its words choose', async () => {
    const { root, project } = await projectWithSprint();
    const [one, two] = [await question(project, ['8080', '9090']), await question(project, ['no', 'Yes'])];
    const { server } = await connectAgent(root, { by: 'ann' });
    await server.answer(one, '9090');
    const resolved = new Promise((resolve) => server.once('block-resolved', resolve));
    expect(server.resolveCurrentBlock('yes')).toBe(true);
    await resolved;
    await project.refresh();
    expect(requestById(project.state, one)?.answer).toMatchObject({ response: '9090', option: 1 });
    expect(requestById(project.state, two)?.answer).toMatchObject({ response: 'yes', option: 1 });
  });
});
