import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { addToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { approval } from '../../helpers/approval.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { codeOf, served } from '../../helpers/web-server.ts';

const agent = { id: 'a1', client: 'codex' };

/** A question, and an answer to it that is sent with a key. */
async function asked(words = 'Which port?') {
  const place = await served();
  const { project, ask: send } = place;
  const question = { stream: 'demo', task: 'a', agent, kind: 'clarification', question: words } as const;
  const { id } = await ask(project, question);
  const answer = (key: string, response = '9090', token?: string) =>
    send(`/api/questions/${id}/answer`, {
      body: { response },
      headers: { 'idempotency-key': key },
      ...(token === undefined ? {} : { token }),
    });
  const answers = async () => (await eventsOf(project)).filter(({ type }) => type === 'help.answered');
  return { ...place, id, answer, answers };
}

it('does what is sent twice with one key once, and replies the same', async () => {
  const { answer, answers } = await asked();
  const [first, second] = await Promise.all([answer('one'), answer('one')]);
  expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
  expect(await answer('one')).toMatchObject({ status: 200, text: first.text });
  expect(await answers()).toHaveLength(1);
});

it('knows it by its key, its body and its caller', async () => {
  const { env, root, answer } = await asked();
  const token = await addToken(env, root, { name: 'ann-phone', may: 'decide' });
  expect((await answer('one')).status).toBe(200);
  expect((await answer('two')).status).toBe(409);
  expect((await answer('one', '8080')).status).toBe(409);
  expect((await answer('one', '9090', token)).status).toBe(409);
});

it('knows it by its question, whatever the server is called by', async () => {
  const { server, ask: send, project, id, answer, answers } = await asked();
  expect((await answer('one')).status).toBe(200);
  const [body, key] = [{ response: '9090' }, { 'idempotency-key': 'one' }];
  const named = { ...key, host: `localhost:${server.port}` };
  expect(await send(`/api/questions/${id}/answer`, { body, headers: named })).toMatchObject({ status: 200 });
  expect(await answers()).toHaveLength(1);
  const question = {
    stream: 'demo',
    task: 'a',
    agent,
    kind: 'clarification',
    question: 'Which host?',
  } as const;
  const other = await ask(project, question);
  await send(`/api/questions/${other.id}/answer`, { body, headers: key });
  expect(await answers()).toHaveLength(2);
});

it('knows it for a minute', async () => {
  const { answer } = await asked();
  expect((await answer('one')).status).toBe(200);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 60_500);
  expect((await answer('one')).status).toBe(409);
});

it('knows no key that is empty or too long', async () => {
  const { answer } = await asked();
  for (const key of ['', 'k'.repeat(65)]) {
    await answer(key);
    expect((await answer(key)).status).toBe(409);
  }
});

it('keeps the last 200 replies', async () => {
  const { ask: send, answer } = await asked();
  const others = async (many: number) => {
    for (let at = 0; at < many; at += 1) {
      const body = { endpoint: 'https://push.example/none' };
      const reply = await send('/api/push/end', { body, headers: { 'idempotency-key': randomUUID() } });
      expect(reply.status).toBe(200);
    }
  };
  expect((await answer('one')).status).toBe(200);
  await others(199);
  expect((await answer('one')).status).toBe(200);
  await others(2);
  expect((await answer('one')).status).toBe(409);
});

it('asks what was refused anew', async () => {
  const { project, ask: send, answer, id, answers } = await asked();
  const [first, second] = await Promise.all([answer('one', ''), answer('one', '')]);
  expect([codeOf(first), codeOf(second)]).toEqual(['ANSWERS_UNFIT', 'ANSWERS_UNFIT']);
  await send(`/api/questions/${id}/dismiss`, { body: {} });
  expect((await answer('one', '')).status).toBe(409);
  expect(await answers()).toEqual([]);
  expect(project.state.streams.get('demo')?.requests.get(id)?.phase).toBe('dismissed');
});

it('keeps nothing that is hidden', async () => {
  const { project, ask: send } = await served();
  const { id } = await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent,
    approval: { ...approval, args: { path: 'a.txt', password: 'hunter2hunter2' } },
  });
  const reveal = () =>
    send(`/api/questions/${id}/reveal`, { body: {}, headers: { 'idempotency-key': 'one' } });
  expect((await reveal()).text).toContain('hunter2hunter2');
  await send(`/api/questions/${id}/deny`, { body: {} });
  expect(codeOf(await reveal())).toBe('NOT_FOUND');
});
