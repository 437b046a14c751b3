import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { startClifford } from '../../helpers/clifford-process.ts';
import { ELSEWHERE, hasNamespaces, inNetworkOf, otherNetwork } from '../../helpers/namespaces.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

/** Sends a request from an address, and prints what comes back. */
const program = `
const [url, localAddress, token, body] = process.argv.slice(1);
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
const method = body === undefined ? 'GET' : 'POST';
require('node:http').request(url, { localAddress, method, headers }, (response) => {
  let text = '';
  response.on('data', (bytes) => (text += bytes));
  response.on('end', () => console.log(JSON.stringify({ status: response.statusCode, body: JSON.parse(text) })));
}).end(body);
`;

/** A page, served to other machines, on which a call waits; and what sends requests to it. */
async function servedToOthers(more: readonly string[] = [], call: Partial<Approval> = {}) {
  const { root, project } = await projectWithSprint();
  const { id } = await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: 'a1', client: 'codex' },
    approval: { ...approval, ...call },
  });
  const args = ['serve', '--port', '0', '--host', '0.0.0.0', '--json', ...more];
  const { printed, pid } = startClifford(args, {
    cwd: root,
    env: { XDG_STATE_HOME: root },
    by: otherNetwork,
  });
  const [line] = await printed(/^\{.*\}$/m);
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const { port } = new URL(url);
  const send = async (from: string, path: string, body?: object) => {
    const sent = [`http://127.0.0.1:${port}${path}`, from, token];
    const node = [process.execPath, '-e', program, ...sent, ...(body ? [JSON.stringify(body)] : [])];
    const [file = '', ...rest] = [...inNetworkOf(pid), ...node];
    const { stdout } = await promisify(execFile)(file, rest);
    return JSON.parse(stdout) as { status: number; body: Record<string, unknown> };
  };
  const answer = () => project.until((state) => state.streams.get('demo')?.requests.get(id)?.answer);
  return { send, answer, approve: `/api/questions/${id}/approve` };
}

describe.runIf(hasNamespaces)('a yes that stands from now on', () => {
  const always = { scope: 'always' };

  it('is neither offered to another machine nor taken from there, where a yes for once is', async () => {
    const { send, answer, approve } = await servedToOthers();
    expect(await send(ELSEWHERE, '/api/state')).toMatchObject({ body: { reader: { mayAlways: false } } });
    expect(await send(ELSEWHERE, approve, always)).toMatchObject({
      status: 403,
      body: { error: { code: 'ALWAYS_REFUSED', fix: expect.stringContaining('--allow-always') } },
    });
    expect(await send(ELSEWHERE, approve, { scope: 'once' })).toMatchObject({ status: 200 });
    expect(await answer()).toMatchObject({ verdict: 'approved', scope: 'once' });
  });

  it('is taken from the machine of the project meanwhile', async () => {
    const { send, answer, approve } = await servedToOthers();
    expect(await send('127.0.0.1', '/api/state')).toMatchObject({ body: { reader: { mayAlways: true } } });
    expect(await send('127.0.0.1', approve, always)).toMatchObject({ status: 200 });
    expect(await answer()).toMatchObject({ verdict: 'approved', scope: 'always' });
  });

  it('is taken from another machine where that was allowed', async () => {
    const { send, answer, approve } = await servedToOthers(['--allow-always']);
    expect(await send(ELSEWHERE, '/api/state')).toMatchObject({ body: { reader: { mayAlways: true } } });
    expect(await send(ELSEWHERE, approve, always)).toMatchObject({ status: 200 });
    expect(await answer()).toMatchObject({ verdict: 'approved', scope: 'always' });
  });
});

describe.runIf(hasNamespaces)('what is hidden of a call', () => {
  it('is shown on the machine of the project, and to no other one without TLS', async () => {
    const { send, approve } = await servedToOthers();
    const reveal = approve.replace(/approve$/, 'reveal');
    expect(await send(ELSEWHERE, reveal, {})).toMatchObject({
      status: 403,
      body: { error: { code: 'NOT_PRIVATE' } },
    });
    expect(await send('127.0.0.1', reveal, {})).toMatchObject({ status: 200 });
  });
});

describe.runIf(hasNamespaces)('a yes to a call that names files', () => {
  const own = {
    server: '@claude',
    tool: 'edit',
    isOwn: true,
    args: { path: 'a.txt', content: 'x\ny\n' },
  } as const;

  it('is one to its arguments from another machine without TLS, which is told no files, and says so', async () => {
    const { send, answer, approve } = await servedToOthers([], own);
    const questions = await send(ELSEWHERE, '/api/questions');
    expect(questions.body['questions']).toMatchObject([{ comparison: 'withheld' }]);
    expect(JSON.stringify(questions)).not.toContain('"seen"');
    expect(await send('127.0.0.1', approve, {})).toMatchObject({
      status: 428,
      body: { error: { code: 'FILES_UNSEEN' } },
    });
    expect(await send(ELSEWHERE, approve, {})).toMatchObject({ status: 200 });
    expect(await answer()).toMatchObject({ verdict: 'approved', scope: 'once' });
  });
});
