import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tempRoot } from '../../helpers/temp-project.ts';
import { jsonValues } from '../../helpers/json-arbitrary.ts';
import { ofType } from '../support/acp-sprint.ts';
import { editorHere, editorSide, options, permission } from '../support/editor-side.ts';

/** An agent that says back what it hears, byte by byte: what an editor says goes both ways. */
const echo = ['cat'];

describe('clifford acp between an editor and its agent', () => {
  it('passes every line on as the bytes it was, in order', async () => {
    const lines = fc.sample(
      fc.oneof(
        jsonValues().map((value) => JSON.stringify(value)),
        fc
          .record({ jsonrpc: fc.constant('2.0'), id: jsonValues(), method: fc.string(), _meta: jsonValues() })
          .map((value) => JSON.stringify(value, null, ' ').replaceAll('\n', '')),
        fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '')),
        fc.constantFrom(
          '',
          '{',
          '\r',
          '{"id":9007199254740993,"method":"a/b","id":1}',
          '[{"method":"x"},2]',
          '\uFEFF{}',
        ),
      ),
      { numRuns: 400, seed: 7 },
    );
    const sent = Buffer.concat([
      Buffer.from(lines.join('\n')),
      Buffer.from([0x0a, 0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from('without an end'),
    ]);
    const editor = await editorSide(echo);
    editor.child.stdin.end(sent);
    expect(await editor.ended).toEqual({ code: 0, signal: null, err: '' });
    expect(editor.bytes().equals(sent)).toBe(true);
  });

  it('passes a message of 50 MB on', async () => {
    const editor = await editorSide(echo);
    const message = `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { text: 'ä'.repeat(25_000_000) } })}\n`;
    editor.child.stdin.end(message);
    expect((await editor.ended).code).toBe(0);
    expect(editor.bytes().equals(Buffer.from(message))).toBe(true);
  });

  it('takes a prompt for permission for one with white space around it that JSON does not know, as editors do', async () => {
    const editor = await editorHere(echo);
    for (const [id, space] of ['\uFEFF', '\u00A0', '\v'].entries())
      editor.write(`${space}${JSON.stringify(permission(id, `rm ${id}`))}${space}\n`);
    const ids = [1, 2, 3].map(async (nth) => (await editor.prompt(nth)).id);
    for (const id of await Promise.all(ids)) expect(id).toBeGreaterThan(2);
    expect(editor.heard).toHaveLength(3);
  });

  it('takes a prompt for permission out of a batch, and passes the rest on', async () => {
    const editor = await editorHere(echo);
    const others = [{ jsonrpc: '2.0', id: 'a', result: {} }, 5];
    editor.say([...others, permission(1, 'rm -rf x')]);
    const prompt = await editor.prompt();
    expect(prompt.id).not.toBe(1);
    expect(editor.bytes().toString('utf8').split('\n')[0]).toBe(JSON.stringify(others));
  });

  it('leaves nothing in a folder where an agent has only talked', async () => {
    const root = await tempRoot();
    await rm(join(root, '.clifford'), { recursive: true });
    const editor = await editorHere(echo, { root });
    editor.say({ id: 1, method: 'session/new', params: { cwd: root, mcpServers: [] } });
    await editor.hear(() => editor.heard[0]);
    editor.leave();
    expect((await editor.ended).code).toBe(0);
    expect(existsSync(join(root, '.clifford'))).toBe(false);
  });

  it('records what the agent does unasked, and nothing of what a loaded session tells again', async () => {
    const editor = await editorHere(echo);
    const update = (toolCallId: string, status: string) => ({
      method: 'session/update',
      params: {
        sessionId: 's',
        update: {
          sessionUpdate: status === 'in_progress' ? 'tool_call' : 'tool_call_update',
          toolCallId,
          status,
          kind: 'execute',
          title: 'A command',
          rawInput: { command: `echo ${toolCallId}`, token: 'sk-ant-REDACTED' },
        },
      },
    });
    editor.say(
      { id: 7, method: 'session/load', params: { cwd: editor.root, sessionId: 's' } },
      update('old', 'in_progress'),
      update('old', 'completed'),
      { id: 7, result: {} },
      update('new', 'in_progress'),
      update('new', 'completed'),
    );
    editor.leave();
    expect((await editor.ended).code).toBe(0);
    const events = await editor.events();
    expect(events.map(({ source, type, subject }) => [source, type, subject])).toEqual([
      ['/clifford/editor', 'tool.requested', 'adhoc'],
      ['/clifford/editor', 'tool.returned', 'adhoc'],
      ['/clifford/editor', 'tool.unasked', 'adhoc'],
    ]);
    expect(events[0]?.data).toMatchObject({ server: '@cat', tool: 'execute', args: { command: 'echo new' } });
    expect(JSON.stringify(events)).not.toContain('abcdefghijklmnop');
  });

  it('tells of what the agent did without asking and should not have, and passes it on', async () => {
    const editor = await editorHere(echo);
    const over = (toolCallId: string, kind: string, status: string, rawInput: object) => ({
      jsonrpc: '2.0',
      method: 'session/update',
      params: {
        sessionId: 's',
        update: { sessionUpdate: 'tool_call', toolCallId, kind, status, title: 'A call', rawInput },
      },
    });
    const calls = [
      over('inside', 'edit', 'completed', { path: 'a' }),
      over('tried', 'execute', 'failed', { command: 'git push' }),
      over('ran', 'execute', 'completed', { command: 'git push' }),
      over('again', 'execute', 'completed', { command: 'git push -f' }),
      over('hook', 'edit', 'completed', { path: '.git/hooks/pre-commit' }),
      over('other', 'edit', 'completed', { path: '.git/config' }),
    ];
    editor.say(...calls);
    await editor.hear(() => editor.told()[2]);
    expect(editor.told().toSorted()).toEqual([
      'Clifford: edit .git/config, without asking: it is denied (protected .git)',
      'Clifford: edit .git/hooks/pre-commit, without asking: it is denied (protected .git)',
      expect.stringMatching(/^Clifford: execute git push.*, without asking: a human has to allow it/),
    ]);
    expect(editor.heard.filter(({ params }) => params?.update?.sessionUpdate === 'tool_call')).toEqual(calls);
    editor.leave();
    await editor.ended;
    const events = await editor.events();
    const callIds = ofType(events, 'tool.requested').map(({ data }) => data.callId);
    const unasked = ofType(events, 'tool.unasked').map(({ data }) => data);
    expect(unasked).toHaveLength(4);
    expect(unasked.filter(({ about }) => about.includes('hooks'))).toEqual([
      {
        callId: callIds[4],
        kind: 'edit',
        about: '.git/hooks/pre-commit',
        title: 'A call',
        decision: 'deny',
        rule: 'protected .git',
        agent: 'cat',
      },
    ]);
  });

  it('does not make the home folder a project', async () => {
    const home = await tempRoot();
    await rm(join(home, '.clifford'), { recursive: true });
    await mkdir(join(home, 'work', '.git'), { recursive: true });
    const editor = await editorSide(echo, { root: home, env: { HOME: home, CLIFFORD_PROJECT_ROOT: '' } });
    const open = (id: number, cwd: string) => ({
      id,
      method: 'session/new',
      params: { cwd, mcpServers: [] },
    });
    editor.say(open(1, home), open(2, join(home, 'work')));
    const [refused, opened] = await editor.hear(() => (editor.heard.length === 2 ? editor.heard : undefined));
    expect(refused).toMatchObject({
      id: 1,
      error: { code: -32_602, message: expect.stringContaining(home) },
    });
    expect(opened).toEqual(open(2, join(home, 'work')));
    editor.leave();
    await editor.ended;
  });

  it('answers what is no request for permission with an error, and shows nothing', async () => {
    const editor = await editorHere(echo);
    editor.say({ id: 3, method: 'session/request_permission', params: { sessionId: 's', options } });
    expect((await editor.answerTo(3)).error?.code).toBe(-32_602);
    expect(editor.heard).toHaveLength(1);
    editor.leave();
    await editor.ended;
  });
});
