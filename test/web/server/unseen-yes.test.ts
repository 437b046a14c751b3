import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SentQuestion } from '../../../src/web/api/question.ts';
import type { Approval } from '../../../src/events/approval.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import { approve, askApproval } from '../../../src/workflow/requests/approval.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import type { WebServerOptions } from '../../../src/web/server/web-server.ts';
import { approval } from '../../helpers/approval.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { codeOf, serveProject, served } from '../../helpers/web-server.ts';
import { readStream } from '../../helpers/web-stream.ts';

const numbered = (many: number, word: string) =>
  Array.from({ length: many }, (_, at) => `${word} ${at}\n`).join('');

const writing = { path: 'a.txt', content: 'one\n2\n' };

/** A call of an agent's own tool that waits; of a server's, where `isOwn` is not so. */
async function askToWrite(project: Project, args: Approval['args'] = writing, isOwn = true) {
  const { id } = await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: 'x' },
    approval: {
      ...approval,
      ...(isOwn && { server: '@opencode', tool: 'edit', isOwn: true }),
      args,
      callDigest: digestOf(args),
    },
  });
  return id;
}

async function waiting(options: Partial<WebServerOptions> = {}) {
  const place = await served(options);
  await writeFile(join(place.root, 'a.txt'), 'one\ntwo\n');
  const id = await askToWrite(place.project);
  return { ...place, id, path: `/api/questions/${id}` };
}

/** The same, where files can be compared only while `reading.works`. */
async function waitingUnread() {
  const { project, env, id, path } = await waiting();
  const reading = { works: false };
  const hideSecrets = () => {
    if (!reading.works) throw new Error('The secrets cannot be read');
    return project.hideSecrets();
  };
  const as: Project['as'] = (source) =>
    Object.create(project.as(source), { hideSecrets: { value: hideSecrets } });
  const { ask } = await serveProject(Object.create(project, { as: { value: as } }), { env });
  return { project, ask, reading, id, path };
}

describe('a yes over the API to a call that names files', () => {
  it.each([
    ['for once', 'approve', {}],
    ['for longer', 'approve', { scope: 'task' }],
    ['as changed', 'approve', { edit: { args: { path: 'a.txt', content: 'x' } } }],
    ['in words', 'answer', { response: 'yes' }],
  ])('%s is refused where it does not say what was seen of them', async (_how, act, body) => {
    const { ask, id, path, project } = await waiting();
    const reply = await ask(`${path}/${act}`, { body });
    expect([reply.status, codeOf(reply)]).toEqual([428, 'FILES_UNSEEN']);
    expect(reply.json()['error']).toMatchObject({ fix: expect.stringContaining(`/api/questions/${id}`) });
    expect(findRequest(project.state, id).phase).toBe('open');
    const { seen } = (await ask(path)).json();
    expect(await ask(`${path}/${act}`, { body: { ...body, seen } })).toMatchObject({ status: 200 });
  });

  it.each([
    ['one line', { path: 'a.txt', text: 'x' }, 'one\n', 'another\n'],
    ['too much', { path: 'a.txt', content: 'one\n2\n' }, numbered(3_000, 'one'), numbered(3_000, 'another')],
  ])(
    'is refused where %s is written over a text that became another one, of which nothing is shown',
    async (_what, args, before, after) => {
      const { ask, project, root } = await served();
      await writeFile(join(root, 'a.txt'), before);
      const path = `/api/questions/${await askToWrite(project, args)}`;
      const { seen } = (await ask(path)).json();
      await writeFile(join(root, 'a.txt'), after);
      expect((await ask(`${path}/approve`, { body: { seen } })).status).toBe(412);
      const now = (await ask(path)).json();
      expect((await ask(`${path}/approve`, { body: { seen: now['seen'] } })).status).toBe(200);
    },
  );

  it('is taken after any of its files has changed and was seen again, however many there are', async () => {
    const { ask, project, root } = await served();
    const edits = Array.from({ length: 120 }, (_, at) => ({
      path: `${at}.txt`,
      oldText: 'one\n',
      newText: `${at}\n`,
    }));
    await Promise.all(edits.map((each) => writeFile(join(root, each.path), 'one\n')));
    const path = `/api/questions/${await askToWrite(project, { changes: edits })}`;
    const { seen } = (await ask(path)).json();
    await writeFile(join(root, '119.txt'), 'something else\n');
    expect((await ask(`${path}/approve`, { body: { seen } })).status).toBe(412);
    const now = (await ask(path)).json();
    expect((await ask(`${path}/approve`, { body: { seen: now['seen'] } })).status).toBe(200);
  });

  it('is refused for several where one of them was not seen, and none is allowed', async () => {
    const { ask, id, path, project } = await waiting();
    const other = await askToWrite(project, { path: 'b.txt', content: 'one\n2\n' });
    const { seen } = (await ask(path)).json();
    const reply = await ask('/api/questions/approve', { body: { ids: [id, other], seen: { [id]: seen } } });
    expect([reply.status, codeOf(reply)]).toEqual([428, 'FILES_UNSEEN']);
    expect([id, other].map((each) => findRequest(project.state, each).phase)).toEqual(['open', 'open']);
  });

  it('in words is to what was seen, too', async () => {
    const { ask, root, path } = await waiting();
    const { seen } = (await ask(path)).json();
    await writeFile(join(root, 'a.txt'), 'mine\n');
    const reply = await ask(`${path}/answer`, { body: { response: 'Yes.', seen } });
    expect([reply.status, codeOf(reply)]).toEqual([412, 'FILES_CHANGED']);
  });

  it('is asked for nothing more where it names none that are looked at, and a no never is', async () => {
    const { ask, project, path } = await waiting();
    const ofServer = await askToWrite(project, { path: 'b.txt', content: 'one\n2\n' }, false);
    expect((await ask(`/api/questions/${ofServer}`)).json()).not.toHaveProperty('comparison');
    expect(await ask(`/api/questions/${ofServer}/approve`, { body: {} })).toMatchObject({ status: 200 });
    expect(await ask(`${path}/deny`, { body: {} })).toMatchObject({ status: 200 });
    // Who was first is told first.
    expect(codeOf(await ask(`${path}/approve`, { body: {} }))).toBe('QUESTION_CLOSED');
  });

  it('to one that is too long to be kept is refused like the others, and taken from who was told that it is not compared', async () => {
    const { ask, project } = await waiting();
    const id = await askToWrite(project, { cut: '{"path":"a.txt","content":"one', length: 70_000 });
    const path = `/api/questions/${id}`;
    const blind = await ask(`${path}/approve`, { body: {} });
    expect([blind.status, codeOf(blind)]).toEqual([428, 'FILES_UNSEEN']);
    const other = await ask(`${path}/approve`, { body: { seen: 'something else' } });
    expect([other.status, codeOf(other)]).toEqual([412, 'FILES_CHANGED']);
    const { seen, comparison } = (await ask(path)).json();
    expect(comparison).toBe('failed');
    expect(await ask(`${path}/approve`, { body: { seen } })).toMatchObject({ status: 200 });
  });

  it('as changed writes over no other file than those that were seen, and may make one', async () => {
    const { ask, root, id, path, project } = await waiting();
    await writeFile(join(root, 'b.txt'), 'mine\n');
    const { seen } = (await ask(path)).json();
    const changedTo = (file: string) =>
      ask(`${path}/approve`, { body: { seen, edit: { args: { ...writing, path: file } } } });
    const reply = await changedTo('b.txt');
    expect([reply.status, codeOf(reply)]).toEqual([400, 'EDIT_UNSEEN']);
    expect(reply.json()['error']).toMatchObject({ message: expect.stringContaining('b.txt') });
    expect(findRequest(project.state, id).phase).toBe('open');
    expect(await changedTo('c.txt')).toMatchObject({ status: 200 });
  });

  it('is one to its arguments where it comes from elsewhere: those faces show no files', async () => {
    const { project, id } = await waiting();
    expect(await approve(project, id, { by: 'ben', via: 'cli', scope: 'once' })).toMatchObject({
      accepted: true,
    });
  });
});

describe('the comparison of a call with its files', () => {
  it('is said to be under way where a card is told of before it is there, and then to be done', async () => {
    const { server, id } = await waiting();
    const reader = await readStream(server, `?question=${id}`);
    const told = () => reader.messages.filter(({ name }) => name === 'question').map(({ data }) => data);
    await expect.poll(() => told()[0]).toMatchObject({ comparison: 'pending' });
    expect(told()[0]).not.toHaveProperty('seen');
    await expect
      .poll(() => reader.last('question'))
      .toMatchObject({ comparison: 'done', seen: expect.any(String) });
    // Lists say so, too: whoever has a card of it reads that again.
    expect(reader.last('state')?.questions).toMatchObject([{ id, comparison: 'done' }]);
  });

  it('waits for nothing else that is found for cards', async () => {
    const never = Promise.withResolvers<never>();
    const { ask, path } = await waiting({
      findExtras: { offersFor: () => never.promise, partsOf: async () => new Map() },
    });
    const question = (await ask(path)).json();
    expect(question).toMatchObject({ comparison: 'done', seen: expect.any(String) });
    expect(await ask(`${path}/approve`, { body: { seen: question['seen'] } })).toMatchObject({ status: 200 });
    never.reject(new Error('It has ended'));
  });

  it('that fails says so, and a yes to what is shown in its place counts until it can be made', async () => {
    const { project, ask, reading, id, path } = await waitingUnread();
    const question = (await ask(path)).json();
    expect(question).toMatchObject({
      comparison: 'failed',
      seen: expect.any(String),
      call: { changes: [{ over: { is: 'uncompared', why: 'it could not be read' } }] },
    });
    const { seen } = question;
    reading.works = true;
    const reply = await ask(`${path}/approve`, { body: { seen } });
    expect([reply.status, codeOf(reply)]).toEqual([412, 'FILES_CHANGED']);
    reading.works = false;
    expect(await ask(`${path}/approve`, { body: { seen } })).toMatchObject({ status: 200 });
    expect(findRequest(project.state, id).answer).toMatchObject({ verdict: 'approved' });
  });

  it('that failed is made again when somebody looks, though its file is as it was', async () => {
    const { ask, reading, path } = await waitingUnread();
    const failed = { comparison: 'failed' };
    expect((await ask(path)).json()).toMatchObject(failed);
    expect((await ask(path)).json()).toMatchObject(failed);
    reading.works = true;
    const question = (await ask(path)).json();
    expect(question).toMatchObject({ comparison: 'done' });
    expect(await ask(`${path}/approve`, { body: { seen: question['seen'] } })).toMatchObject({ status: 200 });
  });

  it('of a file that nobody can read is done, with why, and takes a yes', async () => {
    const { ask, project } = await waiting();
    const id = await askToWrite(project, { path: '/etc/hosts', content: 'one\ntwo\n' });
    const question = (await ask(`/api/questions/${id}`)).json();
    expect(question).toMatchObject({ comparison: 'done' });
    expect(await ask(`/api/questions/${id}/approve`, { body: { seen: question['seen'] } })).toMatchObject({
      status: 200,
    });
  });

  it('says where a link leads, within the project and out of it, of what is written and of what is edited', async () => {
    const { ask, project, root } = await waiting();
    const outside = await tempRoot();
    await mkdir(join(root, 'src'));
    await writeFile(join(root, 'src/a.txt'), 'one\n');
    await symlink('src', join(root, 'docs'));
    await symlink(outside, join(root, 'away'));
    const changeOf = async (args: Approval['args']) => {
      const id = await askToWrite(project, args);
      return ((await ask(`/api/questions/${id}`)).json() as SentQuestion).call?.changes[0];
    };
    const [whole, edit] = [{ content: 'one\n2\n' }, { old_string: 'one', new_string: '1' }];
    const within = { leadsTo: 'src/a.txt' };
    expect(await changeOf({ path: 'docs/a.txt', ...whole })).toMatchObject({
      ...within,
      over: { is: 'text' },
    });
    expect(await changeOf({ path: 'docs/a.txt', ...edit })).toMatchObject({ ...within, firstLine: 1 });
    const out = {
      leadsTo: join(outside, 'a.txt'),
      over: { is: 'uncompared', why: 'it leads out of the project' },
    };
    expect(await changeOf({ path: 'away/a.txt', ...whole })).toMatchObject(out);
    expect(await changeOf({ path: join(root, 'away/a.txt'), ...edit })).toMatchObject(out);
    expect(await changeOf({ path: join(root, 'src/a.txt'), ...edit })).not.toHaveProperty('leadsTo');
  });
});
