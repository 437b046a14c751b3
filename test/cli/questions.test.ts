import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ADHOC_STREAM } from '../../src/events/adhoc-stream.ts';
import type { RequestState } from '../../src/machines/project-state.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordDetached } from '../../src/workflow/requests/deliver.ts';
import { approval } from '../helpers/approval.ts';
import { clifford, followClifford, startClifford } from '../helpers/clifford-process.ts';
import { projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

const agent = { id: 'agent-1', client: 'demo-agent' };
const human = { by: 'ada', via: 'tui' };
const listed = z.object({
  id: z.string(),
  sprint: z.string(),
  task: z.string().optional(),
  question: z.string(),
  options: z.array(z.string()),
  phase: z.string(),
  isAwaited: z.boolean(),
  asker: z.string(),
  answer: z.object({ response: z.string(), by: z.string(), via: z.string() }).optional(),
});

function askPort(project: Project, question = 'Which port?'): Promise<RequestState> {
  return ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question });
}

function askDatabase(project: Project): Promise<RequestState> {
  const options = ['Postgres', 'SQLite'];
  const what = { kind: 'clarification', question: 'Which database?', options } as const;
  return ask(project, { stream: ADHOC_STREAM, agent, ...what });
}

describe('clifford questions', () => {
  it('says that no question is open', async () => {
    const root = await tempRoot();
    expect(await clifford(['questions'], { cwd: root })).toMatchObject({
      code: 0,
      out: 'No question is open\n',
    });
    expect(await clifford(['questions', '--json'], { cwd: root })).toMatchObject({ code: 0, out: '[]\n' });
  });

  it('hides and reorders nothing on a terminal that shows the JSON, and loses nothing', async () => {
    const { root, project } = await projectWithSprint();
    const question = 'Delete \u202etxt.exe\u200b\u{e0041}\u009b2J?';
    await askPort(project, question);
    const commands = [['questions'], ['status', 'demo']];
    for (const command of commands) {
      const { out } = await clifford([...command, '--json'], { cwd: root });
      expect(out).toContain(String.raw`Delete \u202etxt.exe\u200b\udb40\udc41\u009b2J?`);
      expect(JSON.stringify(JSON.parse(out))).toContain(JSON.stringify(question));
    }
  });

  it.each<[words: string, said: { readonly secret?: boolean }]>([
    ['[sudo] password for ada:', {}],
    ['Kata laluan:', { secret: true }],
  ])('says of a prompt that it is one, and warns where it asks for a secret: %s', async (words, said) => {
    const { root, project } = await projectWithSprint();
    const prompt = { kind: 'prompt', task: 'a', question: words } as const;
    await ask(project, { stream: 'demo', agent, ...prompt, ...said });
    const { out } = await clifford(['questions'], { cwd: root });
    expect(out).toMatch(/demo\/a: demo-agent came to a prompt .* ago and waits\n/);
    expect(out).toContain('    note: answers are kept in the log as they are, secrets too\n');
    const { err } = await clifford(['answer', 'last', 'correct horse'], { cwd: root });
    expect(err).toBe('note: this looks like a secret; answers are kept in the log as they are\n');
  });

  it('shows nowhere what was typed at a prompt, but to programs', async () => {
    const { root, project } = await projectWithSprint();
    const prompt = { kind: 'prompt', question: 'Passwort:' } as const;
    const { id } = await ask(project, { stream: 'demo', agent, ...prompt });
    const followed = followClifford(['questions', '--watch'], { cwd: root });
    await followed.printed(/Passwort:/);
    const commands = [
      ['answer', id, 'sonnen_blume9'],
      ['answer', id, 'me too'],
      ['questions', '--all'],
      ['replay', 'demo'],
      ['replay', 'demo', '--changes-since', '1'],
    ];
    const asked = await clifford(['ask', '--request', id], { cwd: root });
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toContain('a program asks that at its prompt');
    const hidden = "[not shown: it answers a program's prompt]";
    for (const command of commands) {
      const { out, err } = await clifford(command, { cwd: root });
      expect((out + err).replaceAll(/\s+/g, ' '), command.join(' ')).toContain(hidden);
      expect(out + err).not.toContain('sonnen_blume9');
    }
    await followed.printed(/was answered[^]*not shown/);
    const { out } = await clifford(['questions', '--all', '--json'], { cwd: root });
    expect(out).toContain('sonnen_blume9');
  });

  it('lists those that are open, what somebody waits for first, each with who asks and how to answer', async () => {
    const { root, project } = await projectWithSprint();
    const port = await askPort(project);
    await askDatabase(project);
    await recordDetached(project, port, { agentId: agent.id, why: 'cancelled' });
    const { code, out } = await clifford(['questions'], { cwd: root });
    expect(code).toBe(0);
    const lines = out
      .replaceAll(/q-[0-9a-f-]+/g, 'q-…')
      .replaceAll(/\d[\d.]* m?s ago/g, '1 s ago')
      .split('\n');
    expect(lines).toEqual([
      'q-… adhoc: demo-agent asked 1 s ago and waits',
      '    Which database?',
      '    1. Postgres',
      '    2. SQLite',
      '    answer with: clifford answer q-… "…"',
      '    or, by its number, with: --option <n>',
      '',
      'q-… demo/a: demo-agent asked 1 s ago; no agent waits now, the next attempt is told',
      '    Which port?',
      '    answer with: clifford answer q-… "…"',
      '',
    ]);
  });

  it('promises no next attempt outside of a sprint', async () => {
    const { root } = await projectWithSprint();
    await clifford(['ask', 'Which port?', '--task', 'zz', '--wait', '1'], { cwd: root });
    const { out } = await clifford(['questions'], { cwd: root });
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'no agent waits now, whoever asks the same again gets the answer',
    );
  });

  it('lists what may do more before what has waited longer, as the overview does; with --all in their time', async () => {
    const { root, project } = await projectWithSprint();
    const asked = await askPort(project);
    const call = await askApproval(project, { stream: 'demo', agent, approval });
    const ids = async (...options: string[]) => {
      const { out } = await clifford(['questions', '--json', ...options], { cwd: root });
      return z
        .array(listed)
        .parse(JSON.parse(out))
        .map(({ id }) => id);
    };
    expect(await ids()).toEqual([call.id, asked.id]);
    expect(await ids('--all')).toEqual([asked.id, call.id]);
  });

  it('gives each a short id that answers it', async () => {
    const { root, project } = await projectWithSprint();
    for (const question of ['One?', 'Two?', 'Three?']) await askPort(project, question);
    const { out } = await clifford(['questions'], { cwd: root });
    const ids = [...out.matchAll(/^(q-\S+)/gm)].map(([id]) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id.length < 30)).toBe(true);
    const [first = ''] = ids;
    expect(await clifford(['answer', first, 'yes'], { cwd: root })).toMatchObject({
      code: 0,
      out: expect.stringContaining('(One?): yes'),
    });
  });

  it('is a JSON array for programs', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await askPort(project);
    await askDatabase(project);
    const { out } = await clifford(['questions', '--json'], { cwd: root });
    const [port, database] = z.array(listed).parse(JSON.parse(out));
    expect(port).toEqual({
      id,
      sprint: 'demo',
      task: 'a',
      question: 'Which port?',
      options: [],
      phase: 'open',
      isAwaited: true,
      asker: 'demo-agent',
    });
    expect(database?.options).toEqual(['Postgres', 'SQLite']);
  });

  it('lists with --all those that have ended, too, and how', async () => {
    const { root, project } = await projectWithSprint();
    const end = async (question: string, close: (id: string) => Promise<unknown>) =>
      close((await askPort(project, question)).id);
    await end('One?', (id) => answerRequest(project, id, { response: 'yes', ...human }));
    await end('Two?', (id) => answerRequest(project, id, { response: 'no', rejected: true, ...human }));
    await end('Three?', (id) => dismissRequest(project, id, { reason: 'moot', ...human }));
    await askPort(project, 'Four?');
    const { out } = await clifford(['questions', '--all'], { cwd: root });
    expect(out).toMatch(/One\?\n {4}answered by ada on the screen, which no agent has received yet: yes\n/);
    expect(out).toMatch(/Two\?\n {4}rejected by ada on the screen, .*: no\n/);
    expect(out).toMatch(/Three\?\n {4}dismissed by ada on the screen: moot\n/);
    expect(out).toMatch(/Four\?\n {4}answer with: /);
  });
});

describe('clifford questions --watch', () => {
  it('prints each that opens or ends, until Ctrl-C', async () => {
    const { root, project } = await projectWithSprint();
    await askPort(project, 'First?');
    const watching = startClifford(['questions', '--watch'], { cwd: root });
    await watching.printed(/First\?/);
    const { id } = await askPort(project, 'Second?');
    await watching.printed(/Second\?\n {4}answer with/);
    await answerRequest(project, id, { response: 'yes', ...human });
    await watching.printed(
      new RegExp(`${id.slice(0, 15)}\\S* demo\\S*: was answered by ada on the screen: yes\n`),
    );
    await project.dispatch('demo', () => [
      { type: 'task.completed', subject: 'demo/a', data: { by: 'agent' } },
    ]);
    await watching.printed(/was dismissed by agent automatically: task completed while it was open\n/);
    watching.kill('SIGINT');
    expect(await watching.ended).toMatchObject({ code: 130, err: '' });
  });

  it('is one JSON object per line for programs', async () => {
    const { root, project } = await projectWithSprint();
    const first = await askPort(project, 'First?');
    const watching = startClifford(['questions', '--watch', '--json'], { cwd: root });
    await watching.printed(/First/);
    const second = await askPort(project, 'Second?');
    await watching.printed(/Second/);
    await answerRequest(project, first.id, { response: 'yes', ...human });
    await watching.printed(/"response":"yes"/);
    watching.kill('SIGTERM');
    const { code, out } = await watching.ended;
    expect(code).toBe(130);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => listed.parse(JSON.parse(line)));
    expect(lines.map(({ id, phase }) => [id, phase])).toEqual([
      [first.id, 'open'],
      [second.id, 'open'],
      [first.id, 'answered'],
    ]);
    expect(lines.at(-1)?.answer).toEqual({ response: 'yes', ...human });
  });

  it('ends by itself when nobody reads it any more', async () => {
    const { root, project } = await projectWithSprint();
    await askPort(project, 'First?');
    const watching = startClifford(['questions', '--watch'], { cwd: root });
    await watching.printed(/First\?/);
    watching.closeOutput();
    expect(await watching.ended).toMatchObject({ code: 0 });
  });
});
