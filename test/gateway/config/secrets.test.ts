import { describe, expect, it } from 'vitest';
import { readMcpJson, warningLines } from '../../helpers/mcp-json.ts';

const TOKEN = `ghp_${'a1B2'.repeat(8)}`;
const env = { SET_TOKEN: 'value-of-the-variable' };

const warningsOf = async (entry: object) => warningLines(await readMcpJson({ servers: { a: entry } }, env));
const shownOf = async (entry: object) => (await readMcpJson({ servers: { a: entry } }, env)).shown[0];

describe('a value in mcp.json that looks like a secret', () => {
  it('gets a warning with its place, and with the variable to use', async () => {
    expect(await warningsOf({ command: 'x', env: { API_KEY: 'hunter2-hunter2' } })).toEqual([
      'servers.a.env.API_KEY in /p/mcp.json:6:20 looks like a secret: put it into the environment, and ${API_KEY} here',
    ]);
  });

  it.each<[string, object, string]>([
    [
      'a token of a known shape, whatever it is called',
      { command: 'x', env: { WHATEVER: TOKEN } },
      'env.WHATEVER',
    ],
    [
      'an authorization',
      { url: 'https://e.com', headers: { Authorization: 'Bearer hunter2-hunter2' } },
      'headers.Authorization',
    ],
    [
      'a header with a key',
      { url: 'https://e.com', headers: { 'X-Api-Key': 'hunter2-hunter2' } },
      'headers.X-Api-Key',
    ],
    ['a cookie', { url: 'https://e.com', headers: { cookie: 'id=hunter2-hunter2' } }, 'headers.cookie'],
    ['an option with its value', { command: 'x', args: ['--api-key=hunter2-hunter2'] }, 'args[0]'],
    ['the value behind an option', { command: 'x', args: ['--token', 'hunter2-hunter2'] }, 'args[1]'],
    [
      'a header as an argument',
      { command: 'x', args: ['--header', 'Authorization: Bearer hunter2-hunter2'] },
      'args[1]',
    ],
    ['a variable as an argument', { command: 'docker', args: ['-e', 'API_KEY=hunter2-hunter2'] }, 'args[1]'],
    ['a parameter of a URL', { url: 'https://e.com/mcp?api_key=hunter2-hunter2' }, 'url'],
    ['a token in the path of a URL', { url: `https://e.com/${TOKEN}/mcp` }, 'url'],
    [
      'the default of a variable',
      { command: 'x', env: { API_KEY: '${NONE:-hunter2-hunter2}' } },
      'env.API_KEY',
    ],
    [
      'a value beside a variable',
      { command: 'x', env: { API_KEY: 'hunter2-hunter2${SET_TOKEN}' } },
      'env.API_KEY',
    ],
    ['one of a server that cannot be used', { env: { API_KEY: 'hunter2-hunter2' } }, 'env.API_KEY'],
  ])('gets a warning that does not show it: %s', async (_what, entry, key) => {
    const warnings = await warningsOf(entry);
    expect(warnings.map((line) => line.replace(/:\d+:\d+ looks.*/, ''))).toEqual([
      `servers.a.${key} in /p/mcp.json`,
    ]);
    expect(warnings.join()).not.toMatch(/hunter2|ghp_/);
  });

  it.each<[string, object]>([
    ['a variable', { command: 'x', env: { API_KEY: '${SET_TOKEN}' } }],
    [
      'a variable behind the scheme',
      { url: 'https://e.com', headers: { Authorization: 'Bearer ${SET_TOKEN}' } },
    ],
    ['a variable as an argument', { command: 'x', args: ['--token', '${SET_TOKEN}', '--key=${SET_TOKEN}'] }],
    ['a variable in a URL', { url: 'https://e.com/mcp?api_key=${SET_TOKEN}' }],
    ['a number', { command: 'x', env: { MAX_TOKENS: '100000000' }, args: ['--max-tokens', '100000000'] }],
    ['a short word', { command: 'x', env: { AUTH: 'none', TOKEN: '' } }],
    ['a folder', { command: 'x', env: { TOKEN_FILE: '/run/secrets/token-of-mine' } }],
    ['an option without a value', { command: 'x', args: ['--token', '--verbose-please'] }],
    ['ordinary values', { command: 'npx', args: ['-y', '@scope/server-of-mine', '/home/someone/folder'] }],
  ])('is not one: %s', async (_what, entry) => {
    expect(await warningsOf(entry)).toEqual([]);
  });
});

describe('a server as it is shown', () => {
  it('has variables by their names, and of its environment and headers the names only', async () => {
    expect(
      await shownOf({
        command: '${SET_TOKEN}',
        args: ['${SET_TOKEN}', 'a b'],
        cwd: '${SET_TOKEN}',
        env: { A: '${SET_TOKEN}', B: 'hunter2' },
      }),
    ).toEqual({
      id: 'a',
      command: '${SET_TOKEN}',
      args: ['${SET_TOKEN}', 'a b'],
      cwd: '${SET_TOKEN}',
      env: ['A', 'B'],
      headers: [],
      disabled: false,
      isFullyTrusted: false,
    });
    expect(
      await shownOf({ url: 'https://e.com', headers: { A: 'hunter2' }, disabled: true, trust: 'full' }),
    ).toEqual({
      id: 'a',
      url: 'https://e.com',
      env: [],
      headers: ['A'],
      disabled: true,
      isFullyTrusted: true,
    });
  });

  it.each<[object, object]>([
    [{ args: ['--token=hunter2', '-v'] }, { args: ['--token=•••', '-v'] }],
    [{ args: ['--token', 'hunter2'] }, { args: ['--token', '•••'] }],
    [{ args: ['--token', '${SET_TOKEN}'] }, { args: ['--token', '${SET_TOKEN}'] }],
    [{ args: ['--max-tokens', '4096'] }, { args: ['--max-tokens', '4096'] }],
    [{ args: ['--header', 'Authorization: Bearer hunter2'] }, { args: ['--header', 'Authorization: •••'] }],
    [{ args: ['-e', 'API_KEY=hunter2'] }, { args: ['-e', 'API_KEY=•••'] }],
    [
      { args: ['--header', 'Authorization: Bearer ${SET_TOKEN}'] },
      { args: ['--header', 'Authorization: Bearer ${SET_TOKEN}'] },
    ],
    [{ args: [`x-${TOKEN}`, TOKEN] }, { args: [`x-${TOKEN}`, '[redacted]'] }],
    [
      { args: ['https://me:hunter2@e.com/?token=hunter2&a=b'] },
      { args: ['https://•••@e.com/?token=•••&a=b'] },
    ],
    [
      { url: 'https://me:hunter2@e.com/mcp?api_key=hunter2&a=b#k' },
      { url: 'https://•••@e.com/mcp?api_key=•••&a=b#k' },
    ],
    [{ command: 'value-of-the-variable' }, { command: '[redacted:SET_TOKEN]' }],
  ])('has its secrets masked: %j', async (entry, shown) => {
    expect(await shownOf(entry)).toMatchObject(shown);
  });

  it('is there whatever is wrong with it', async () => {
    const { shown } = await readMcpJson(
      '{ "servers": { "a": 1, "b": { "args": "x", "env": [] }, "c__d": null } }',
    );
    expect(shown.map(({ id }) => id)).toEqual(['a', 'b', 'c__d']);
  });
});
