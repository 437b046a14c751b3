import { mkdir, readFile, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadMcpConfig } from '../../../src/gateway/config/load-mcp-config.ts';
import { recordTrust, trustOf } from '../../../src/gateway/config/trust.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const first = {
  servers: {
    fs: { command: 'npx', args: ['server', '${DIR}'], env: { TOKEN: '${TOKEN}', MODE: 'a' }, cwd: 'sub' },
    far: { url: 'https://e.com/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
  },
  policy: { default: 'confirm', allowlist: [{ server: 'fs', tool: 'read_*' }] },
};

type File = { servers: Record<string, object>; policy?: object };

async function isTrusted(...asked: Parameters<typeof trustOf>): Promise<boolean> {
  return (await trustOf(...asked)).is === 'trusted';
}

/** A project with a file, and a home to remember trust in. */
async function project(content: object | string = first) {
  const root = await tempRoot();
  const home = await tempRoot();
  await writeMcpJson(root, content);
  const env: Record<string, string> = { HOME: home, DIR: '/d', TOKEN: 'hunter2-hunter2' };
  const read = () => loadMcpConfig({ root, env });
  return {
    root,
    home,
    env,
    read,
    state: async (other: Readonly<Record<string, string>> = {}) =>
      trustOf(root, await loadMcpConfig({ root, env: { ...env, ...other } }), { ...env, ...other }),
    trust: async () => recordTrust(root, await read(), env),
    storeFile: join(home, '.local/state/clifford/trusted.json'),
  };
}

describe('the servers of a project', () => {
  it('are not trusted before somebody said so, and are then', async () => {
    const { state, trust } = await project();
    expect(await state()).toEqual({ is: 'new' });
    await trust();
    expect(await state()).toEqual({ is: 'trusted', by: 'record' });
  });

  it('are not started by reading the file, by asking for trust, or by recording it', async () => {
    const root = await tempRoot();
    const mark = join(root, 'was-here');
    const { home } = await project();
    const touch = {
      command: process.execPath,
      args: ['-e', `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`],
    };
    await writeMcpJson(root, {
      servers: { evil: touch, worse: { command: `touch ${mark}; $(touch ${mark})` } },
    });
    const env = { HOME: home };
    const reading = await loadMcpConfig({ root, env });
    expect(await trustOf(root, reading, env)).toEqual({ is: 'new' });
    await recordTrust(root, reading, env);
    expect(await readdir(root)).not.toContain('was-here');
  });

  it('are trusted unseen where the environment says so', async () => {
    const { state } = await project();
    expect(await state({ CLIFFORD_TRUST_PROJECT: '1' })).toEqual({ is: 'trusted', by: 'environment' });
    for (const word of ['', '0', 'true'])
      expect(await state({ CLIFFORD_TRUST_PROJECT: word })).toEqual({ is: 'new' });
  });

  it('need no trust where there are none', async () => {
    for (const content of ['{}', '{ "servers": {} }', '{']) {
      const { state } = await project(content);
      expect(await state()).toEqual({ is: 'trusted', by: 'nothing to run' });
    }
  });

  it('need it when all of them are disabled, or cannot be used today', async () => {
    expect(await (await project({ servers: { a: { command: 'x', disabled: true } } })).state()).toEqual({
      is: 'new',
    });
    expect(await (await project({ servers: { a: { command: '${NONE}' } } })).state()).toEqual({ is: 'new' });
  });

  const changes: [string, (file: File) => void, string[]][] = [
    [
      'another command',
      ({ servers }) => void Object.assign(servers['fs'] ?? {}, { command: 'sh' }),
      ['fs has changed'],
    ],
    [
      'another argument',
      ({ servers }) => void Object.assign(servers['fs'] ?? {}, { args: ['server', '/'] }),
      ['fs has changed'],
    ],
    [
      'another order of arguments',
      ({ servers }) => void Object.assign(servers['fs'] ?? {}, { args: ['${DIR}', 'server'] }),
      ['fs has changed'],
    ],
    [
      'another folder',
      ({ servers }) => void Object.assign(servers['fs'] ?? {}, { cwd: '..' }),
      ['fs has changed'],
    ],
    [
      'another variable',
      ({ servers }) => void Object.assign(servers['fs'] ?? {}, { env: { TOKEN: '${AWS_KEY}', MODE: 'a' } }),
      ['fs has changed'],
    ],
    [
      'a further variable',
      ({ servers }) =>
        void Object.assign(servers['fs'] ?? {}, {
          env: { TOKEN: '${TOKEN}', MODE: 'a', NODE_OPTIONS: '-r ./x' },
        }),
      ['fs has changed'],
    ],
    [
      'another text for a variable',
      ({ servers }) => void Object.assign(servers['fs'] ?? {}, { env: { TOKEN: '${TOKEN}', MODE: 'b' } }),
      ['fs has changed'],
    ],
    [
      'another address',
      ({ servers }) => void Object.assign(servers['far'] ?? {}, { url: 'https://evil.example' }),
      ['far has changed'],
    ],
    [
      'a further header',
      ({ servers }) => void Object.assign(servers['far'] ?? {}, { headers: { Cookie: 'x' } }),
      ['far has changed'],
    ],
    [
      'plain http',
      ({ servers }) => void Object.assign(servers['far'] ?? {}, { allowInsecure: true }),
      ['far has changed'],
    ],
    [
      'belief in what it says',
      ({ servers }) => void Object.assign(servers['far'] ?? {}, { trust: 'full' }),
      ['far has changed'],
    ],
    [
      'a further server',
      ({ servers }) => void Object.assign(servers, { more: { command: 'x' } }),
      ['more is new'],
    ],
    [
      'an address in place of a program',
      ({ servers }) => void Object.assign(servers, { fs: { url: 'https://e.com' } }),
      ['fs has changed'],
    ],
    [
      'a policy that lets more through',
      (file) => void Object.assign(file, { policy: { default: 'allow' } }),
      ['the policy has changed'],
    ],
    ['no policy any more', (file) => void delete file.policy, ['the policy has changed']],
  ];

  it.each(changes)('are asked about again after a change: %s', async (_what, change, said) => {
    const { root, state, trust } = await project();
    await trust();
    const file: File = structuredClone(first);
    change(file);
    await writeMcpJson(root, file);
    expect(await state()).toEqual({ is: 'changed', changes: said });
    await trust();
    expect(await state()).toEqual({ is: 'trusted', by: 'record' });
  });

  it.each<[string, (file: File) => object | string]>([
    ['layout and comments', (file) => `// mine\n${JSON.stringify(file)}`],
    [
      'the order of keys',
      ({ servers, ...rest }) => ({
        ...rest,
        servers: Object.fromEntries(Object.entries(servers).toReversed()),
      }),
    ],
    ['a server that is gone', ({ servers: { fs = {} }, ...rest }) => ({ ...rest, servers: { fs } })],
    [
      'a server that is turned off',
      (file) => ({ ...file, servers: { ...file.servers, fs: { ...file.servers['fs'], disabled: true } } }),
    ],
    [
      'time-outs',
      (file) => ({
        ...file,
        servers: {
          ...file.servers,
          fs: { ...file.servers['fs'], timeout: 1, startTimeout: 1, autoStart: false },
        },
      }),
    ],
    ['the name of the section', ({ servers, ...rest }) => ({ mcpServers: servers, ...rest })],
  ])('stay trusted when nothing else is run or allowed: %s', async (_what, change) => {
    const { root, state, trust } = await project();
    await trust();
    await writeMcpJson(root, change(structuredClone(first)));
    expect(await state()).toEqual({ is: 'trusted', by: 'record' });
  });

  it('stay trusted when a variable has another value', async () => {
    const { state, trust } = await project();
    await trust();
    expect(await state({ TOKEN: 'another-one', DIR: '/e' })).toEqual({ is: 'trusted', by: 'record' });
  });

  it('are those that were shown, not those that stand there by now', async () => {
    const { root, env, read, state } = await project();
    const shown = await read();
    await writeMcpJson(root, { ...first, servers: { ...first.servers, evil: { command: 'x' } } });
    await recordTrust(root, shown, env);
    expect(await state()).toEqual({ is: 'changed', changes: ['evil is new'] });
  });
});

describe('what is remembered', () => {
  it('lies outside the project, for this user alone, and has no value in it', async () => {
    const { root, trust, storeFile } = await project({
      ...first,
      servers: { ...first.servers, raw: { command: 'x', env: { A: 'raw-secret-value' } } },
    });
    const before = await readdir(root, { recursive: true });
    await trust();
    expect(await readdir(root, { recursive: true })).toEqual(before);
    expect((await stat(storeFile)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(storeFile))).mode & 0o777).toBe(0o700);
    const text = await readFile(storeFile, 'utf8');
    expect(Object.keys((JSON.parse(text) as { projects: object }).projects)).toEqual([root]);
    expect(text).not.toMatch(/hunter2|raw-secret|npx|example/);
  });

  it('lies below XDG_STATE_HOME where that is an absolute path', async () => {
    const { root, home, env, read } = await project();
    await recordTrust(root, await read(), { ...env, XDG_STATE_HOME: join(home, 'state') });
    expect(await readdir(join(home, 'state/clifford'))).toContain('trusted.json');
    await recordTrust(root, await read(), { ...env, XDG_STATE_HOME: 'relative' });
    expect(await readdir(join(home, '.local/state/clifford'))).toContain('trusted.json');
  });

  it('is of one project: a copy elsewhere is asked about, one that is reached by a link is not', async () => {
    const { root, env, read, trust } = await project();
    await trust();
    const link = join(await tempRoot(), 'link');
    await symlink(root, link);
    expect(await isTrusted(link, await read(), env)).toBe(true);
    const copy = await tempRoot();
    await writeMcpJson(copy, first);
    expect(await isTrusted(copy, await loadMcpConfig({ root: copy, env }), env)).toBe(false);
    await rename(root, `${root}-moved`);
    await rename(copy, root);
    await rename(`${root}-moved`, copy);
    expect(await isTrusted(copy, await loadMcpConfig({ root: copy, env }), env)).toBe(false);
  });

  it('keeps what many record at once', async () => {
    const { env, home } = await project();
    const roots = await Promise.all(Array.from({ length: 8 }, () => tempRoot()));
    await Promise.all(
      roots.map(async (root) => {
        await writeMcpJson(root, first);
        await recordTrust(root, await loadMcpConfig({ root, env }), env);
      }),
    );
    for (const root of roots)
      expect(await isTrusted(root, await loadMcpConfig({ root, env }), env)).toBe(true);
    expect(await readdir(join(home, '.local/state/clifford'))).toEqual(['trusted.json', 'trusted.json.lock']);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"version":2,"projects":{}}',
    '{"version":1,"projects":{"/p":{"servers":{"a":true}}}}',
  ])('is nothing when the file is not what was written there, and is not overwritten: %j', async (text) => {
    const { root, env, read, state, trust, storeFile } = await project();
    await mkdir(dirname(storeFile), { recursive: true });
    await writeFile(storeFile, text);
    const refused = {
      code: 'TRUST_UNREADABLE',
      message: `Cannot read ${storeFile}: it is not what Clifford writes`,
    };
    await expect(state()).rejects.toMatchObject(refused);
    await expect(isTrusted(root, await read(), env)).rejects.toMatchObject(refused);
    await expect(trust()).rejects.toMatchObject(refused);
    expect(await readFile(storeFile, 'utf8')).toBe(text);
  });

  it('is nothing where there is no home, and nothing can be remembered', async () => {
    const { root, read } = await project();
    expect(await trustOf(root, await read(), {})).toEqual({ is: 'new' });
    await expect(recordTrust(root, await read(), {})).rejects.toMatchObject({
      code: 'TRUST_UNWRITABLE',
      message: 'Cannot remember your trust: neither HOME nor XDG_STATE_HOME is set',
      fix: expect.stringContaining('CLIFFORD_TRUST_PROJECT=1'),
    });
  });
});
