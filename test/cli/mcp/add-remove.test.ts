import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempRoot } from '../../helpers/temp-project.ts';
import { mcp, mcpJson, mcpProject } from './mcp-command.ts';

const textOf = (root: string) => readFile(join(root, 'mcp.json'), 'utf8');

describe('clifford mcp add', () => {
  it('makes the file, and says what comes next', async () => {
    const root = await tempRoot();
    const command = ['--', 'npx', '-y', 'a-server', '.'];
    const { code, out } = await mcp(root, ['add', 'fs', '--env', 'TOKEN', '--env', 'MODE=a=b', ...command]);
    expect(code).toBe(0);
    expect(JSON.parse(await textOf(root))).toEqual({
      servers: {
        fs: { command: 'npx', args: ['-y', 'a-server', '.'], env: { TOKEN: '${TOKEN}', MODE: 'a=b' } },
      },
    });
    expect(out).toMatch(/^fs added to .*mcp\.json\n {4}runs {5}npx -y a-server \.\n/);
    expect(out).toMatch(/\nnext: clifford mcp trust, then clifford mcp list\n$/);
  });

  it('keeps the rest of the file, and takes a server behind a URL', async () => {
    const root = await mcpProject('{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" },\n  },\n}\n');
    const args = [
      '--url',
      'https://example.com/mcp',
      '--header',
      'Authorization: Bearer ${T}',
      '--no-auto-start',
    ];
    const { code, err } = await mcp(root, ['add', 'far', ...args]);
    expect(code).toBe(0);
    expect(err).toMatch(/note: .*the variable T, which is not set/);
    const text = await textOf(root);
    expect(text).toContain('// mine');
    expect(text).toMatch(
      /"far": \{\s+"url": "https:\/\/example\.com\/mcp",\s+"headers": \{\s+"Authorization": "Bearer/,
    );
    expect(text).toContain('"autoStart": false');
  });

  it('replaces a server only with --force, and never shows a secret', async () => {
    const root = await mcpProject({ servers: { fs: { command: 'x' } } });
    const add = ['add', 'fs', '--env', 'API_KEY=sk-0123456789abcdef0123'];
    const refused = await mcp(root, [...add, '--', 'y']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('Cannot add fs: another server of this name already exists in');
    expect(await textOf(root)).toContain('"x"');
    const { code, out, err } = await mcp(root, [...add, '--force', '--', 'y']);
    expect(code).toBe(0);
    expect(out + err).toContain('looks like a secret');
    expect(out + err).not.toContain('sk-0123');
    expect(await textOf(root)).toContain('"y"');
  });

  it.each([
    [['a__b', '--', 'x'], 'Cannot add "a__b": the id must not have __'],
    [['fs'], 'Cannot add fs: it needs a command, or a URL'],
    [
      ['fs', 'npx', '-y', 'x'],
      "Cannot add a server: unknown option '-y'\n  Put the command of the server behind --",
    ],
    [['fs', '--url', 'http://example.com'], 'servers.fs.url must begin with https:'],
    [['fs', '--url', 'https://example.com', '--', 'x'], 'servers.fs.url cannot be combined with command'],
    [['fs', '--env', '=x', '--', 'x'], 'Cannot read --env: it has no name'],
  ])('refuses %j and leaves the file alone', async (args, message) => {
    const root = await tempRoot();
    const { code, err } = await mcp(root, ['add', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(existsSync(join(root, 'mcp.json'))).toBe(false);
  });
});

describe('clifford mcp remove', () => {
  it('takes a server out', async () => {
    const root = await mcpProject(
      '{\n  "servers": {\n    "a": { "command": "x" }, // the first\n    "b": { "command": "y" }\n  }\n}\n',
    );
    const { code, out } = await mcp(root, ['remove', 'a']);
    expect({ code, out }).toEqual({ code: 0, out: `removed a from ${join(root, 'mcp.json')}\n` });
    expect(await textOf(root)).toBe('{\n  "servers": {\n    "b": { "command": "y" }\n  }\n}\n');
  });

  it('tells of rules that name a server which is gone: they make the policy one that refuses', async () => {
    const root = await mcpProject({
      servers: { a: { command: 'x' }, b: { command: 'y' } },
      policy: { allowlist: [{ server: 'a', tool: '*' }] },
    });
    const { code, err } = await mcp(root, ['remove', 'a']);
    expect(code).toBe(0);
    expect(err).toMatch(/note: .*allowlist\[0\]\.server "a" matches no server/);
    expect(err).toContain('note: until that is corrected, every call is denied\n');
  });

  it('knows no server that is not there', async () => {
    const root = await mcpProject({ servers: { files: { command: 'x' } } });
    const { code, err } = await mcp(root, ['remove', 'file']);
    expect(code).toBe(2);
    expect(err).toContain('has no such server; did you mean "files"?');
    expect(await mcpJson(root, ['remove', 'files'])).toMatchObject({
      code: 0,
      json: { removed: 'files', notes: [] },
    });
  });
});
