import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitRequestSchema,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { storeForm } from '../helpers/store-form.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { untilAsked, untilLogged } from './support/project-log.ts';
import { startAttempt } from './support/start-attempt.ts';

type Shown = { readonly params: ElicitRequest['params']; readonly signal: AbortSignal };
type User = (shown: Shown, round: number) => ElicitResult | Promise<ElicitResult>;

const human = { by: 'bob', via: 'tui' };
const help = { task: 'a', reason: 'Two are free', question: 'Which port?' };
const form = { elicitation: { form: {} } };

/** An agent whose client shows forms to this user, and what it has shown. */
async function agentOf(
  user: User,
  {
    name = 'claude-code',
    capabilities = form,
    env = {},
    config,
  }: { name?: string; capabilities?: ClientCapabilities; env?: Record<string, string>; config?: object } = {},
) {
  const { root, project } = await projectWithSprint();
  if (config) await writeFile(join(root, 'clifford.json'), JSON.stringify(config));
  const shown: Shown[] = [];
  const prepare = (client: Client) => {
    if (!capabilities.elicitation) return;
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
      shown.push({ params, signal });
      return user({ params, signal }, shown.length);
    });
  };
  const agent = await connectAgent(root, { name, capabilities, prepare, env });
  return { ...agent, root, project, shown };
}

/** A user who looks at a form and does nothing, until it is taken away. */
const looks: User = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('taken away'))));
const accepts =
  (content: ElicitResult['content']): User =>
  () => ({ action: 'accept', content });

describe('a question in the client of its agent', () => {
  it('is answered by what its user accepts, and the log says through which client', async () => {
    const { text, project, shown } = await agentOf(accepts({ q1: '8080' }));
    expect(await text('request_help', help)).toBe('8080');
    expect(shown[0]?.params).toMatchObject({
      message: 'Which port?\nReason: Two are free',
      requestedSchema: { type: 'object', properties: { q1: { type: 'string', title: 'Which port?' } } },
    });
    const [{ data } = {}] = await untilLogged(project, 'help.answered');
    expect(data).toMatchObject({ response: '8080', by: 'the user of claude-code', via: 'claude-code' });
  });

  it('is taken away there when another face was faster', async () => {
    const { text, project, shown } = await agentOf(looks);
    const said = text('request_help', help);
    const { id } = await untilAsked(project);
    await vi.waitFor(() => expect(shown).toHaveLength(1));
    await answerRequest(project, id, { ...human, response: '9090' });
    expect(await said).toBe('9090');
    await vi.waitFor(() => expect(shown[0]?.signal.aborted).toBe(true));
  });

  it('has the answer that was first, when both come at once', async () => {
    const both = Promise.withResolvers<ElicitResult>();
    const { text, project, shown } = await agentOf(() => both.promise);
    const said = text('request_help', help);
    const { id } = await untilAsked(project);
    await vi.waitFor(() => expect(shown).toHaveLength(1));
    const other = answerRequest(project, id, { ...human, response: '9090' });
    both.resolve({ action: 'accept', content: { q1: '8080' } });
    const { accepted } = await other;
    expect(await said).toBe(accepted ? '9090' : '8080');
    expect(await untilLogged(project, 'help.answered')).toHaveLength(1);
  });

  it.each(['decline', 'cancel'] as const)(
    'stays open when it is left by %s, and is not shown there again',
    async (action) => {
      const { text, project, shown } = await agentOf(() => ({ action }));
      const said = text('request_help', help);
      const { id } = await untilAsked(project);
      await vi.waitFor(() => expect(shown).toHaveLength(1));
      const again = text('request_help', { ...help, requestId: id });
      await untilLogged(project, 'tool.requested', 2);
      expect(openRequests(project.state)).toHaveLength(1);
      await answerRequest(project, id, { ...human, response: '9090' });
      expect([await said, await again]).toEqual(['9090', '9090']);
      expect(shown).toHaveLength(1);
    },
  );

  it('is shown there once more by a call that asks it again after the first was cancelled', async () => {
    const { call, text, project, shown } = await agentOf(looks);
    const cancel = new AbortController();
    const first = call('request_help', help, cancel.signal);
    first.catch(() => undefined);
    const { id } = await untilAsked(project);
    await vi.waitFor(() => expect(shown).toHaveLength(1));
    cancel.abort('enough');
    await vi.waitFor(() => expect(shown[0]?.signal.aborted).toBe(true));
    const again = text('request_help', { ...help, requestId: id });
    await vi.waitFor(() => expect(shown).toHaveLength(2));
    await answerRequest(project, id, { ...human, response: '9090' });
    expect(await again).toBe('9090');
  });

  it.each([
    ['reject', 'Read the plan', 'The human rejected this question'],
    ['rephrase', 'Of what?', 'The human asks you to put this question'],
  ])('can be turned down there on purpose: %s', async (field, why, told) => {
    const { text } = await agentOf(accepts({ q1: 'x', [field]: why }));
    const said = await text('request_help', help);
    expect(said).toContain(told);
    expect(said).toContain(why);
  });

  it('is shown as a form with what can be chosen, nothing of it beforehand', async () => {
    const { call, project, shown } = await agentOf(
      accepts({ q1: 'SQLite', q2: ['Login', 'Export'], q2_words: 'and more', q3: 'till' }),
    );
    const result = await call('ask_clarification', { question: 'The store', questions: storeForm });
    expect(textOf(result)).toContain(
      'Database: SQLite\nFeatures:\n- Login\n- Export\n- in own words: and more',
    );
    const params = shown[0]?.params;
    expect(params).toMatchObject({
      requestedSchema: {
        properties: {
          q1: {
            oneOf: [{ const: 'Postgres', title: 'Postgres (recommended): One more service to run' }, {}],
          },
          q2: { type: 'array', items: { anyOf: [{ const: 'Login' }, {}, {}] } },
          q2_words: { type: 'string' },
          q3: { type: 'string' },
          q4: { oneOf: [{ const: 'MIT' }, {}] },
        },
      },
    });
    expect(JSON.stringify(params)).not.toContain('default');
    expect(JSON.stringify(params)).not.toContain('q4_words');
    await untilLogged(project, 'help.delivered');
  });

  it('shows what an agent hides in its words, and takes the option that is shown', async () => {
    const hidden = { label: 'Keep\u202e it', description: 'safe\u001b[8m, deletes all' };
    const questions = [
      { title: 'Data\u001b[2J', question: 'Keep\nthe \u200bdata?', options: [hidden, { label: 'Drop it' }] },
      { title: 'More', options: [hidden, { label: 'None' }], multiple: true },
    ];
    const shownLabel = String.raw`Keep\u202e it`;
    const { call, shown } = await agentOf(accepts({ q1: shownLabel, q2: [shownLabel] }));
    const result = await call('ask_clarification', { question: 'Which\u001b]0;x\u0007?', questions });
    expect(result.structuredContent).toMatchObject({
      answers: [{ chosen: [hidden.label] }, { chosen: [hidden.label] }],
    });
    const { message, ...rest } = shown[0]?.params ?? {};
    expect(message).toContain(String.raw`Which\u001b]0;x\u0007?`);
    expect(rest).toMatchObject({
      requestedSchema: {
        properties: {
          q1: {
            title: String.raw`Data\u001b[2J`,
            description: expect.stringContaining(String.raw`the \u200bdata?`),
            oneOf: [{ const: shownLabel, title: String.raw`Keep\u202e it: safe\u001b[8m, deletes all` }, {}],
          },
        },
      },
    });
  });

  it('is shown again with what was wrong while what its user sends does not fit', async () => {
    const answers = [{ q1: 'SQLite' }, { q1: 'SQLite', q2: [], q2_words: 'all', q3: 'till' }];
    const { text, shown } = await agentOf((_, round) => ({
      action: 'accept',
      content: answers[round - 1] ?? {},
    }));
    expect(await text('ask_clarification', { questions: storeForm })).toContain('Features: all');
    expect(shown[1]?.params.message).toMatch(
      /^Not sent: Features has no answer; Name: of the service has no answer\./,
    );
  });

  it('waits for the other faces after three answers that do not fit', async () => {
    const { text, project, shown } = await agentOf(accepts({}));
    const said = text('request_help', help);
    await vi.waitFor(() => expect(shown).toHaveLength(3));
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { ...human, response: '9090' });
    expect(await said).toBe('9090');
    expect(shown).toHaveLength(3);
  });

  it('goes on at the other faces when the client fails to show it, and says so in a line', async () => {
    const { server, text, project } = await agentOf(() => Promise.reject(new Error('no\nwindow')));
    const problems: unknown[] = [];
    server.on('error', (problem) => problems.push(problem));
    const said = text('request_help', help);
    const { id } = await untilAsked(project);
    await vi.waitFor(() => expect(problems).not.toEqual([]));
    expect(problems).toEqual([`claude-code did not show question ${id}, which still waits: no window`]);
    await answerRequest(project, id, { ...human, response: '9090' });
    expect(await said).toBe('9090');
  });
});

/** A call ends by itself, long after its client would have shown the question. */
const limited = { clarification: { defaultTimeout: 1_000 } };

describe('a question is not shown in a client', () => {
  it.each<[string, Parameters<typeof agentOf>[1]]>([
    ['that cannot show forms', { capabilities: {} }],
    ['that shows only pages', { capabilities: { elicitation: { url: {} } } }],
    ['that nobody trusts with it', { name: 'some-script' }],
    ['where the configuration names none', { config: { elicitation: { clients: [] } } }],
  ])('%s', async (_, { config = {}, ...options } = {}) => {
    const user = accepts({ q1: '8080' });
    const { text, shown } = await agentOf(user, { ...options, config: { ...config, ...limited } });
    expect(await text('ask_clarification', { question: 'Which port?' })).toContain('No answer within 1 s');
    expect(shown).toEqual([]);
  });

  it('of an attempt that a runner has started: nobody sits there', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'clifford.json'), JSON.stringify(limited));
    await startAttempt(project, 'a', 'run-1');
    const prepare = (client: Client) =>
      client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { q1: '8080' } }));
    const env = { CLIFFORD_RUN_ID: 'run-1' };
    const agent = await connectAgent(root, { name: 'claude-code', capabilities: form, prepare, env });
    expect(await agent.text('ask_clarification', { question: 'Which port?' })).toContain(
      'No answer within 1 s',
    );
  });

  it('of a name that the configuration adds, it is', async () => {
    const config = { elicitation: { clients: ['some-editor'] } };
    const { text } = await agentOf(accepts({ q1: '8080' }), { name: 'some-editor', config });
    expect(await text('request_help', help)).toBe('8080');
  });
});
