import { describe, expect, it } from 'vitest';
import { mcp, mcpJson, mcpProject, server, trustedProject } from './mcp-command.ts';

/** The characters of a text that act on a terminal, or cannot be seen. */
const hidden = (text: string) => text.match(/(?!\n)[\p{Cc}\p{Cf}]/gu) ?? [];

describe('clifford mcp inspect', () => {
  it('shows the tools of a server with their arguments, its resources and its prompts', async () => {
    const policy = { allowlist: [{ server: 'every', tool: 'echo' }] };
    const root = await trustedProject({ servers: { every: server('everything') }, policy });
    const { code, out, err } = await mcp(root, ['inspect', 'every']);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/^every {2}mcp-servers\/everything \S+, protocol \d{4}-\d\d-\d\d\n/);
    expect(out).toContain('tools: 13 (allow 1, confirm 12)\n');
    expect(out).toContain(
      '\n  echo  allow\n    Echoes back the input string\n      message (string): Message to echo\n',
    );
    expect(out).toMatch(/\nresources: 7\n {2}demo:\/\/resource\//);
    expect(out).toMatch(/\nresource templates: 2\n/);
    expect(out).toMatch(/\nprompts: 4\n {2}simple-prompt/);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('cuts long descriptions behind a word', async () => {
    const root = await trustedProject({ servers: { fs: server('filesystem', { args: ['.'] }) } });
    const { out } = await mcp(root, ['inspect', 'fs']);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('Use this tool when you need to …');
  });

  it('says of a server that cannot be used where the mistake is, and what to do', async () => {
    const wrong = server('handy.ts', { env: { TOKEN: '${CLIFFORD_NO_SUCH_VARIABLE}' } });
    const root = await trustedProject({ servers: { wrong } });
    const { code, err } = await mcp(root, ['inspect', 'wrong']);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^clifford: Cannot use the server wrong: servers\.wrong\.env\.TOKEN uses the variable \w+, which is not set \(\S+mcp\.json:\d+:\d+\)\n {2}Set it in the environment/,
    );
  });

  it('shows one tool in full', async () => {
    const root = await trustedProject({ servers: { every: server('everything') } });
    const { out } = await mcp(root, ['inspect', 'every', 'echo']);
    expect(out).toContain('agents call it  mcp__every__echo\n');
    expect(out).toContain('"inputSchema": {\n');
    const { json } = await mcpJson(root, ['inspect', 'every', 'echo']);
    expect(json).toMatchObject({ name: 'echo', decision: 'confirm', definition: { name: 'echo' } });
  });

  it('makes visible what a server hides in its texts', async () => {
    const root = await trustedProject({ servers: { it: server('sly.ts') } });
    const { out } = await mcp(root, ['inspect', 'it']);
    expect(out).toContain(String.raw`\u001b[2Jhidden\u202e`);
    expect(hidden(out)).toEqual([]);
    const { out: full } = await mcp(root, ['inspect', 'it', 'sly']);
    expect(hidden(full)).toEqual([]);
  });

  it('has the raw definitions for programs', async () => {
    const root = await trustedProject({ servers: { it: server('handy.ts') } });
    const { code, json } = await mcpJson(root, ['inspect', 'it']);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      id: 'it',
      server: { name: 'fixture' },
      resources: [{ uri: 'a:1' }, { uri: 'a:2' }],
      tools: expect.arrayContaining([
        expect.objectContaining({
          exposed: 'mcp__it__echo',
          standing: 'new',
          definition: expect.objectContaining({ 'x-own': { kept: true } }),
        }),
      ]),
    });
  });

  it.each([
    ['nobody', [], 'Cannot find the server nobody:', 'Name one of: it, crash, off'],
    ['crush', [], 'did you mean "crash"?', 'Name one of'],
    ['off', [], 'Cannot use the server off: it is disabled in mcp.json', 'Remove "disabled" from'],
    ['it', ['ekho'], 'Cannot find the tool ekho: it has no such tool; did you mean "echo"?', 'inspect it'],
    ['crash', [], 'Cannot use the server crash: it exited with code 3;', 'clifford mcp doctor'],
  ])('refuses with 2 what is not there: %s %j', async (id, more, message, fix) => {
    const servers = {
      it: server('handy.ts'),
      crash: server('crash-at-start.ts', { args: ['started'] }),
      off: server('handy.ts', { disabled: true }),
    };
    const { code, err } = await mcp(await trustedProject({ servers }), ['inspect', id, ...more]);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain(fix);
  });

  it('starts nothing that nobody has trusted', async () => {
    const root = await mcpProject({ servers: { it: server('handy.ts') } });
    const { code, err } = await mcp(root, ['inspect', 'it']);
    expect(code).toBe(2);
    expect(err).toContain(
      'nobody has trusted it yet\n  Look at what it would run, and trust it, with: clifford mcp trust',
    );
  });
});
