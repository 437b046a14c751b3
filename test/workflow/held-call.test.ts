import { describe, expect, it, onTestFinished } from 'vitest';
import { digestOf } from '../../src/lib/digest.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { holdCall, wholeArguments } from '../../src/workflow/requests/held-call.ts';
import { approval } from '../helpers/approval.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

const agent = { id: 'agent-1', client: 'opencode' };
const token = `sk-${'x1'.repeat(20)}`;
const args = { command: `deploy --token=${token}\n`, password: 'hunter2' };

/** A call that waits for a human, its arguments held by this process. */
async function heldCall(callArgs: unknown = args) {
  const { root, project } = await projectWithSprint();
  const callDigest = digestOf([approval.server, approval.tool, callArgs]);
  const request = await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent,
    approval: { ...approval, args: callArgs, callDigest },
  });
  const release = await holdCall(request, callArgs);
  onTestFinished(release);
  return { root, request, release };
}

describe('the arguments of a call that waits', () => {
  it('are shown whole to the human who asks for it, by the process that has the call', async () => {
    const { root, request } = await heldCall();
    const plain = await clifford(['questions'], { cwd: root });
    expect(plain.out).toContain('Command   deploy --token=[hidden: 43 characters]\n');
    expect(plain.out).toContain('2 values hidden: 50 characters\n');
    expect(plain.out).toContain('see it all with: clifford questions --reveal\n');
    const { out } = await clifford(['questions', '--reveal'], { cwd: root });
    expect(out).toContain(`Command   deploy --token=${token}\n`);
    expect(out).toContain('"password": "hunter2" }\n');
    expect(out).not.toContain('hidden');
    const json = await clifford(['questions', '--reveal', '--json'], { cwd: root });
    expect(JSON.parse(json.out)).toMatchObject([{ id: request.id, revealed: { args } }]);
  });

  it('are shown whole where they are too long for the log', async () => {
    const long = { text: 'x'.repeat(70_000) };
    const { request } = await heldCall(long);
    expect(await wholeArguments(request)).toEqual({ args: long });
  });

  it('are not shown in the shell of an agent', async () => {
    const { root } = await heldCall();
    const env = { CLIFFORD_RUN_ID: 'run-1' };
    const { code, out } = await clifford(['questions', '--reveal'], { cwd: root, env });
    expect({ code, out }).toEqual({ code: 1, out: '' });
  });

  it('are not shown when the call is over, and that is said', async () => {
    const { root, release } = await heldCall();
    release();
    const { out } = await clifford(['questions', '--reveal'], { cwd: root });
    expect(out).toContain('not shown: the process that made the call is gone, or on another machine\n');
    expect(out).not.toContain(token);
  });

  it('are those that run: what another process says in its place is not believed', async () => {
    const { request, release } = await heldCall();
    release();
    onTestFinished(await holdCall(request, { command: 'ls' }));
    expect(await wholeArguments(request)).toBeUndefined();
  });
});
