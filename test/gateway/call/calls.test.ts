import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CallToolResultSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../mcp/support/connect-agent.ts';
import { callWith, progressLog } from '../../mcp/support/call-with.ts';
import { allowAll, fixture, gatewayAgent, listed } from '../../mcp/support/gateway-agent.ts';
import { published } from '../../mcp/support/gateway-servers.ts';
import { eventsOf, untilLogged } from '../../mcp/support/project-log.ts';

const handy = { servers: { it: fixture('handy.ts') }, policy: allowAll };

describe('the tools of other servers', () => {
  it('are listed behind our own', async () => {
    const { client } = await gatewayAgent(handy);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['get_sprint_context', 'request_help']);
    const first = names.findIndex((name) => name.startsWith('mcp__'));
    expect(names.slice(first).every((name) => name.startsWith('mcp__it__'))).toBe(true);
    expect(names).toContain('mcp__it__echo');
  });

  it('leave out what the policy denies, which is refused with the rule when it is called all the same', async () => {
    const policy = { ...allowAll, denylist: [{ server: 'it', tool: 'ec*' }] };
    const agent = await gatewayAgent({ ...handy, policy });
    expect(await listed(agent)).not.toContain('mcp__it__echo');
    const result = await agent.call('mcp__it__echo', { words: 'no' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('denylist[0] it/ec*');
    const [denied] = await untilLogged(agent.project, 'tool.denied');
    expect(denied?.data.rule).toBe('denylist[0] it/ec*');
    expect(await eventsOf(agent.project, 'tool.allowed', 'help.requested')).toEqual([]);
  });

  it('leave out one that can be called as a task only, and say so when it is called', async () => {
    const all = { command: process.execPath, args: [published.everything] };
    const agent = await gatewayAgent({ servers: { all }, policy: allowAll });
    expect(await listed(agent)).toContain('mcp__all__echo');
    expect(await listed(agent)).not.toContain('mcp__all__simulate-research-query');
    expect(await agent.text('mcp__all__simulate-research-query', {})).toContain('only be called as a task');
  });

  it.each(['mcp__it__ECHO', 'mcp__it__echo ', 'mcp__other__echo', 'mcp__it__no'])(
    'are called by their exact names: %j is none',
    async (name) => {
      const { call, client } = await gatewayAgent(handy);
      await client.listTools();
      const result = await call(name, {});
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(`Cannot call ${name.trim()}: there is no such tool`);
    },
  );

  it.each([
    ['mcp__it__ehco', '; did you mean "mcp__it__echo"?'],
    ['it__echo', '; did you mean "mcp__it__echo"?'],
    ['ehco', '; did you mean "mcp__it__echo"?'],
    ['request_halp', '; did you mean "request_help"?'],
    ['mcp__it__arguments_', ''],
  ])('are named to who calls what is not one of them, unless they are hidden: %s', async (name, meant) => {
    const { text } = await gatewayAgent({
      ...handy,
      policy: { ...allowAll, denylist: [{ server: 'it', tool: 'arguments' }] },
    });
    expect(await text(name, {})).toBe(
      `Cannot call ${name}: there is no such tool${meant || '.'} List the tools again, and take one of those by its exact name`,
    );
  });
});

describe('a call that is allowed', () => {
  it('returns what the server returned, and nothing else', async () => {
    const { client } = await gatewayAgent(handy);
    const args = { deep: [1, { two: null }], words: 'ü' };
    const params = { name: 'mcp__it__arguments', arguments: args };
    const result = await client.request({ method: 'tools/call', params }, ResultSchema);
    expect(result).toEqual({
      content: [{ type: 'text', text: 'done' }],
      structuredContent: args,
      _meta: { 'own/key': 1 },
      unknown: [1],
    });
  });

  it('returns what no version of the protocol knows, too, and what would break the connection as an error', async () => {
    const { client } = await gatewayAgent({ servers: { odd: fixture('odd.ts') }, policy: allowAll });
    const result = (name: string) =>
      client.request(
        { method: 'tools/call', params: { name: `mcp__odd__${name}`, arguments: {} } },
        ResultSchema,
      );
    expect(await result('new')).toEqual({
      content: [
        { type: 'text', text: 'known', shade: 'red' },
        { type: 'hologram', beams: 2 },
      ],
      unknown: [1],
      _meta: { 'own/key': 1 },
    });
    expect(await result('none')).toEqual({ content: [], structuredContent: { a: 1 } });
    expect(await result('wrong')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('it is not a tool result') as string }],
    });
  });

  it('is in the log before it runs, with its rule, in one append, and its end after it', async () => {
    const { call, project } = await gatewayAgent(handy);
    await call('mcp__it__echo', { words: 'hello' });
    const [returned] = await untilLogged(project, 'tool.returned');
    const [requested] = await eventsOf(project, 'tool.requested');
    const [allowed] = await eventsOf(project, 'tool.allowed');
    expect(requested?.data).toMatchObject({ server: 'it', tool: 'echo', args: { words: 'hello' } });
    expect(allowed?.data).toEqual({ callId: requested?.data.callId, rule: 'allowlist[0] */*' });
    expect(returned?.data).toMatchObject({ callId: requested?.data.callId, isError: false });
    expect(allowed?.streamversion).toBe((requested?.streamversion ?? 0) + 1);
  });

  it('hands nothing of the agent on but its arguments', async () => {
    const { client } = await gatewayAgent(handy);
    const params = { name: 'mcp__it__meta', arguments: {}, _meta: { 'secret/token': 'abc' } };
    const result = await client.request({ method: 'tools/call', params }, CallToolResultSchema);
    expect(textOf(result)).toBe('undefined');
  });

  it('passes progress on as it comes, for a client that wants it', async () => {
    const { client } = await gatewayAgent(handy);
    const { notes, onprogress } = progressLog();
    await callWith(client, 'mcp__it__progress', { count: 3 }, { onprogress });
    expect(notes.at(-1)).toEqual({ progress: 3, total: 3, message: 'm' });
  });

  it('is cancelled at its server when the agent cancels it, and the others go on', async () => {
    const { call, project, root, server } = await gatewayAgent(handy);
    const cancel = new AbortController();
    const hanging = call('mcp__it__hang', {}, cancel.signal);
    hanging.catch(() => undefined);
    await untilLogged(project, 'tool.allowed');
    // What was called later has been answered: the first call has reached the server.
    await call('mcp__it__echo', { words: 'hello' });
    cancel.abort('enough');
    await expect(hanging).rejects.toThrow('enough');
    const [failed] = await untilLogged(project, 'tool.failed');
    expect(failed?.data.error).toBe('the result did not reach the agent: enough');
    expect(textOf(await call('mcp__it__echo', { words: 'on' }))).toBe('on');
    await server.stop();
    const stderr = await readFile(join(root, '.clifford/mcp/it.log'), 'utf8');
    expect(stderr).toContain('cancelled: the call was cancelled');
  });

  it('says what a server said that refused it, and that a server was lost; another goes on', async () => {
    const servers = { it: fixture('handy.ts'), other: fixture('handy.ts') };
    const { call, project } = await gatewayAgent({ servers, policy: allowAll });
    expect(textOf(await call('mcp__it__refuse', {}))).toContain('words are missing');
    const lost = await call('mcp__it__die', { code: 7 });
    expect(lost.isError).toBe(true);
    expect(textOf(lost)).toMatch(/Cannot finish the tool die of the MCP server it: .*code 7/);
    expect(textOf(await call('mcp__other__echo', { words: 'here' }))).toBe('here');
    expect(textOf(await call('mcp__it__echo', { words: 'back' }))).toBe('back');
    const [event] = await untilLogged(project, 'server.lost');
    expect(event?.data.server).toBe('it');
    await untilLogged(project, 'server.connected', 3);
  });

  it('that takes longer than its server may take ends with an error', async () => {
    const servers = { it: fixture('handy.ts', { timeout: 100 }) };
    const { text } = await gatewayAgent({ servers, policy: allowAll });
    expect(await text('mcp__it__hang', {})).toContain('it took more than 0.1 s');
  });

  it('with arguments nested beyond all sense is refused', async () => {
    const { call } = await gatewayAgent(handy);
    let words: unknown = 'deep';
    for (let depth = 0; depth < 1_000; depth++) words = [words];
    const result = await call('mcp__it__echo', { words });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('nested more than 200 deep');
  });
});

describe('a result that is too large', () => {
  it('is kept whole in a file for its user alone, and the agent gets its beginning and the path', async () => {
    const { call, project, root } = await gatewayAgent(handy, { env: { CLIFFORD_MCP_RESULT_BYTES: '4096' } });
    const { content } = await call('mcp__it__large', { bytes: 10_000 });
    const [requested] = await untilLogged(project, 'tool.requested');
    const file = join(root, '.clifford/results', `${requested?.data.callId}.json`);
    const [beginning, note] = content;
    expect(beginning).toEqual({ type: 'text', text: 'x'.repeat(1_024) });
    expect(note).toMatchObject({ text: expect.stringContaining(file) as string });
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    expect(kept).toEqual({ content: [{ type: 'text', text: 'x'.repeat(10_000) }] });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('of a resource or a prompt is handed on in the form of its kind', async () => {
    const { client, root } = await gatewayAgent(
      { servers: { it: fixture('lengthy.ts') }, policy: allowAll },
      { env: { CLIFFORD_MCP_RESULT_BYTES: '4096' } },
    );
    const note = expect.stringContaining(join(root, '.clifford/results')) as string;
    const { contents } = await client.readResource({ uri: 'mcp://it/a:1' });
    const uri = 'mcp://it/a:1';
    expect(contents).toMatchObject([
      { uri, text: 'z'.repeat(1_024) },
      { uri, text: note },
    ]);
    const { messages } = await client.getPrompt({ name: 'mcp__it__long' });
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: 'z'.repeat(1_024) } },
      { role: 'user', content: { type: 'text', text: note } },
    ]);
  });

  it('is handed on whole below the limit', async () => {
    const { text } = await gatewayAgent(handy);
    expect(await text('mcp__it__large', { bytes: 200_000 })).toHaveLength(200_000);
  });
});
