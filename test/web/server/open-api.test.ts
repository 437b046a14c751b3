import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { tryHold } from '../../../src/lib/files/kernel-lock.ts';
import { endpoints } from '../../../src/web/api/endpoints.ts';
import { runnerLockPath } from '../../../src/workflow/project/runner-lock.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { agentAtWork } from '../../helpers/agent-at-work.ts';
import { approval } from '../../helpers/approval.ts';
import { on } from '../../helpers/history.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { served, type Served } from '../../helpers/web-server.ts';
import { readStream } from '../../helpers/web-stream.ts';

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly responses: Record<
    string,
    {
      readonly content: Record<
        string,
        { readonly schema: object; readonly 'x-messages': Record<string, object> }
      >;
    }
  >;
};

type Document = {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
};

const agent = { id: 'a1', client: 'codex' };

/** As a browser gives them. */
const keys = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) };

beforeEach(withoutGitConfig);

/** A server of a project in which a little of everything has happened, and what holds answers against its description. */
async function described() {
  const place = await served();
  const { ask: send, project, root } = place;
  const git = makeRepository(root);
  git.commitAll();
  git.write({ 'new.txt': 'new\n' });
  const run = tryHold(runnerLockPath(project.dir, 'demo'));
  onTestFinished(() => run?.release());
  await project.record('demo', [on('demo', 'sprint.started', { runner: 'here', maxAttempts: 1 })]);
  await agentAtWork(place, { argv: ['agent', '--model', 'm'] });
  const version = 1 + (project.state.streams.get('demo')?.version ?? 0);
  await project.record('demo', [
    {
      type: 'tool.requested',
      subject: 'demo/a',
      data: { callId: 'c', server: 'fs', tool: 'read', args: {}, argsDigest: 'd' },
    },
    {
      type: 'agent.usage',
      subject: 'demo/a',
      data: { runId: 'run-1', tokens: { input: 3, output: 4 }, costUsd: 0.1 },
    },
  ]);
  const questions = [
    await ask(project, {
      stream: 'demo',
      task: 'a',
      agent,
      kind: 'clarification',
      question: 'Which?',
      options: ['x', 'y'],
      reason: 'r',
      context: 'c',
    }),
    await askApproval(project, {
      stream: 'demo',
      taskId: 'a',
      agent,
      approval: { ...approval, annotations: { readOnlyHint: true }, change: '-a\n+b' },
    }),
    ...(await Promise.all(
      ['one?', 'two?', 'three?', 'four?'].map((question) =>
        ask(project, { stream: 'demo', agent, kind: 'help', question }),
      ),
    )),
  ].map(({ id }) => id);
  const waiting = await Promise.all(
    ['1', '2', '3', '4'].map((n) =>
      askApproval(project, {
        stream: 'demo',
        taskId: 'a',
        agent,
        approval: { ...approval, callId: `call-${n}`, callDigest: `digest-${n}` },
      }),
    ),
  );
  const calls = waiting.map(({ id }) => id);
  const document = (await send('/api/openapi.json')).json() as unknown as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'api');
  const fits = (schema: object, value: unknown) => {
    const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object;
    const check = ajv.compile(own);
    return check(value) ? [] : (check.errors ?? []);
  };
  return { ...place, document, questions, calls, fits, version };
}

/** One request to everything that there is to ask. */
function requests({
  questions: [first, call, ...others],
  calls,
  version,
}: Awaited<ReturnType<typeof described>>): readonly [name: string, path: string, body?: object][] {
  return [
    ['state', 'state'],
    ['sprint', 'sprints/demo'],
    ['questions', 'questions'],
    ['question', `questions/${call}`],
    ['output', 'sprints/demo/output?task=a'],
    ['task', 'sprints/demo/task?task=a'],
    ['events', 'sprints/demo/events?from=2'],
    ['calls', 'sprints/demo/calls?task=a'],
    ['call', `sprints/demo/calls/${version}?task=a`],
    ['history', 'sprints/demo/history'],
    ['summary', 'sprints/demo/summary'],
    ['moment', 'sprints/demo/history/3'],
    ['path', 'sprints/demo/path?task=a'],
    ['changes', 'sprints/demo/changes?task=a'],
    ['diagram', 'diagrams/task'],
    ['looking', 'looking', {}],
    ['pushKey', 'push/key'],
    ['push', 'push', { endpoint: 'https://fcm.googleapis.com/x', keys }],
    ['endPush', 'push/end', { endpoint: 'https://fcm.googleapis.com/x' }],
    ['reveal', `questions/${call}/reveal`, {}],
    ['explain', `questions/${call}/explain`, {}],
    ['approve', `questions/${calls[0]}/approve`, {}],
    ['deny', `questions/${calls[1]}/deny`, {}],
    ['approveAll', 'questions/approve', { ids: [calls[2]] }],
    ['denyAll', 'questions/deny', { ids: [calls[3]] }],
    ['answer', `questions/${first}/answer`, { response: 'x', option: 0 }],
    ['reject', `questions/${others[0]}/reject`, { reason: 'no' }],
    ['rephrase', `questions/${others[1]}/rephrase`, {}],
    ['dismiss', `questions/${others[2]}/dismiss`, {}],
    ['pause', 'sprints/demo/pause', {}],
    ['resume', 'sprints/demo/resume', {}],
    ['stop', 'sprints/demo/stop', {}],
    ['skip', 'sprints/demo/skip', { task: 'b' }],
    ['retry', 'sprints/demo/retry', { task: 'b' }],
    ['note', 'sprints/demo/note', { task: 'b', text: 'hello' }],
    ['cancel', 'sprints/demo/cancel', {}],
  ];
}

/** What comes too late, once all of that was done. */
function refused({
  questions: [first],
  calls,
}: Awaited<ReturnType<typeof described>>): readonly [name: string, path: string, body?: object][] {
  return [
    ['changes', 'sprints/demo/changes?task=b'],
    ['answer', `questions/${first}/answer`, { response: 'y' }],
    ['approve', `questions/${calls[1]}/approve`, {}],
    ['deny', `questions/${calls[0]}/deny`, {}],
    ['pause', 'sprints/demo/pause', {}],
    ['resume', 'sprints/demo/resume', {}],
  ];
}

function operationOf(document: Document, name: string): Operation {
  const found = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === name);
  if (!found) throw new Error(`${name} is not described`);
  return found;
}

async function fitOf(
  { ask: send, document, fits }: Served & Pick<Awaited<ReturnType<typeof described>>, 'document' | 'fits'>,
  name: string,
  path: string,
  body?: object,
) {
  const reply = await send(`/api/${path}`, body === undefined ? {} : { body });
  const schema = operationOf(document, name).responses[reply.status]?.content['application/json']?.schema;
  return {
    name,
    status: reply.status,
    problems: schema ? fits(schema, reply.json()) : ['status not described', reply.text],
  };
}

it('describes everything that can be asked, and every answer is what it says', async () => {
  const place = await described();
  const asked = new Set<string>();
  for (const [name, path, body] of requests(place)) {
    expect(await fitOf(place, name, path, body)).toEqual({ name, status: 200, problems: [] });
    asked.add(name);
  }
  expect([...asked].toSorted()).toEqual(Object.keys(endpoints).toSorted());
  for (const [name, path, body] of refused(place))
    expect(await fitOf(place, name, path, body)).toEqual({ name, status: 409, problems: [] });
});

it('says of every number of an option or question what it counts from', async () => {
  const { document } = await described();
  const { Answer } = document.components.schemas;
  expect(Answer).toMatchObject({
    properties: {
      option: { description: expect.stringContaining('the first one being 0') },
      answers: {
        items: {
          properties: {
            question: { description: expect.stringContaining('the first one being 0') },
            options: { description: expect.stringContaining('the first one being 0') },
          },
        },
      },
    },
  });
});

it('describes the messages of the stream', async () => {
  const { server, document, fits, project, questions } = await described();
  const reader = await readStream(server, `?sprint=demo&task=a&question=${questions[1]}`, {
    lastId: 'demo@1',
  });
  await expect.poll(() => reader.last('written')).toBeDefined();
  await expect.poll(() => reader.all('events').length).toBeGreaterThan(3);
  await project.record('demo', [{ type: 'task.noted', subject: 'demo/a', data: { by: 'agent', text: 'x' } }]);
  const stream = operationOf(document, 'live').responses['200']?.content['text/event-stream']?.['x-messages'];
  await expect.poll(() => reader.last('patch')).toBeDefined();
  const names = new Set(reader.messages.map(({ name }) => name));
  expect([...names].toSorted()).toEqual(['events', 'patch', 'question', 'sprint', 'state', 'written']);
  for (const { name, data } of reader.messages)
    expect([name, fits(stream?.[name] ?? { not: {} }, data)]).toEqual([name, []]);
});

it('names every part of an address among its parameters', async () => {
  const { document } = await described();
  for (const [path, operations] of Object.entries(document.paths)) {
    const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters = [] } of Object.values(operations)) {
      const inPath = parameters.filter((each) => each.in === 'path');
      expect([path, inPath.map(({ name }) => name)]).toEqual([path, parts]);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  }
});

it('says what can be sent again with one key: all that changes something', async () => {
  const { document } = await described();
  const withKey = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
    .map(({ operationId }) => operationId);
  const posts = Object.entries(endpoints).filter(([, { method }]) => method === 'post');
  expect([...withKey, 'looking', 'reveal'].toSorted()).toEqual(posts.map(([name]) => name).toSorted());
});
