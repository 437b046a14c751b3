import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { unreachable } from '../../../src/events/jetstream/jetstream-errors.ts';
import { addToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { askApproval, approve } from '../../../src/workflow/requests/approval.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { writeLandingMark } from '../../../src/workflow/landing/landing-mark.ts';
import { holdCall } from '../../../src/workflow/requests/held-call.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import { formQuestionSchema } from '../../../src/events/form/form.ts';
import { nameOf } from '../../../src/machines/status-words.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import { hasProcessTable } from '../../../src/lib/processes/process-table.ts';
import { approval } from '../../helpers/approval.ts';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { codeOf, served, serveProject } from '../../helpers/web-server.ts';

const agent = { id: 'a1', client: 'codex' };

function question(project: Project, words = 'Which port?', options: string[] = []): Promise<RequestState> {
  return ask(project, {
    stream: 'demo',
    task: 'a',
    agent,
    kind: 'clarification',
    question: words,
    options,
  });
}

function call(
  project: Project,
  args: Record<string, unknown> = { path: 'notes.txt' },
): Promise<RequestState> {
  return askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent,
    approval: { ...approval, args, callDigest: digestOf(['fs', 'write_file', args]) },
  });
}

it('records an answer as any other face does, with who gave it and where', async () => {
  const { ask: send, project } = await served();
  const { id } = await question(project, 'Which port?', ['8080', '9090']);
  const reply = await send(`/api/questions/${id}/answer`, { body: { response: '9090' } });
  expect(reply.json()).toMatchObject({
    text: 'Answered “9090”: its agent is told',
    question: {
      id,
      phase: 'answered',
      closing: { did: 'answered', response: '9090', by: 'ann', via: 'web' },
    },
  });
  const event = (await eventsOf(project)).findLast(({ type }) => type === 'help.answered');
  expect(event).toMatchObject({
    source: '/clifford/web',
    data: { requestId: id, response: '9090', option: 1, by: 'ann', via: 'web' },
  });
});

it('sends nobody what a program has asked for as a secret', async () => {
  const { ask: send, project } = await served();
  const { id } = await ask(project, {
    stream: 'demo',
    task: 'a',
    agent,
    kind: 'prompt',
    question: 'Passwort:',
  });
  await answerRequest(project, id, { response: 'swordfish', by: 'ben', via: 'cli' });
  const paths = [`/api/questions/${id}`, '/api/sprints/demo/events', '/api/sprints/demo/summary'];
  for (const path of paths) {
    const { status, text } = await send(path);
    expect([status, text.includes('swordfish')], path).toEqual([200, false]);
  }
});

it('says what was chosen at a prompt, or why it gets no answer', async () => {
  const { ask: send, project } = await served();
  const at = { stream: 'demo', task: 'a', agent, kind: 'prompt' } as const;
  const chosen = await ask(project, { ...at, question: 'Go on?', options: ['y', 'n'] });
  const turnedDown = await ask(project, { ...at, question: 'Passwort:' });
  const reply = await send(`/api/questions/${chosen.id}/answer`, { body: { response: 'y', option: 0 } });
  expect(reply.json()).toMatchObject({ text: expect.stringContaining('“y”') });
  await answerRequest(project, turnedDown.id, {
    response: 'Use a token',
    rejected: true,
    by: 'ben',
    via: 'cli',
  });
  const closing = async (id: string) => (await send(`/api/questions/${id}`)).json();
  expect(await closing(chosen.id)).toMatchObject({ closing: { response: 'y' } });
  expect(await closing(turnedDown.id)).toMatchObject({ closing: { response: 'Use a token' } });
});

it('says what follows at a prompt that gets no answer: nobody is told, or the next attempt', async () => {
  const { ask: send, project } = await served();
  const at = { stream: 'demo', task: 'a', agent, kind: 'prompt' } as const;
  const texts = [];
  for (const [verb, body] of [
    ['dismiss', {}],
    ['reject', { reason: 'no' }],
  ] as const) {
    const { id } = await ask(project, { ...at, question: `To ${verb}:` });
    texts.push((await send(`/api/questions/${id}/${verb}`, { body })).json()['text']);
  }
  expect(texts).toEqual([
    'Dismissed: nothing is typed, the program waits on until its agent is ended',
    'Turned down: the attempt ends, and the next one is told why',
  ]);
});

it('says what an answer does at a prompt, and what none does where nothing can be typed', async () => {
  const { ask: send, project } = await served();
  const at = { stream: 'demo', task: 'a', agent, kind: 'prompt' } as const;
  const said = async (verb: string, body: object, untypable?: true) => {
    const { id } = await ask(project, { ...at, question: `To ${verb}, ${untypable}:`, untypable });
    return (await send(`/api/questions/${id}/${verb}`, { body })).json()['text'];
  };
  expect(await said('answer', { response: 'x' })).toBe('Answered: it is typed into the program');
  expect(await said('answer', { response: 'x' }, true)).toContain(
    'the attempt ends, and the next one is told',
  );
  expect(await said('dismiss', {}, true)).toBe('Dismissed: nobody is told');
});

it('takes nothing for an answer to no question but a prompt', async () => {
  const { ask: send, project } = await served();
  const { id } = await question(project);
  const reply = await send(`/api/questions/${id}/answer`, { body: { response: '' } });
  expect(reply.json()).toMatchObject({ error: { code: 'ANSWERS_UNFIT' } });
  await send(`/api/questions/${id}/answer`, { body: { response: '80' } });
  expect(await send(`/api/questions/${id}/answer`, { body: { response: '' } })).toMatchObject({
    status: 409,
  });
});

it('says who is told, where no agent asked', async () => {
  const { ask: send, project } = await served();
  const { id } = await ask(project, {
    stream: 'adhoc',
    agent: { id: 'process-1', client: 'clifford ask' },
    kind: 'help',
    question: 'Which port?',
  });
  const reply = await send(`/api/questions/${id}/answer`, { body: { response: '80' } });
  expect(reply.json()).toMatchObject({ text: 'Answered “80”: whoever asked is told' });
});

it.each([
  ['its agent is told where that was ended, to be started again with the answer', true, 'its agent'],
  ['the next attempt is told where its agent is gone', false, 'the next attempt'],
])('says that %s', async (_, isParked, hearer) => {
  const { ask: send, project } = await served({
    processes: { hasRunner: () => false, isAlive: () => false },
  });
  const run = { runId: 'run-1', attempt: 1 };
  await project.record('demo', [
    on('demo', 'sprint.started'),
    on('demo/a', 'task.started', run),
    on('demo/a', 'agent.started', run),
  ]);
  const { id } = await ask(project, {
    stream: 'demo',
    task: 'a',
    agent: { id: run.runId, runId: run.runId },
    kind: 'help',
    question: 'Which port?',
  });
  if (isParked) await project.record('demo', [on('demo/a', 'agent.parked', { runId: run.runId })]);
  await project.record('demo', [on('demo/a', 'agent.exited', { runId: run.runId })]);
  const reply = await send(`/api/questions/${id}/answer`, { body: { response: '80' } });
  expect(reply.json()).toMatchObject({ text: `Answered “80”: ${hearer} is told` });
});

it('names a token as the one who answered with it', async () => {
  const { ask: send, project, env, root } = await served();
  const token = await addToken(env, root, { name: 'ann-phone', may: 'decide' });
  const { id } = await question(project);
  await send(`/api/questions/${id}/answer`, { body: { response: '80' }, token });
  expect(project.state.streams.get('demo')?.requests.get(id)?.answer).toMatchObject({
    by: 'ann-phone',
    via: 'web',
  });
});

it('tells whoever comes second who was first, and what they said', async () => {
  const { ask: send, project } = await served();
  const { id } = await question(project);
  await answerRequest(project, id, { response: '8080', by: 'bob', via: 'cli' });
  const version = project.state.streams.get('demo')?.version;
  for (const [verb, body] of [
    ['answer', { response: '9090' }],
    ['reject', { reason: 'no' }],
    ['dismiss', {}],
  ] as const) {
    const reply = await send(`/api/questions/${id}/${verb}`, { body });
    expect([reply.status, codeOf(reply)]).toEqual([409, 'QUESTION_CLOSED']);
    expect(reply.json()['closing']).toMatchObject({
      did: 'answered',
      response: '8080',
      by: 'bob',
      via: 'cli',
      text: expect.stringContaining('bob answered it in the shell'),
    });
  }
  expect(project.state.streams.get('demo')?.version).toBe(version);
});

it('of two answers at the same moment takes one', async () => {
  const { ask: send, project } = await served();
  const { id } = await question(project);
  const replies = await Promise.all(
    ['80', '81', '82'].map((response) => send(`/api/questions/${id}/answer`, { body: { response } })),
  );
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
});

it('turns a question down, has it put in other words, and dismisses it', async () => {
  const { ask: send, project } = await served();
  const [no, other, none] = [
    await question(project, 'One?'),
    await question(project, 'Two?'),
    await question(project, 'Three?'),
  ];
  await send(`/api/questions/${no.id}/reject`, { body: { reason: 'decide yourself' } });
  await send(`/api/questions/${other.id}/rephrase`, { body: { reason: 'which of the two?' } });
  await send(`/api/questions/${none.id}/dismiss`, { body: {} });
  const requests = project.state.streams.get('demo')?.requests;
  expect(requests?.get(no.id)?.answer).toMatchObject({ rejected: true, response: 'decide yourself' });
  expect(requests?.get(other.id)?.answer).toMatchObject({ rephrase: true, response: 'which of the two?' });
  expect(requests?.get(none.id)?.dismissal).toMatchObject({ by: 'ann', via: 'web' });
});

it('answers the questions of a form, and says which answer does not fit', async () => {
  const form = formQuestionSchema.array().parse(storeForm);
  const { ask: send, project } = await served();
  const { id } = await ask(project, {
    stream: 'demo',
    task: 'a',
    agent,
    kind: 'clarification',
    question: 'The store',
    questions: form,
  });
  const shown = await send(`/api/questions/${id}`);
  expect(shown.json()['questions']).toHaveLength(form.length);
  const wrong = await send(`/api/questions/${id}/answer`, {
    body: { answers: [{ question: 99, options: [] }] },
  });
  expect([wrong.status, codeOf(wrong)]).toEqual([400, 'ANSWERS_UNFIT']);
  const answers = form.map(({ options }, at) => ({
    question: at,
    options: options ? [0] : [],
    ...(options ? {} : { words: 'mine' }),
  }));
  expect(await send(`/api/questions/${id}/answer`, { body: { answers } })).toMatchObject({ status: 200 });
  expect(project.state.streams.get('demo')?.requests.get(id)?.answer?.answers).toHaveLength(form.length);
});

it('takes no option that is not offered, nor one that is not what the response says', async () => {
  const { ask: send, project } = await served();
  const { id } = await question(project, 'Merge?', ['yes', 'no']);
  const refused = async (body: object, of = id) => {
    const { status, text } = await send(`/api/questions/${of}/answer`, { body });
    return [status, (JSON.parse(text) as { error: { message: string } }).error.message];
  };
  const range = 'options count from 0 in the API, here to 1';
  expect(await refused({ response: 'yes', option: 1 })).toEqual([
    400,
    `Cannot answer ${id}: option 1 is “no”, not what its response says: ${range}`,
  ]);
  const alike = await question(project, 'Which region?', ['us', 'us ']);
  const path = `/api/questions/${alike.id}/answer`;
  expect((await send(path, { body: { response: 'us ', option: 1 } })).status).toBe(200);
  expect(await refused({ response: 'no', option: 2 })).toEqual([
    400,
    `Cannot answer ${id}: there is no option 2: ${range}`,
  ]);
  expect(await refused({ answers: [{ question: 1, options: [0] }] })).toEqual([
    400,
    `Cannot answer ${id}: there is no question 1: questions count from 0 in the API, here to 0`,
  ]);
  expect(await refused({ answers: [{ question: 0, options: [2] }] })).toEqual([
    400,
    `Cannot answer ${id}: question 0 has no option 2: ${range}`,
  ]);
  const { id: open } = await question(project);
  expect(await refused({ response: '8080', option: 0 }, open)).toEqual([
    400,
    `Cannot answer ${open}: there is no option 0: none are offered`,
  ]);
  const { status } = await send(`/api/questions/${id}/answer`, { body: { response: 'No', option: 1 } });
  expect(status).toBe(200);
  // Too late: who was first is said, whatever the option.
  const late = await send(`/api/questions/${id}/answer`, { body: { response: 'yes', option: 7 } });
  expect(late.status).toBe(409);
  const { id: cased } = await question(project, 'Which?', ['Yes', 'yes']);
  expect(await refused({ response: 'Yes', option: 1 }, cased)).toEqual([
    400,
    expect.stringContaining('option 1 is “yes”'),
  ]);
  expect(
    (await send(`/api/questions/${cased}/answer`, { body: { response: 'yes', option: 1 } })).status,
  ).toBe(200);
});

it('takes an empty answer where a program is typed it, as Enter alone, and nowhere else', async () => {
  const { ask: send, project } = await served();
  const prompt = { stream: 'demo', task: 'a', agent, kind: 'prompt' } as const;
  const asked = [
    await ask(project, { ...prompt, question: 'Passphrase (empty for none):' }),
    await ask(project, { ...prompt, question: 'Passphrase (empty for none):', untypable: true }),
    await ask(project, { ...prompt, question: 'Password:' }),
    await ask(project, { ...prompt, question: 'Go on? [y/N]', options: ['y', 'n'] }),
    await question(project),
    await call(project),
  ];
  const outcomes = [];
  for (const { id } of asked) {
    const shown = (await send(`/api/questions/${id}`)).json();
    const { status } = await send(`/api/questions/${id}/answer`, { body: { response: '' } });
    outcomes.push([shown['takesEmpty'], status]);
  }
  expect(outcomes).toEqual([[true, 200], ...Array.from({ length: 5 }, () => [undefined, 400])]);
});

it('takes what cannot be seen for an empty answer', async () => {
  const { ask: send, project } = await served();
  const prompt = { stream: 'demo', task: 'a', agent, kind: 'prompt' } as const;
  for (const [words, status] of [
    ['Password:', 400],
    ['Name (web):', 200],
  ] as const) {
    const { id } = await ask(project, { ...prompt, question: words });
    expect(await send(`/api/questions/${id}/answer`, { body: { response: ' \u0000' } })).toMatchObject({
      status,
    });
  }
});

it('allows a call once, and says for how much a yes can stand', async () => {
  const { ask: send, project } = await served();
  const { id } = await call(project);
  const shown = (await send(`/api/questions/${id}`)).json();
  expect(shown).toMatchObject({
    kind: 'approval',
    risk: 'unsaid',
    riskText: 'effect unknown',
    scopes: ['once', 'task', 'sprint', 'always'],
    call: { server: 'fs', tool: 'write_file', args: { path: 'notes.txt' }, isTrusted: false },
  });
  const reply = await send(`/api/questions/${id}/approve`, { body: {} });
  expect(reply.json()['text']).toBe('Allowed: it runs');
  expect(project.state.streams.get('demo')?.requests.get(id)?.answer).toMatchObject({
    verdict: 'approved',
    scope: 'once',
  });
});

it('denies a call with a reason, and sends one back with a question', async () => {
  const { ask: send, project } = await served();
  const [one, two] = [await call(project, { path: 'a' }), await call(project, { path: 'b' })];
  await send(`/api/questions/${one.id}/deny`, { body: { reason: 'not there' } });
  await send(`/api/questions/${two.id}/explain`, { body: { question: 'what for?' } });
  const requests = project.state.streams.get('demo')?.requests;
  expect(requests?.get(one.id)?.answer).toMatchObject({ verdict: 'denied', response: 'not there' });
  expect(requests?.get(two.id)?.answer).toMatchObject({ verdict: 'questioned', response: 'what for?' });
});

describe('calls that are alike', () => {
  const stateOf = (project: Project, { id }: RequestState) =>
    project.state.streams.get('demo')?.requests.get(id)?.answer;

  it('have the same key in lists, and no other call has it', async () => {
    const { ask: send, project } = await served();
    const [one, two] = [await call(project, { path: 'a' }), await call(project, { path: 'b' })];
    const other = await askApproval(project, {
      stream: 'demo',
      taskId: 'a',
      agent,
      approval: { ...approval, tool: 'delete_file', callDigest: 'other' },
    });
    const asked = await question(project);
    const { questions } = (await send('/api/state')).json() as {
      questions: { id: string; alike?: string }[];
    };
    const keyOf = ({ id }: RequestState) => questions.find((each) => each.id === id)?.alike;
    expect(keyOf(one)).toBeTypeOf('string');
    expect(keyOf(two)).toBe(keyOf(one));
    expect(keyOf(other)).not.toBe(keyOf(one));
    expect(keyOf(asked)).toBeUndefined();
  });

  it('are allowed together, each once, in one append', async () => {
    const { ask: send, project } = await served();
    const [one, two, left] = [
      await call(project, { path: 'a' }),
      await call(project, { path: 'b' }),
      await call(project, { path: 'c' }),
    ];
    const version = project.state.streams.get('demo')?.version ?? 0;
    const reply = await send('/api/questions/approve', { body: { ids: [one.id, two.id, one.id] } });
    expect(reply.json()).toEqual({
      text: 'Allowed 2 calls, each once',
      decided: [one.id, two.id],
      lost: [],
    });
    for (const each of [one, two])
      expect(stateOf(project, each)).toMatchObject({
        verdict: 'approved',
        scope: 'once',
        by: 'ann',
        via: 'web',
      });
    expect(stateOf(project, left)).toBeUndefined();
    expect(project.state.streams.get('demo')?.version).toBe(version + 2);
  });

  it('are denied together for one reason, without what somebody was first with', async () => {
    const { ask: send, project } = await served();
    const [one, two] = [await call(project, { path: 'a' }), await call(project, { path: 'b' })];
    await approve(project, one.id, { scope: 'once', by: 'bob', via: 'tui' });
    const body = { ids: [one.id, two.id], reason: 'not there' };
    const reply = await send('/api/questions/deny', { body });
    expect(reply.json()).toMatchObject({
      text: 'Denied 1 call: their agents are told; somebody was first with 1 more',
      decided: [two.id],
      lost: [{ id: one.id, closing: { did: 'allowed', by: 'bob', via: 'tui' } }],
    });
    expect(stateOf(project, two)).toMatchObject({ verdict: 'denied', response: 'not there' });
    const again = await send('/api/questions/deny', { body });
    expect([again.status, codeOf(again)]).toEqual([409, 'QUESTION_CLOSED']);
    expect(again.json()['closing']).toMatchObject({ by: 'bob' });
  });

  it('are all decided, or none: a question or an unknown id among them changes nothing', async () => {
    const { ask: send, project } = await served();
    const [one, asked] = [await call(project), await question(project)];
    const approveAll = async (...ids: string[]) => {
      const reply = await send('/api/questions/approve', { body: { ids } });
      return [reply.status, codeOf(reply)];
    };
    expect(await approveAll(one.id, asked.id)).toEqual([400, 'NOT_AN_APPROVAL']);
    expect(await approveAll(one.id, 'q-none')).toEqual([404, 'NOT_FOUND']);
    expect(await approveAll()).toEqual([400, 'INPUT_INVALID']);
    expect(stateOf(project, one)).toBeUndefined();
  });

  it('are not allowed by a token that only reads, nor where an agent has started the server', async () => {
    const { ask: send, project, env, root } = await served();
    const { id } = await call(project);
    const token = await addToken(env, root, { name: 'wall', may: 'read' });
    for (const verb of ['approve', 'deny'])
      expect(codeOf(await send(`/api/questions/${verb}`, { body: { ids: [id] }, token }))).toBe('READ_ONLY');
    const ofAgent = await serveProject(project, { env: { ...env, CLIFFORD_RUN_ID: 'run-7' } });
    expect(codeOf(await ofAgent.ask('/api/questions/approve', { body: { ids: [id] } }))).toBe('NOT_A_HUMAN');
    expect(project.state.streams.get('demo')?.requests.get(id)?.phase).toBe('open');
  });
});

it('says that nothing is recorded where the log is away', async () => {
  const { root, project } = await projectWithSprint();
  const dispatch = vi.fn<Project['dispatch']>((...decision) => project.dispatch(...decision));
  const shown: Project = Object.create(project, { dispatch: { value: dispatch } });
  const home = { HOME: root, XDG_STATE_HOME: root };
  const { ask: send } = await serveProject(Object.create(project, { as: { value: () => shown } }), {
    env: home,
  });
  const [asked, one] = [await question(project), await call(project)];
  dispatch.mockRejectedValue(unreachable('nats://host:4222/shop'));
  const notRecorded = (verb: string, id: string) => ({
    code: 'LOG_UNREACHABLE',
    message: expect.stringContaining(`Cannot ${verb} ${id}: it is not recorded, the log is away: `),
  });
  const answered = await send(`/api/questions/${asked.id}/answer`, { body: { response: '8080' } });
  expect([answered.status, answered.json()]).toMatchObject([503, { error: notRecorded('answer', asked.id) }]);
  const denied = await send('/api/questions/deny', { body: { ids: [one.id], reason: 'no' } });
  expect([denied.status, denied.json()]).toMatchObject([503, { error: notRecorded('deny', one.id) }]);
});

it('to a call takes yes and no as an answer, and nothing else', async () => {
  const { ask: send, project } = await served();
  const { id } = await call(project);
  const reply = await send(`/api/questions/${id}/answer`, { body: { response: 'maybe' } });
  expect([reply.status, codeOf(reply)]).toEqual([400, 'APPROVAL_UNCLEAR']);
  await send(`/api/questions/${id}/answer`, { body: { response: 'yes' } });
  expect(project.state.streams.get('demo')?.requests.get(id)?.answer?.verdict).toBe('approved');
});

it('masks what looks secret in a call, and shows it when it is asked to', async () => {
  const { ask: send, project } = await served();
  const { id } = await call(project, {
    path: 'a.txt',
    password: 'hunter2hunter2',
    old_string: 'a\nb',
    new_string: 'a\nc',
  });
  const shown = await send(`/api/questions/${id}`);
  expect(shown.text).not.toContain('hunter2');
  expect(shown.json()['call']).toMatchObject({
    args: { password: '[masked, 14 characters]' },
    changes: [
      {
        path: 'a.txt',
        how: 'edit',
        lines: [
          { is: 'kept', text: 'a' },
          { is: 'removed', text: 'b' },
          { is: 'added', text: 'c' },
        ],
      },
    ],
  });
  expect((await send('/api/questions')).text).not.toContain('hunter2');
  const revealed = await send(`/api/questions/${id}/reveal`, { body: {} });
  expect(revealed.json()).toMatchObject({ args: { password: 'hunter2hunter2' }, edit: { is: 'arguments' } });
  await send(`/api/questions/${id}/deny`, { body: {} });
  expect(codeOf(await send(`/api/questions/${id}/reveal`, { body: {} }))).toBe('NOT_FOUND');
});

it('shows what the log does not have from the process that made the call', async () => {
  const { ask: send, project } = await served();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const args = { path: 'a.txt', content: `token ${secret}` };
  const request = await call(project, args);
  expect((await send(`/api/questions/${request.id}`)).text).not.toContain(secret);
  expect((await send(`/api/questions/${request.id}/reveal`, { body: {} })).json()).toEqual({ changes: [] });
  expect(await holdCall(request, args)).toBeTypeOf('function');
});

it('sends no answer that looks like a secret to anybody', async () => {
  const { ask: send, project } = await served();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { id } = await question(project, 'Which token?');
  const replies = [
    await send(`/api/questions/${id}/answer`, { body: { response: secret } }),
    await send(`/api/questions/${id}/answer`, { body: { response: 'again' } }),
    await send(`/api/questions/${id}`),
    await send('/api/sprints/demo/events'),
    await send('/api/sprints/demo/history/3'),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 409, 200, 200, 200]);
  for (const { text } of replies) expect(text).not.toContain(secret);
  expect(project.state.streams.get('demo')?.requests.get(id)?.answer?.response).toBe(secret);
});

it('allows a call as it was changed', async () => {
  const { ask: send, project } = await served();
  const { id } = await call(project, { command: 'rm -rf build' });
  const wide = await send(`/api/questions/${id}/approve`, {
    body: { edit: { command: 'ls' }, scope: 'task' },
  });
  expect([wide.status, codeOf(wide)]).toEqual([400, 'SCOPE_IMPOSSIBLE']);
  const same = await send(`/api/questions/${id}/approve`, {
    body: { edit: { args: { command: 'rm -rf build' } } },
  });
  expect([same.status, codeOf(same)]).toEqual([400, 'EDIT_SAME']);
  const reply = await send(`/api/questions/${id}/approve`, { body: { edit: { command: 'ls build' } } });
  expect(reply.json()['text']).toMatch(/^Allowed as changed/);
  expect(project.state.streams.get('demo')?.requests.get(id)?.answer).toMatchObject({
    verdict: 'edited',
    edited: { args: { command: 'ls build' } },
  });
});

it('says what is not there, and what cannot be', async () => {
  const { ask: send, project } = await served();
  const { id } = await question(project);
  expect(codeOf(await send('/api/questions/q-none/answer', { body: { response: 'x' } }))).toBe('NOT_FOUND');
  expect(codeOf(await send(`/api/questions/${id}/approve`, { body: {} }))).toBe('NOT_AN_APPROVAL');
  expect(codeOf(await send('/api/sprints/none/pause', { body: {} }))).toBe('NOT_FOUND');
  expect((await send('/api/sprints/demo/resume', { body: {} })).status).toBe(409);
  expect((await send('/api/sprints/demo/skip', { body: { task: 'none' } })).status).toBe(404);
  expect((await send('/api/nothing')).status).toBe(404);
  expect((await send('/api/state', { method: 'DELETE' })).status).toBe(404);
});

it('an unfinished merge, and why it could not be undone, is said beside what was done', async () => {
  const { ask: send, project } = await served();
  await writeLandingMark(project.dir, { from: 'a'.repeat(40), sha: 'b'.repeat(40), made: [], staged: [] });
  const why =
    'an earlier merge was left unfinished in the files of the project, and cannot be undone: ' +
    'the project is in no git repository. Make one with: git init';
  const text = async (verb: string, task: string) =>
    (await send(`/api/sprints/demo/${verb}`, { body: { task } })).json()['text'];
  expect(await text('skip', 'a')).toBe(`a is skipped; ${why}`);
  expect(await text('cancel', 'b')).toBe(`b is cancelled; ${why}`);
});

it('pauses and resumes a sprint, and skips, retries, cancels and notes its tasks', async () => {
  const { ask: send, project } = await served();
  const act = async (verb: string, body: object) =>
    (await send(`/api/sprints/demo/${verb}`, { body })).json()['text'];
  const started = { type: 'sprint.started', subject: 'demo', data: { runner: 'r', maxAttempts: 1 } } as const;
  await project.record('demo', [started]);
  const state = async () => nameOf((await project.refresh()).streams.get('demo')?.machine.value ?? 'pending');
  await act('pause', {});
  expect(await state()).toBe('active.paused');
  await act('resume', {});
  expect(await state()).toBe('active.running');
  expect(await act('skip', { task: 'b', reason: 'later' })).toBe('b is skipped');
  // What somebody took out has not failed: the whole is not offered to be tried again.
  expect((await send('/api/sprints/demo')).json()).toMatchObject({ acts: ['pause', 'cancel'] });
  expect(await act('note', { task: 'a', text: 'keep the API' })).toMatch(/^a has a note/);
  expect(await act('retry', { task: 'b' })).toBe(
    'b is pending again. To go on: clifford run demo, or R on the screen of its last run, if that is still open',
  );
  expect(await act('cancel', { task: 'b' })).toBe('b is cancelled');
  expect(await act('cancel', {})).toBe('The sprint is cancelled');
  const events = await eventsOf(project);
  expect(events.slice(-7).map(({ type, source, data }) => [type, source, 'by' in data && data.by])).toEqual(
    [
      'sprint.paused',
      'sprint.resumed',
      'task.skipped',
      'note.sent',
      'task.reset',
      'task.cancelled',
      'sprint.cancelled',
    ].map((type) => [type, '/clifford/web', 'ann']),
  );
});

it.runIf(hasProcessTable)(
  "takes no yes of a process of an agent, and its answer for no human's word",
  async () => {
    const { ask: send, project, server } = await served();
    const [asked, waiting] = [await question(project), await call(project)];
    const post = (path: string, body: object) => {
      const script = `const r = await fetch(process.argv[1], { method: 'POST', headers: { authorization: process.argv[2], 'content-type': 'application/json' }, body: process.argv[3] }); console.log(JSON.stringify([r.status, (await r.json()).error?.code]))`;
      const args = [
        '--input-type=module',
        '-e',
        script,
        `${server.url}api/${path}`,
        `Bearer ${server.token}`,
        JSON.stringify(body),
      ];
      return promisify(execFile)(process.execPath, args, { env: { CLIFFORD_RUN_ID: 'run-7' } });
    };
    const refused = await post(`questions/${waiting.id}/approve`, {});
    expect(JSON.parse(refused.stdout)).toEqual([403, 'NOT_A_HUMAN']);
    for (const [verb, body] of [
      ['answer', { response: 'yes' }],
      ['rephrase', {}],
      ['explain', { question: 'Why?' }],
    ] as const)
      expect(JSON.parse((await post(`questions/${waiting.id}/${verb}`, body)).stdout)).toEqual([
        403,
        'NOT_A_HUMAN',
      ]);
    const together = await post('questions/approve', { ids: [waiting.id] });
    expect(JSON.parse(together.stdout)).toEqual([403, 'NOT_A_HUMAN']);
    for (const verb of ['skip', 'cancel', 'retry'])
      expect(JSON.parse((await post(`sprints/demo/${verb}`, { task: 'b' })).stdout)).toEqual([
        403,
        'NOT_A_HUMAN',
      ]);
    expect(JSON.parse((await post(`questions/${asked.id}/answer`, { response: '80' })).stdout)).toEqual([
      200,
      null,
    ]);
    const requests = project.state.streams.get('demo')?.requests;
    expect(requests?.get(asked.id)?.answer?.by).toBe('agent:run-7');
    expect(requests?.get(waiting.id)?.phase).toBe('open');
    expect(await send(`/api/questions/${waiting.id}/approve`, { body: {} })).toMatchObject({ status: 200 });
  },
);

it('finds a question by the beginning of its id that no other has', async () => {
  const { ask: send, project } = await served();
  const { id } = await question(project);
  const found = await send(`/api/questions/${id.slice(0, -1)}`);
  expect(found.json()).toMatchObject({ id });
  const { id: other } = await call(project);
  const shared = id.split('').findIndex((character, at) => character !== other[at]);
  expect(codeOf(await send(`/api/questions/${id.slice(0, shared)}`))).toBe('REQUEST_AMBIGUOUS');
  expect(codeOf(await send('/api/questions/q-00000000'))).toBe('REQUEST_UNKNOWN');
});

it('takes no yes where an agent has started the server, and says so', async () => {
  const { ask: send, project } = await served({ env: { CLIFFORD_RUN_ID: 'run-7' } });
  const [asked, waiting] = [await question(project), await call(project)];
  expect((await send('/api/state')).json()['reader']).toMatchObject({
    may: 'read',
    whyNot: expect.stringContaining('an agent'),
  });
  expect(codeOf(await send(`/api/questions/${waiting.id}/approve`, { body: {} }))).toBe('NOT_A_HUMAN');
  expect(codeOf(await send(`/api/questions/${waiting.id}/reveal`, { body: {} }))).toBe('NOT_A_HUMAN');
  await send(`/api/questions/${asked.id}/answer`, { body: { response: '80' } });
  expect(project.state.streams.get('demo')?.requests.get(asked.id)?.answer?.by).toBe('agent:run-7');
});

it('joins what was allowed elsewhere', async () => {
  const { ask: send, project } = await served();
  const { id } = await call(project);
  await approve(project, id, { scope: 'once', by: 'bob', via: 'tui' });
  const reply = await send(`/api/questions/${id}/deny`, { body: { reason: 'no' } });
  expect(reply.json()['closing']).toMatchObject({
    did: 'allowed',
    verdict: 'approved',
    by: 'bob',
    via: 'tui',
  });
});
