import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { mcp, mcpJson, mcpOnTerminal, mcpProject, policy, server } from './mcp-command.ts';

const trustFile = (root: string) => join(root, 'state/clifford/trusted.json');
const crash = { servers: { crash: server('crash-at-start.ts', { args: ['started'] }) } };

describe('clifford mcp trust', () => {
  it('shows what would run, and without a terminal remembers nothing', async () => {
    const servers = {
      fs: { command: 'npx', args: ['-y', 'a-server', 'two words', ''], cwd: 'app', env: { TOKEN: 'x' } },
      far: { url: 'https://ada:pw@example.com/mcp?api_key=abc', headers: { 'X-Key': 'abcdefgh' } },
      near: { url: 'http://localhost:1/mcp', trust: 'full', disabled: true },
    };
    const policy = { default: 'deny', allowlist: [{ server: '*', tool: '*' }] };
    const root = await mcpProject({ servers, policy });
    const { code, out, err } = await mcp(root, ['trust']);
    expect(code).toBe(2);
    expect(out).toContain(
      [
        '  fs',
        '    runs     npx -y a-server "two words" ""',
        '    in       app',
        '    env      TOKEN=•••',
        '  far (cannot be used as it is)',
        '    reaches  https://•••@example.com/mcp?api_key=•••',
        '    headers  X-Key=•••',
        '  near (disabled)',
        '    reaches  http://localhost:1/mcp',
        '    trust    full: what it says of its own tools is believed',
        '  policy',
        '    allow    allowlist[0] */*',
        '    deny     every other call',
        '',
      ].join('\n'),
    );
    expect(err).toContain('Cannot ask whether you trust this: there is no terminal');
    expect(existsSync(trustFile(root))).toBe(false);
  });

  it('shows what hides in a command', async () => {
    const root = await mcpProject({
      servers: { fs: { command: 'npx', args: ['\u001b[2K\u202Efdp', 'a\nb', 'a\u2028b'] } },
    });
    const { out } = await mcp(root, ['trust']);
    expect(out).toContain(String.raw`    runs     npx "\u001b[2K\u202efdp" "a\nb" "a\u2028b"`);
  });

  it('with --yes lets the servers start, until something changes', async () => {
    const root = await mcpProject(crash);
    expect(await mcp(root, ['trust', '--yes'])).toMatchObject({ code: 0, err: '' });
    expect((await stat(trustFile(root))).mode & 0o777).toBe(0o600);
    expect((await mcp(root, ['trust'])).out).toMatch(/trusted already, as it is\n$/);
    await mcp(root, ['list']);
    const started = await readFile(join(root, 'started'), 'utf8');

    await writeMcpJson(root, { ...crash, policy: { default: 'allow' } });
    const { code, out } = await mcp(root, ['list']);
    expect(code).toBe(1);
    expect(out.replaceAll('\n', ' ')).toContain(
      'it has changed since it was trusted (the policy has changed)',
    );
    expect(await readFile(join(root, 'started'), 'utf8')).toBe(started);
    expect((await mcp(root, ['trust'])).out).toContain(
      'changed since you trusted it: the policy has changed\n',
    );
  });

  it('says with --json whether it is trusted, and asks nothing', async () => {
    const root = await mcpProject(crash);
    expect(await mcpJson(root, ['trust'])).toMatchObject({
      code: 1,
      json: { root, trusted: false, servers: [{ id: 'crash' }] },
    });
    expect(await mcpJson(root, ['trust', '--yes'])).toMatchObject({ code: 0, json: { trusted: true } });
    expect(await mcpJson(root, ['trust'])).toMatchObject({ code: 0, json: { trusted: true } });
  });

  it('is not for the shell of an agent', async () => {
    const root = await mcpProject(crash);
    const { code, err } = await mcp(root, ['trust', '--yes'], { env: { CLIFFORD_RUN_ID: 'run-1' } });
    expect(code).toBe(1);
    expect(err).toContain('this is the shell of an agent (run run-1), and a human decides');
    expect(existsSync(trustFile(root))).toBe(false);
  });

  it('is for the policy as its variables say it, whatever an agent sets them to', async () => {
    const keys = { server: 'fs', tool: '*', args: { path: { below: '${HOME}/.ssh' } } };
    const servers = { fs: { command: 'true', disabled: true } };
    const root = await mcpProject({ servers, policy: { default: 'allow', denylist: [keys] } });
    const isTrusted = async (HOME: string) =>
      (await mcpJson(root, ['list'], { env: { HOME } })).json['trusted'];
    await mcp(root, ['trust', '--yes'], { env: { HOME: root } });
    expect(await isTrusted(root)).toBe(true);
    expect(await isTrusted('/nowhere')).toBe(false);
  });

  it('is not remembered for what CLIFFORD_TRUST_PROJECT trusts', async () => {
    const root = await mcpProject(crash);
    await mcp(root, ['list'], { env: { CLIFFORD_TRUST_PROJECT: '1' } });
    expect(existsSync(join(root, 'started'))).toBe(true);
    expect(existsSync(trustFile(root))).toBe(false);
    expect(await mcpJson(root, ['trust'], { env: { CLIFFORD_TRUST_PROJECT: '1' } })).toMatchObject({
      code: 1,
    });
  });

  it('has nothing to trust where there is no file, or no server', async () => {
    const root = await mcpProject('{ "policy": { "default": "allow" } }');
    expect(await mcp(root, ['trust'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^nothing to trust: \S+mcp\.json has no servers, and allows agents nothing\n$/,
      ),
    });
  });

  it('is said anew to a run under way by a person, and by no agent', async () => {
    const root = await mcpProject('{ "policy": { "agents": { "rules": [] } } }');
    const said = async () => JSON.parse(await readFile(trustFile(root), 'utf8')).projects[root]?.at;
    await mcp(root, ['trust'], { env: { CLIFFORD_RUN_ID: 'run-1' } });
    expect(existsSync(trustFile(root))).toBe(false);
    await mcp(root, ['trust']);
    const first = await said();
    await mcp(root, ['trust']);
    expect(await said()).not.toBe(first);
  });

  it('is asked for what lets an agent go on that acts without asking', async () => {
    const root = await mcpProject('{ "policy": { "agents": { "unasked": "record" } } }');
    expect(await mcp(root, ['trust', '--yes'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('    record   an attempt whose agent acts without asking\n'),
    });
    const stricter = await mcpProject('{ "policy": { "agents": { "unasked": "stop" } } }');
    expect((await mcp(stricter, ['trust'])).out).toMatch(/^nothing to trust: /);
  });

  it('is asked for what agents may do unasked, also where there is no server', async () => {
    const root = await mcpProject('{ "policy": { "agents": { "ask": "nothing" } } }');
    const judge = ['judge', 'execute', '--command', 'npm test'];
    expect(await policy(root, judge)).toMatchObject({
      out: expect.stringContaining('decision  confirm'),
      err: expect.stringContaining('nobody has trusted it'),
    });
    expect(await mcp(root, ['trust', '--yes'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('every other call: nobody is asked'),
    });
    expect(await policy(root, judge)).toMatchObject({
      out: expect.stringContaining('decision  allow'),
      err: '',
    });
    expect(await policy(root, ['judge', 'dance'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Use one of: read, edit'),
    });
  });

  it('is nothing that is said of a file that cannot be read', async () => {
    const root = await mcpProject('{ "servers": ');
    for (const options of [[], ['--yes'], ['--json']]) {
      const { code, out, err } = await mcp(root, ['trust', ...options]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(
        /^clifford: Cannot trust \S+mcp\.json: it is not JSON: .* \(\S+:1:14\)\n {2}Correct it/,
      );
    }
  });

  it.each([
    ['y', 0, true],
    ['n', 1, false],
    ['\u0003', 130, false],
  ])('asks on a terminal, and takes only a yes: %j', async (key, code, isTrusted) => {
    const root = await mcpProject(crash);
    const screen = mcpOnTerminal(root, ['trust']);
    await screen.see('Trust this? [y/N]');
    screen.press(key === '\u0003' ? key : `${key}\r`);
    expect(await screen.exited).toBe(code);
    expect(existsSync(trustFile(root))).toBe(isTrusted);
  });
});
