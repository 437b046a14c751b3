import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadMcpConfig } from '../../../src/gateway/config/load-mcp-config.ts';
import { parseMcpConfig } from '../../../src/gateway/config/parse-mcp-config.ts';
import { mcpProject, problemLines, readMcpJson, warningLines } from '../../helpers/mcp-json.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';

const common = {
  disabled: false,
  autoStart: true,
  timeoutMs: 600_000,
  startTimeoutMs: 30_000,
  trust: 'untrusted',
};

describe('mcp.json', () => {
  it('means no servers and a question about every call where there is none', async () => {
    const root = await tempRoot();
    expect(await loadMcpConfig({ root, env: {} })).toMatchObject({
      file: join(root, 'mcp.json'),
      exists: false,
      servers: [],
      misconfigured: [],
      policy: { default: 'confirm', allowlist: [], denylist: [], rules: [], approvalTimeoutMs: 3_600_000 },
      problems: [],
      warnings: [],
    });
  });

  it('names programs, with defaults for all but the command', async () => {
    const { root, reading } = await mcpProject({
      servers: {
        small: { command: 'one' },
        full: {
          command: 'two',
          args: ['-a', 'b c'],
          cwd: 'sub',
          env: { A: '1' },
          timeout: 5,
          startTimeout: 6,
          disabled: true,
          autoStart: false,
          trust: 'full',
        },
      },
    });
    expect(reading.servers).toEqual([
      { ...common, id: 'small', transport: 'stdio', command: 'one', args: [], cwd: root, env: {} },
      {
        id: 'full',
        transport: 'stdio',
        command: 'two',
        args: ['-a', 'b c'],
        cwd: join(root, 'sub'),
        env: { A: '1' },
        timeoutMs: 5,
        startTimeoutMs: 6,
        disabled: true,
        autoStart: false,
        trust: 'full',
      },
    ]);
    expect(reading).toMatchObject({ exists: true, problems: [], warnings: [], misconfigured: [] });
  });

  it.each([
    [{}, 'http'],
    [{ transport: 'http' }, 'http'],
    [{ type: 'http' }, 'http'],
    [{ type: 'streamable-http' }, 'http'],
    [{ transport: 'http', type: 'streamable-http' }, 'http'],
    [{ type: 'sse' }, 'sse'],
    [{ transport: 'sse' }, 'sse'],
  ])('names servers behind a URL: %j is reached by %s', async (how, transport) => {
    const url = 'https://example.com/mcp';
    const { servers, problems } = await readMcpJson({
      servers: { far: { url, headers: { 'X-A': 'b' }, ...how } },
    });
    expect({ servers, problems }).toEqual({
      servers: [{ ...common, id: 'far', transport, url, headers: { 'X-A': 'b' }, allowInsecure: false }],
      problems: [],
    });
  });

  it('may have the form of other programs, and both forms at once', async () => {
    const { servers, problems } = await readMcpJson({
      mcpServers: { a: { type: 'stdio', command: 'x' } },
      servers: { b: { command: 'y' } },
    });
    expect(servers.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(problems).toEqual([]);
  });

  it('may have comments, trailing commas and a byte order mark', async () => {
    const reading = await readMcpJson('\uFEFF{\n  // mine\n  "servers": { "a": { "command": "x", }, },\n}\n');
    expect(reading).toMatchObject({ servers: [{ id: 'a' }], problems: [], warnings: [] });
  });

  it('tells what is wrong, a line each', async () => {
    const root = await tempRoot();
    await writeFile(
      join(root, 'mcp.json'),
      '{ "servers": { "a": { "comand": "x" }, "b": { "command": "y", "name": "B" } } }',
    );
    const lines: string[] = [];
    await loadMcpConfig({ root, env: {}, report: (line) => void lines.push(line.replace(root, '/p')) });
    expect(lines).toEqual([
      'Cannot read /p/mcp.json:1:21: servers.a must have command, a program, or url, where a server is',
      'Unknown key "servers.a.comand" in /p/mcp.json:1:23; did you mean "command"?',
      'Unknown key "servers.b.name" in /p/mcp.json:1:63',
    ]);
  });
});

describe('a mistake in one server', () => {
  const wrong: [string, object, string][] = [
    ['neither program nor URL', {}, 'must have command, a program, or url, where a server is'],
    [
      'both',
      { command: 'x', url: 'https://e.com' },
      '.url cannot be combined with command: a server has one of the two',
    ],
    ['an empty command', { command: '' }, '.command must be a text that is not empty (current value is "")'],
    ['a blank command', { command: ' ' }, '.command must be a text that is not empty'],
    [
      'one line for arguments',
      { command: 'x', args: '-a' },
      '.args must be a list, as in ["…"] (current value is "-a")',
    ],
    ['a number among them', { command: 'x', args: ['a', 1] }, '.args[1] must be a text (current value is 1)'],
    [
      'a variable that is no text',
      { command: 'x', env: { A: 1 } },
      '.env.A must be a text (current value is 1)',
    ],
    [
      'a variable with = in its name',
      { command: 'x', env: { 'A=B': '' } },
      '.env["A=B"] must have no = in its name',
    ],
    [
      'a time-out no timer can hold',
      { command: 'x', timeout: 3_000_000_000 },
      '.timeout must be a whole number from 1 to 2147483647, in ms (current value is 3000000000)',
    ],
    [
      'no time-out',
      { command: 'x', timeout: 0 },
      '.timeout must be a whole number from 1 to 2147483647, in ms (current value is 0)',
    ],
    [
      'trust as other programs have it',
      { command: 'x', trust: true },
      '.trust must be one of "untrusted", "full" (current value is true)',
    ],
    [
      'an unknown transport',
      { command: 'x', transport: 'pipe' },
      '.transport must be one of "stdio", "http", "streamable-http", "sse" (current value is "pipe")',
    ],
    [
      'stdio with a URL',
      { url: 'https://e.com', type: 'stdio' },
      '.type must be http or sse with url (current value is "stdio")',
    ],
    [
      'a URL’s transport with a program',
      { command: 'x', transport: 'sse' },
      '.transport must be stdio with command (current value is "sse")',
    ],
    [
      'two transports',
      { url: 'https://e.com', type: 'sse', transport: 'http' },
      '.type says sse, and transport says http',
    ],
    ['a command with NUL', { command: 'x\0y' }, '.command must not have a NUL character in it'],
    [
      'an argument with NUL',
      { command: 'x', args: ['a', '\0'] },
      '.args[1] must not have a NUL character in it',
    ],
    ['a folder with NUL', { command: 'x', cwd: 'a\0' }, '.cwd must not have a NUL character in it'],
    ['a variable with NUL', { command: 'x', env: { A: '\0' } }, '.env.A must not have a NUL character in it'],
    [
      'a header with a second line',
      { url: 'https://e.com', headers: { A: 'b\r\nHost: evil' } },
      '.headers.A must have no line break, and no character a header cannot carry, in its value',
    ],
    [
      'a header without a name for one',
      { url: 'https://e.com', headers: { 'a b': 'c' } },
      '.headers["a b"] has no name of a header',
    ],
  ];

  it.each(wrong)('leaves it out and says why: %s', async (_what, entry, rule) => {
    const reading = await readMcpJson({
      servers: { good: { command: 'x' }, bad: entry, last: { command: 'y' } },
    });
    expect(
      problemLines(reading).map((line) => line.replace(/^Cannot read [^ ]+:\d+:\d+: servers\.bad ?/, '')),
    ).toEqual([rule]);
    expect(reading.problems[0]?.serverId).toBe('bad');
    expect(reading.servers.map(({ id }) => id)).toEqual(['good', 'last']);
    expect(reading.misconfigured).toEqual(['bad']);
    expect(reading.policy).toMatchObject({ default: 'confirm' });
  });

  it('has the line and the column of the value', async () => {
    const reading = await readMcpJson('{\n  "servers": {\n    "a": {\n      "command": 1\n    }\n  }\n}');
    expect(problemLines(reading)).toEqual([
      'Cannot read /p/mcp.json:4:18: servers.a.command must be a text that is not empty (current value is 1)',
    ]);
  });

  it('is that it is no section', async () => {
    expect(problemLines(await readMcpJson({ servers: { a: 'npx x' } }))).toEqual([
      'Cannot read /p/mcp.json:3:10: servers.a must be an object, as in { "…": … } (current value is "npx x")',
    ]);
  });

  it('is a key that appears twice: what is meant is not guessed', async () => {
    const reading = await readMcpJson(
      '{ "servers": { "a": { "command": "x", "command": "y" }, "b": { "command": "x", "env": { "A": "1", "A": "2" } } } }',
    );
    expect(problemLines(reading).map((line) => line.replace(/.*: servers/, 'servers'))).toEqual([
      'servers.a.command appears twice',
      'servers.b.env.A appears twice',
    ]);
    expect(reading.servers).toEqual([]);
  });

  it('is a name no object can have', async () => {
    const reading = await readMcpJson(
      '{ "servers": { "a": { "command": "x", "env": { "__proto__": "1" } } } }',
    );
    expect(problemLines(reading)).toEqual([
      'Cannot read /p/mcp.json:1:61: servers.a.env.__proto__ cannot have this name',
    ]);
    expect({}).not.toHaveProperty('command');
  });

  it('means a warning only where a key has no meaning', async () => {
    const reading = await readMcpJson({
      servers: { a: { command: 'x', headers: { A: 'b' } }, b: { url: 'https://e.com', cwd: '.' } },
    });
    expect(warningLines(reading)).toEqual([
      'Key "servers.a.headers" in /p/mcp.json:5:7 has no effect with command',
      'Key "servers.b.cwd" in /p/mcp.json:11:7 has no effect with url',
    ]);
    expect(reading.servers).toHaveLength(2);
  });
});

describe('the id of a server', () => {
  it.each([
    ['', 'must be 1 to 24 letters, digits, - or _'],
    ['a'.repeat(25), 'must be 1 to 24 letters, digits, - or _'],
    ['a.b', 'must be 1 to 24 letters, digits, - or _'],
    ['a b', 'must be 1 to 24 letters, digits, - or _'],
    ['a ', 'must be 1 to 24 letters, digits, - or _'],
    ['ä', 'must be 1 to 24 letters, digits, - or _'],
    ['../x', 'must be 1 to 24 letters, digits, - or _'],
    ['/etc', 'must be 1 to 24 letters, digits, - or _'],
    ['a\\b', 'must be 1 to 24 letters, digits, - or _'],
    ['a\0', 'must be 1 to 24 letters, digits, - or _'],
    ['%2e%2e', 'must be 1 to 24 letters, digits, - or _'],
    ['a__b', 'must not have __, which ends the server in the name of a tool'],
    ['__proto__', 'must not have __, which ends the server in the name of a tool'],
    ['clifford', 'is the name of Clifford itself'],
    ['Clifford', 'is the name of Clifford itself'],
  ])('cannot be %j', async (id, rule) => {
    const reading = await readMcpJson(
      `{ "servers": { ${JSON.stringify(id)}: { "command": "x" }, "ok": { "command": "x" } } }`,
    );
    expect(reading.problems).toHaveLength(1);
    expect(problemLines(reading)[0]).toContain(rule);
    expect(reading.servers.map((server) => server.id)).toEqual(['ok']);
  });

  it.each(['a', 'A-b_c9', 'a'.repeat(24), '_x', 'constructor', 'cliffords'])('can be %j', async (id) => {
    expect((await readMcpJson({ servers: { [id]: { command: 'x' } } })).servers).toMatchObject([{ id }]);
  });

  it('stands there once, in either section', async () => {
    const reading = await readMcpJson(
      '{ "servers": { "a": { "command": "x" }, "b": { "command": "x" }, "a": { "command": "y" } },\n"mcpServers": { "b": { "command": "z" }, "c": { "command": "x" } } }',
    );
    expect(problemLines(reading)).toEqual([
      'Cannot read /p/mcp.json:1:66: servers.a appears twice: also as servers.a',
      'Cannot read /p/mcp.json:2:17: servers.b appears twice: also as mcpServers.b',
    ]);
    expect(reading.servers.map(({ id }) => id)).toEqual(['c']);
  });

  it('is another one in lower case, too: files are called after it', async () => {
    const reading = await readMcpJson({ servers: { Fs: { command: 'x' }, fs: { command: 'y' } } });
    expect(problemLines(reading)).toEqual([
      'Cannot read /p/mcp.json:6:5: servers.fs differs from Fs in case only',
    ]);
    expect(reading.servers.map(({ id }) => id)).toEqual(['Fs']);
  });
});

describe('a file that cannot be read', () => {
  it.each([
    ['is empty', '', 'Cannot read /p/mcp.json:1:1: it is not JSON: unexpected end of input'],
    ['was cut off', '{ "servers":', 'Cannot read /p/mcp.json:1:13: it is not JSON: unexpected end of input'],
    [
      'is a list',
      '[]',
      'Cannot read /p/mcp.json:1:1: the file must be an object, as in { "servers": { … } }',
    ],
    ['is too deep', '['.repeat(100_000), 'Cannot read /p/mcp.json: it is nested too deeply'],
  ])('has no server, and a policy that refuses: it %s', async (_what, text, line) => {
    const reading = await readMcpJson(text);
    expect(problemLines(reading)).toEqual([line]);
    expect(reading).toMatchObject({ exists: true, servers: [] });
    expect(reading.policy).toEqual({ unreadable: line.replace('/p/mcp.json', reading.file) });
  });

  it('is a folder, or a link that leads nowhere', async () => {
    const root = await tempRoot();
    await mkdir(join(root, 'mcp.json'));
    expect(problemLines(await loadMcpConfig({ root, env: {} }))).toEqual([
      'Cannot read /p/mcp.json: it is a folder',
    ]);
    const other = await tempRoot();
    await symlink('nowhere', join(other, 'mcp.json'));
    const reading = await loadMcpConfig({ root: other, env: {} });
    expect(reading.policy).toHaveProperty('unreadable');
  });

  it('is one with a section that is none, which costs the other one nothing', async () => {
    const reading = await readMcpJson({
      servers: [],
      mcpServers: { a: { command: 'x' } },
      policys: {},
      agents: {},
    });
    expect(problemLines(reading)).toEqual([
      'Cannot read /p/mcp.json:2:14: servers must be an object, as in { "<id>": { "command": "…" } }',
    ]);
    expect(warningLines(reading)).toEqual([
      'Unknown key "policys" in /p/mcp.json:8:3; did you mean "policy"?',
      'Unknown key "agents" in /p/mcp.json:9:3; it belongs in "policy"',
    ]);
    expect(reading.servers).toHaveLength(1);
  });

  it.each([150, 2_700, 3_000, 10_000])(
    'never throws, however deep it is: %d sections in one another',
    async (depth) => {
      const deep = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
      const reading = await readMcpJson(`{ "servers": { "a": ${deep} }, "policy": ${deep} }`);
      expect(problemLines(reading)).toEqual(['Cannot read /p/mcp.json: it is nested too deeply']);
      expect(reading.policy).toHaveProperty('unreadable');
    },
  );

  it('never throws, whatever stands there', () => {
    const source = { file: '/p/mcp.json', root: '/p', env: { A: 'a' } };
    const keys = fc.constantFrom(
      'servers',
      'policy',
      'a',
      'command',
      'args',
      'env',
      'url',
      'rules',
      'decision',
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('x', '${A}', '${B}', '${', 'https://e.com', 'deny', 1, true, null),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(keys, tie('node'), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.record({ servers: tree, policy: tree }), (content) => {
        const reading = parseMcpConfig(source, JSON.stringify(content));
        expect('unreadable' in reading.policy && reading.problems.length === 0).toBe(false);
        expect(reading.servers.length + reading.misconfigured.length).toBe(reading.shown.length);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
