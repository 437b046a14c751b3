import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemText } from '../../../src/workflow/config/config-problem.ts';
import { loadConfig, readConfig } from '../../../src/workflow/config/load-config.ts';
import { configured, writeConfig } from '../../helpers/config-files.ts';
import type { ConfigFiles } from '../../helpers/config-files.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const defaults = {
  agents: {},
  maxAttempts: 1,
  verify: [],
  commit: false,
  done: 'reported',
  parallel: 1,
  worktrees: { copy: [], env: {}, onConflict: 'ask' },
  parkAfter: 30,
  limits: { connect: 60_000, idle: 600_000, tool: 3_600_000, exit: 10_000, attempt: 14_400_000 },
  budget: { task: {}, sprint: {}, day: {} },
  clarification: { enabled: true, questionsDir: '.agent-questions', defaultTimeout: 300_000 },
  elicitation: { clients: ['claude-code', 'codex-mcp-client', 'copilot-cli'] },
  log: { servers: [], replicas: 1, mirror: true },
  queue: { deadline: 30_000, losses: 5 },
  repository: {},
  changelog: { enabled: true, file: 'CHANGELOG.md' },
  notify: { bell: true, rules: {}, channels: {}, desktop: 'auto', title: true, progress: true },
  screen: { theme: 'auto', reducedMotion: false, mouse: false },
};

/** The problems of a project's files, its root cut off. */
async function problemsOf(files: ConfigFiles): Promise<string[]> {
  const { root, source } = await configured(files);
  return (await readConfig(source)).problems.map((problem) => problemText(problem).replace(root, '/p'));
}

describe('a configuration', () => {
  it('is all defaults where there is no file', async () => {
    const { source, reported } = await configured({});
    expect(await readConfig(source)).toMatchObject({ config: defaults, problems: [], unknownKeys: [] });
    expect(reported).toEqual([]);
  });

  it('may have comments, trailing commas and a byte order mark', async () => {
    const { source } = await configured({
      project: '\uFEFF{\n  // so many\n  "maxAttempts": 3, /* not more */\n  "verify": ["make",],\n}\n',
    });
    expect(await loadConfig(source)).toEqual({ ...defaults, maxAttempts: 3, verify: ['make'] });
  });

  it('is merged key by key: the project wins over the user, the user over the default', async () => {
    const { source } = await configured({
      project: { clarification: { enabled: false }, agents: { a: { command: 'project-a' } } },
      user: {
        model: 'mine',
        clarification: { enabled: true, defaultTimeout: 0 },
        agents: { a: { command: 'my-a' }, b: { command: 'my-b' } },
      },
    });
    const { config, origins } = await readConfig(source);
    expect(config).toEqual({
      ...defaults,
      model: 'mine',
      clarification: { enabled: false, questionsDir: '.agent-questions', defaultTimeout: 0 },
      agents: { a: { command: 'project-a' }, b: { command: 'my-b' } },
    });
    expect([...origins].map(([key, { origin }]) => [key, origin])).toEqual([
      ['clarification.enabled', 'clifford.json:3'],
      ['agents.a.command', 'clifford.json:7'],
      ['model', '~/.config/clifford/config.json:2'],
      ['clarification.defaultTimeout', '~/.config/clifford/config.json:5'],
      ['agents.b.command', '~/.config/clifford/config.json:12'],
    ]);
  });

  it('is read anew when the file has changed, and when it has gone', async () => {
    const { root, source } = await configured({ project: { maxAttempts: 2 } });
    expect((await loadConfig(source)).maxAttempts).toBe(2);
    await writeConfig(join(root, 'clifford.json'), { maxAttempts: 30 });
    expect((await loadConfig(source)).maxAttempts).toBe(30);
    await rm(join(root, 'clifford.json'));
    expect((await loadConfig(source)).maxAttempts).toBe(1);
  });

  it('is read anew after every change, however fast and small', async () => {
    const { root, source } = await configured({});
    for (const maxAttempts of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      await writeConfig(join(root, 'clifford.json'), { maxAttempts });
      expect((await loadConfig(source)).maxAttempts).toBe(maxAttempts);
    }
  });

  it('may name an agent like a property of every object', async () => {
    const { source } = await configured({
      project: '{"agents": {"__proto__": {"command": "x"}, "constructor": {"command": "y"}}}',
    });
    expect((await loadConfig(source)).agents['constructor']).toEqual({ command: 'y' });
    expect({}).not.toHaveProperty('command');
  });
});

describe('an agent', () => {
  const codex = { adapter: 'codex', path: '/opt/codex', args: ['-c', 'a=1'], env: { A: 'b' }, model: 'm' };
  const own = { command: 'own {prompt}', resume: 'own --session {session}', output: 'codex', env: {} };

  it.each([
    ['a known one by its name', { codex: { model: 'm' } }],
    ['a known one by another name', { fast: codex }],
    ['a command line', { own: { command: 'own' } }],
    ['a command line whose output is known', { own: { ...own, args: ['--json'], model: 'm' } }],
  ])('may be %s', async (_what, agents) => {
    const { source } = await configured({ project: { agents } });
    const { config, problems } = await readConfig(source);
    expect(problems).toEqual([]);
    expect(Object.keys(config.agents)).toEqual(Object.keys(agents));
  });

  it.each([
    [
      'both a known one and a command line',
      '{"agents": {"a": {"command": "x", "adapter": "codex"}}}',
      '1:46: agents.a.adapter cannot be combined with command: an agent has one of the two',
    ],
    [
      'a command line with the path of another program',
      '{"agents": {"a": {"command": "x", "path": "/y"}}}',
      '1:43: agents.a.path cannot be combined with command, which names the program itself',
    ],
    [
      'a known one that is resumed in another way',
      '{"agents": {"codex": {"resume": "x {session}"}}}',
      '1:33: agents.codex.resume needs command: an adapter goes on with sessions by itself',
    ],
    [
      'a known one that prints something else',
      '{"agents": {"codex": {"output": "text"}}}',
      '1:33: agents.codex.output needs command: an adapter knows what its agent prints',
    ],
    [
      'resumed where nobody knows its session',
      '{"agents": {"a": {"command": "x", "resume": "x {session}"}}}',
      '1:45: agents.a.resume needs output: the session is read from what the command prints',
    ],
    [
      'resumed without saying which session',
      '{"agents": {"a": {"command": "x", "resume": "x", "output": "codex"}}}',
      '1:45: agents.a.resume must have {session}, the session to go on with',
    ],
    [
      'resumed without a way to Clifford',
      '{"agents": {"a": {"command": "x {mcpConfig}", "resume": "x {session}", "output": "codex"}}}',
      '1:57: agents.a.resume must have {mcpConfig}, as command has: without it Clifford is out of reach',
    ],
    [
      'nothing that can be started',
      '{"agents": {"a": {"model": "m"}}}',
      '1:28: agents.a.model also needs command or adapter: a is none of opencode, claude, codex, gemini, copilot, cursor',
    ],
  ])('may not be %s', async (_what, project, problem) => {
    expect(await problemsOf({ project })).toEqual([`Cannot read /p/clifford.json:${problem}`]);
  });

  it('is told of the file whose key does not fit, and goes on without it', async () => {
    const { home, source } = await configured({
      project: { agents: { a: { command: 'x' } } },
      user: { agents: { a: { adapter: 'codex', model: 'm' } } },
    });
    const { config, problems, origins } = await readConfig(source);
    expect(problems).toMatchObject([
      { file: join(home, '.config/clifford/config.json'), place: { line: 4 } },
    ]);
    expect(config.agents['a']).toEqual({ command: 'x', model: 'm' });
    expect([...origins.keys()]).toEqual(['agents.a.command', 'agents.a.model']);
  });

  it('is not to blame where a variable of it is not set', async () => {
    const project = { agents: { a: { command: 'x ${CLIFFORD_TEST_NONE}', output: 'codex' } } };
    expect(await problemsOf({ project })).toEqual([
      'Cannot read /p/clifford.json:4:18: agents.a.command uses the variable CLIFFORD_TEST_NONE, which is not set',
    ]);
  });
});

describe("the user's own file", () => {
  const place = async (env: (home: string) => Record<string, string>, file: string) => {
    const home = await tempRoot();
    await writeConfig(join(home, file), { model: 'mine' });
    return loadConfig({ root: await tempRoot(), env: env(home) });
  };

  it.each([
    ['~/.config', (home: string) => ({ HOME: home }), '.config/clifford/config.json'],
    ['XDG_CONFIG_HOME', (home: string) => ({ HOME: '/x', XDG_CONFIG_HOME: home }), 'clifford/config.json'],
    [
      'CLIFFORD_CONFIG',
      (home: string) => ({ HOME: '/x', CLIFFORD_CONFIG: join(home, 'own.json') }),
      'own.json',
    ],
    [
      '~/.config, when XDG_CONFIG_HOME is relative',
      (home: string) => ({ HOME: home, XDG_CONFIG_HOME: 'x' }),
      '.config/clifford/config.json',
    ],
  ])('is found by %s', async (_where, env, file) => {
    expect((await place(env, file)).model).toBe('mine');
  });

  it.each([
    ['CLIFFORD_CONFIG is /dev/null', (home: string) => ({ HOME: home, CLIFFORD_CONFIG: '/dev/null' })],
    ['there is no home folder', () => ({})],
  ])('is none when %s', async (_why, env) => {
    expect((await place(env, '.config/clifford/config.json')).model).toBeUndefined();
  });
});

describe('a mistake is named with file, line, column and rule', () => {
  it.each([
    [
      '{\n  "clarification": {\n    "defaultTimeout": "fast"\n  }\n}',
      '/p/clifford.json:3:23: clarification.defaultTimeout must be a whole number from 0 to 2147483647, in ms (current value is "fast")',
    ],
    [
      '{"maxAttempts": 0}',
      '/p/clifford.json:1:17: maxAttempts must be a whole number from 1 to 1000 (current value is 0)',
    ],
    [
      '{"maxAttempts": 1.5}',
      '/p/clifford.json:1:17: maxAttempts must be a whole number from 1 to 1000 (current value is 1.5)',
    ],
    [
      '{"parkAfter": "5m"}',
      '/p/clifford.json:1:15: parkAfter must be a number from 0 to 525600, in minutes (current value is "5m")',
    ],
    [
      '{"agents": {"opencode": {"parkAfter": -1}}}',
      '/p/clifford.json:1:39: agents.opencode.parkAfter must be a number from 0 to 525600, in minutes (current value is -1)',
    ],
    ['{"model": ""}', '/p/clifford.json:1:11: model must be a text that is not empty (current value is "")'],
    [
      '{"model": null}',
      '/p/clifford.json:1:11: model must be a text that is not empty (current value is null)',
    ],
    [
      '{"verify": "make"}',
      '/p/clifford.json:1:12: verify must be a list, as in ["…"] (current value is "make")',
    ],
    [
      '{"verify": ["make", 3]}',
      '/p/clifford.json:1:21: verify[1] must be a text that is not empty (current value is 3)',
    ],
    [
      '{"changelog": {"enabled": "yes"}}',
      '/p/clifford.json:1:27: changelog.enabled must be true or false (current value is "yes")',
    ],
    [
      '{"changelog": false}',
      '/p/clifford.json:1:15: changelog must be an object, as in { "…": … } (current value is false)',
    ],
    [
      '{"agents": {"a b": {"command": 3}}}',
      '/p/clifford.json:1:32: agents["a b"].command must be a text that is not empty (current value is 3)',
    ],
    [
      '{"agents": {"": {"command": "x"}}}',
      '/p/clifford.json:1:13: agents has the name "", which must be a text that is not empty',
    ],
    [
      '{"notify": {"quietHours": "22-7"}}',
      '/p/clifford.json:1:27: notify.quietHours must be a text, as in "22:00-07:00" (current value is "22-7")',
    ],
    [
      '{"notify": {"desktop": true}}',
      '/p/clifford.json:1:24: notify.desktop must be one of "auto", "osc9", "osc777", "osc99", false (current value is true)',
    ],
    [
      '{"notify": {"channels": {"mine": {"command": "notify-send"}}}}',
      '/p/clifford.json:1:46: notify.channels.mine.command must be a list, as in ["…"] (current value is "notify-send")',
    ],
    ['[1]', '/p/clifford.json:1:1: the file must be an object, as in { "…": … } (current value is [1])'],
    ['{"model" "x"}', '/p/clifford.json:1:10: it is not JSON: unexpected string'],
    ['{\n  "model": ', '/p/clifford.json:2:12: it is not JSON: unexpected end of input'],
    ['', '/p/clifford.json:1:1: it is not JSON: unexpected end of input'],
    [`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, '/p/clifford.json: it is nested too deeply'],
  ])('%.60s', async (project, message) => {
    expect(await problemsOf({ project })).toEqual([`Cannot read ${message}`]);
  });

  it('and everything else in the file counts', async () => {
    const { source } = await configured({ project: { maxAttempts: 'many', model: 'm', verify: ['make'] } });
    expect(await loadConfig(source)).toEqual({ ...defaults, model: 'm', verify: ['make'] });
  });
});

describe('something else in the place of the file is one problem', () => {
  it.each<[string, string, (file: string) => unknown]>([
    ['a folder', 'it is a folder', (file) => mkdir(file)],
    ['a named pipe', 'it is a named pipe', (file) => execFileSync('mkfifo', [file])],
    ['a link to nothing', 'it is a link to a file that is missing', (file) => symlink('nowhere', file)],
    ['a link to itself', 'the system says ELOOP', (file) => symlink('clifford.json', file)],
    [
      '10 MB',
      'it is too large: 10,485,760 bytes, and at most 1,048,576 are read',
      async (file) => {
        await writeFile(file, '{}');
        await truncate(file, 10 * 1024 * 1024);
      },
    ],
  ])('%s', async (_what, rule, make) => {
    const { root, source, reported } = await configured({});
    await make(join(root, 'clifford.json'));
    expect(await loadConfig(source)).toEqual(defaults);
    expect(reported).toEqual([expect.stringMatching(/^Cannot read .*clifford\.json: /)]);
    expect(reported[0]).toContain(rule);
  });
});

describe('a file that is broken while something runs', () => {
  it('counts as it was before, and is reported once per change', async () => {
    const { root, source, reported } = await configured({ project: { maxAttempts: 2, model: 'm' } });
    const file = join(root, 'clifford.json');
    await loadConfig(source);
    await writeConfig(file, '{"maxAttempts": 3, "model": ');
    expect(await loadConfig(source)).toMatchObject({ maxAttempts: 2, model: 'm' });
    await loadConfig(source);
    expect(reported).toEqual([
      `Cannot read ${file}:1:29: it is not JSON: unexpected end of input; its previous content is used`,
    ]);
    await writeConfig(file, '{"maxAttempts": "three"}');
    expect(await loadConfig(source)).toMatchObject({ maxAttempts: 2, model: 'm' });
    expect(reported).toHaveLength(2);
    await writeConfig(file, { maxAttempts: 4 });
    expect((await loadConfig(source)).maxAttempts).toBe(4);
    expect(reported).toHaveLength(2);
  });
});

describe('a variable', () => {
  const valueOf = async (model: string, env: Record<string, string>) =>
    (await loadConfig((await configured({ project: { model }, env })).source)).model;

  it.each([
    ['${A}', 'one'],
    ['x-${A}-${B}', 'x-one-${A}'],
    ['${NONE:-fallback}', 'fallback'],
    ['${EMPTY:-fallback}', 'fallback'],
    ['x${EMPTY}', 'x'],
    ['${NONE:-}x', 'x'],
    ['$${A} ${A}', '${A} one'],
    ['$A $$ costs', '$A $$ costs'],
  ])('in %j is replaced once: %j', async (written, value) => {
    expect(await valueOf(written, { A: 'one', B: '${A}', EMPTY: '' })).toBe(value);
  });

  it('is replaced in each text of a list', async () => {
    const { source } = await configured({ project: { verify: ['make ${A}', 'true'] }, env: { A: 'all' } });
    expect((await loadConfig(source)).verify).toEqual(['make all', 'true']);
  });

  it('that is not set costs its key only, and is named with file and line', async () => {
    const { source } = await configured({
      project: '{\n  "model": "${NO_MODEL}",\n  "maxAttempts": 3\n}',
      user: { model: 'mine' },
    });
    const { config, problems } = await readConfig(source);
    expect(config).toMatchObject({ model: 'mine', maxAttempts: 3 });
    expect(problems.map(problemText)).toEqual([
      expect.stringMatching(/clifford\.json:2:12: model uses the variable NO_MODEL, which is not set$/),
    ]);
  });

  it('that is not set does no harm in a key that the project overrides', async () => {
    expect(await problemsOf({ project: { model: 'm' }, user: { model: '${NO_MODEL}' } })).toEqual([]);
  });

  it.each([
    ['{"model": "${1}"}', 'model has ${1}, which is not a variable: $${ stands for ${ itself'],
    ['{"model": "a ${open"}', 'model has ${open, which is not a variable: $${ stands for ${ itself'],
    ['{"model": "${A:-${B}}"}', 'model has ${A:-${B}, which is not a variable: $${ stands for ${ itself'],
    ['{"model": "${EMPTY}"}', 'model must be a text that is not empty (current value is "${EMPTY}")'],
  ])('in %j is refused, its value not shown', async (project, rule) => {
    expect(await problemsOf({ project, env: { EMPTY: '' } })).toEqual([
      `Cannot read /p/clifford.json:1:11: ${rule}`,
    ]);
  });
});

describe('an unknown key', () => {
  it.each([
    ['{"maxAttemps": 3}', 'Unknown key "maxAttemps" in /p/clifford.json:1:2; did you mean "maxAttempts"?'],
    [
      '{"changelog": {"files": "x"}}',
      'Unknown key "changelog.files" in /p/clifford.json:1:16; did you mean "file"?',
    ],
    [
      '{"agents": {"a": {"command": "x", "cost": 3}}}',
      'Unknown key "agents.a.cost" in /p/clifford.json:1:35',
    ],
    ['{"somethingNew": 1}', 'Unknown key "somethingNew" in /p/clifford.json:1:2'],
  ])('in %s is named, not refused', async (project, warning) => {
    const { root, source } = await configured({ project });
    const { problems, unknownKeys } = await readConfig(source);
    expect(problems).toEqual([]);
    expect(unknownKeys.map(({ text }) => text.replace(root, '/p'))).toEqual([warning]);
  });

  it('$schema is known', async () => {
    const { source } = await configured({ project: { $schema: './clifford.schema.json' } });
    expect(await readConfig(source)).toMatchObject({ problems: [], unknownKeys: [] });
  });
});
