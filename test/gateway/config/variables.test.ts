import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { problemLines, readMcpJson } from '../../helpers/mcp-json.ts';

const env = { NAME: 'x', EMPTY: '', TWICE: '${NAME}', SPACED: `a b 'c' "d" $(id)`, LINES: 'a\nb' };

/** The first server with these fields. */
const serverWith = async (fields: object, variables: Readonly<Record<string, string>> = env) =>
  (await readMcpJson({ servers: { a: { command: 'run', ...fields } } }, variables)).servers[0];

describe('a variable in mcp.json', () => {
  it('is replaced in the command, its arguments, its folder and its environment', async () => {
    const fields = {
      command: '${NAME}',
      args: ['-${NAME}-'],
      cwd: '/w/${NAME}',
      env: { A: '${NAME}${NAME}' },
    };
    expect(await serverWith(fields)).toMatchObject({
      command: 'x',
      args: ['-x-'],
      cwd: '/w/x',
      env: { A: 'xx' },
    });
  });

  it('is replaced in the URL and the headers', async () => {
    const { servers } = await readMcpJson(
      { servers: { a: { url: 'https://${NAME}.example.com/mcp', headers: { A: 'Bearer ${NAME}' } } } },
      env,
    );
    expect(servers).toMatchObject([{ url: 'https://x.example.com/mcp', headers: { A: 'Bearer x' } }]);
  });

  it('has a default, which counts for an empty one, too', async () => {
    const fields = { args: ['${NONE:-d}', '${EMPTY:-e}', '${NONE:-}', '${NAME:-no}'] };
    expect(await serverWith(fields)).toMatchObject({ args: ['d', 'e', '', 'x'] });
  });

  it('is the text itself behind $$', async () => {
    expect(await serverWith({ args: ['$${NAME}', '$NAME', '$$', '$(NAME)'] })).toMatchObject({
      args: ['${NAME}', '$NAME', '$$', '$(NAME)'],
    });
  });

  it('is replaced once: what it brings in is not looked at again', async () => {
    expect(await serverWith({ args: ['${TWICE}'] })).toMatchObject({ args: ['${NAME}'] });
  });

  it('stays one argument, whatever blanks and quotes it brings in, and no shell reads it', async () => {
    const server = await serverWith({
      command: process.execPath,
      args: ['-p', 'JSON.stringify(process.argv.slice(1))', '${SPACED}'],
    });
    expect(server?.transport).toBe('stdio');
    if (server?.transport !== 'stdio') return;
    const { stdout } = await promisify(execFile)(server.command, [...server.args]);
    expect(JSON.parse(stdout)).toEqual([env.SPACED]);
  });

  it('is not replaced in an id, and not in the name of a variable or a header', async () => {
    const { servers } = await readMcpJson({ servers: { a: { command: 'x', env: { '${NAME}': 'y' } } } }, env);
    expect(servers).toMatchObject([{ env: { '${NAME}': 'y' } }]);
    expect((await readMcpJson({ servers: { '${NAME}': { command: 'x' } } }, env)).servers).toEqual([]);
  });

  it('that is not set is an error with the server, the field and its name: it is never empty, never left as it is', async () => {
    const reading = await readMcpJson({
      servers: {
        a: { command: 'x', args: ['-t', '${TOKEN_A}'] },
        b: { command: 'x', env: { B: '${TOKEN_B}', C: '${TOKEN_C}' } },
        c: { url: 'https://e.com', headers: { Authorization: 'Bearer ${TOKEN_D}' } },
        d: { command: '${TOKEN_E}' },
        e: { command: 'x', cwd: '${TOKEN_F}' },
        good: { command: 'x' },
      },
    });
    expect(problemLines(reading).map((line) => line.replace(/^Cannot read [^ ]+ /, ''))).toEqual([
      'servers.a.args[1] uses the variable TOKEN_A, which is not set',
      'servers.b.env.B uses the variable TOKEN_B, which is not set',
      'servers.b.env.C uses the variable TOKEN_C, which is not set',
      'servers.c.headers.Authorization uses the variable TOKEN_D, which is not set',
      'servers.d.command uses the variable TOKEN_E, which is not set',
      'servers.e.cwd uses the variable TOKEN_F, which is not set',
    ]);
    expect(reading.problems.every(({ isVariable, serverId }) => isVariable && serverId)).toBe(true);
    expect(reading.servers.map(({ id }) => id)).toEqual(['good']);
    expect(reading.misconfigured).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it.each(['${', '${A', '${input:token}', '${env:A}', '${1}', '${A:-${B}}', '${}'])(
    'that is none is an error: %s',
    async (text) => {
      const reading = await readMcpJson(
        { servers: { a: { command: 'x', args: [text] } } },
        { A: 'a', B: 'b' },
      );
      expect(problemLines(reading)[0]).toMatch(/servers\.a\.args\[0\] has \$\{.*, which is not a variable/);
      expect(reading.servers).toEqual([]);
    },
  );

  it('that is not set is one mistake, whatever should stand there', async () => {
    const reading = await readMcpJson({ servers: { a: { command: 'x', trust: '${NONE}' } } });
    expect(problemLines(reading)).toEqual([
      'Cannot read /p/mcp.json:5:16: servers.a.trust uses the variable NONE, which is not set',
    ]);
  });

  it('is checked by what it brings in, and the message has its name, not its value', async () => {
    const secret = 'ftp://hunter2.example.com';
    const reading = await readMcpJson(
      {
        servers: {
          a: { url: '${ADDRESS}' },
          b: { command: 'x', trust: '${ADDRESS}' },
          c: { url: 'https://e.com', headers: { A: '${LINES}' } },
        },
      },
      { ADDRESS: secret, LINES: 'hunter2\nx: y' },
    );
    expect(problemLines(reading).map((line) => line.replace(/^Cannot read [^ ]+ /, ''))).toEqual([
      'servers.a.url must begin with https: or http: (it begins with ftp:)',
      'servers.b.trust must be one of "untrusted", "full" (current value is "${ADDRESS}")',
      'servers.c.headers.A must have no line break, and no character a header cannot carry, in its value',
    ]);
    expect(JSON.stringify({ ...reading, digests: [] })).not.toContain('hunter2');
  });

  it('is replaced in the policy; one that is not set makes it refuse', async () => {
    const withRule = (below: string) => ({
      servers: { fs: { command: 'x' } },
      policy: { denylist: [{ server: 'fs', tool: '*', args: { path: { below } } }] },
    });
    expect((await readMcpJson(withRule('/w/${NAME}'), env)).policy).toMatchObject({
      denylist: [{ args: { path: { below: '/w/x' } } }],
    });
    const { policy } = await readMcpJson(withRule('${NONE}/.ssh'), env);
    expect(policy).toMatchObject({
      unreadable: expect.stringMatching(
        /denylist\[0\]\.args\.path\.below uses the variable NONE, which is not set/,
      ),
    });
  });
});
