import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadMcpConfig } from '../../src/gateway/config/load-mcp-config.ts';
import type { PolicyConfig } from '../../src/gateway/config/policy-config.ts';
import { readConfig } from '../../src/workflow/config/load-config.ts';
import { clifford } from '../helpers/clifford-process.ts';
import type { Ended } from '../helpers/ended-process.ts';
import { fakePrograms } from '../helpers/fake-programs.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

const node = process.execPath;
const server = join(import.meta.dirname, '../../dist/mcp-entry.js');

/** A folder without a project, and what is typed in it by somebody who has Codex and Gemini CLI. */
async function freshFolder(): Promise<{ root: string; init: (...args: string[]) => Promise<Ended> }> {
  const root = await tempRoot();
  await rm(join(root, '.clifford'), { recursive: true });
  const PATH = await fakePrograms({ codex: 'exit 1', gemini: 'exit 1' });
  return { root, init: (...args) => clifford(['init', ...args], { cwd: root, env: { PATH } }) };
}

/** The policy of a project. */
async function readPolicy(root: string): Promise<Partial<PolicyConfig>> {
  const { policy } = await loadMcpConfig({ root, env: {} });
  return 'unreadable' in policy ? {} : policy;
}

/** Every file below a folder with its text, but those of git. */
async function filesOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes('/.git/'));
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(root.length + 1), await readFile(path, 'utf8')] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

const own = [
  '.clifford/clifford.schema.json',
  '.clifford/prompt.md',
  'clifford.json',
  'mcp.json',
  'sprints/example/1-look.md',
  'sprints/example/2-ask.md',
  'sprints/example/manifest.json',
];

describe('clifford init --yes', () => {
  it('makes a project with the first agent that is installed, and a sprint that can be seen', async () => {
    const { root, init } = await freshFolder();
    const { code, out, err } = await init('--yes');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('agents   Codex, Gemini CLI\n');
    expect(out).toMatch(/\n7 files written\nnext: clifford doctor, then clifford run\n$/);
    expect(Object.keys(await filesOf(root)).sort()).toEqual(own);
    const { config, problems, unknownKeys } = await readConfig({ root, env: {} });
    expect({ agent: config.agent, problems, unknownKeys }).toEqual({
      agent: 'codex',
      problems: [],
      unknownKeys: [],
    });
    expect((await clifford(['status'], { cwd: root })).out).toContain('example (A first sprint): pending');
    expect((await stat(join(root, '.clifford'))).mode & 0o777).toBe(0o700);
  });

  it('makes no sprint with --no-sprint, and says how one is made', async () => {
    const { root, init } = await freshFolder();
    const { out } = await init('--yes', '--no-sprint');
    expect(out).toMatch(/\n4 files written\nnext: clifford doctor, then clifford sprint new <id>\n$/);
    expect(Object.keys(await filesOf(root)).sort()).toEqual(
      own.filter((file) => !file.startsWith('sprints/')),
    );
    await writeSprint(root, { id: 'login' });
    expect((await init('--yes', '--no-sprint', '--mcp', 'codex')).out).toMatch(/then clifford run\n$/);
  });

  it('puts the schema of the configuration beside it, where whoever has the project finds it', async () => {
    const { root, init } = await freshFolder();
    await init('--yes');
    const { $schema } = (await readConfig({ root, env: {} })).config;
    expect($schema).toBe('./.clifford/clifford.schema.json');
    const copy = join(root, '.clifford/clifford.schema.json');
    const schema = await readFile(join(import.meta.dirname, '../../dist/clifford.schema.json'), 'utf8');
    expect(await readFile(copy, 'utf8')).toBe(schema);

    await writeFile(copy, '{ "title": "of another version" }\n');
    const { out } = await init('--yes');
    expect(out).toContain(
      'differs  .clifford/clifford.schema.json: lets editors check and complete clifford.json; it stays as it is, without --force\nthere ',
    );
    await init('--yes', '--force');
    expect(await readFile(copy, 'utf8')).toBe(schema);
  });

  it('changes nothing the second time, and says so', async () => {
    const { root, init } = await freshFolder();
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    await init('--yes', '--mcp', 'opencode', 'codex', 'vscode');
    const before = await filesOf(root);
    const { code, out, err } = await init('--yes', '--mcp', 'opencode', 'codex', 'vscode');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\nnothing to do\n$/);
    expect(await filesOf(root)).toEqual(before);
  });

  it('leaves a configuration and sprints that are there', async () => {
    const { root, init } = await freshFolder();
    await writeFile(join(root, 'clifford.json'), '{ "agent": "mine" }');
    await writeSprint(root, { id: 'login' });
    const { code, out } = await init('--yes');
    expect(code).toBe(0);
    expect(out).toContain('there    clifford.json: the settings of the project\n');
    const files = await filesOf(root);
    expect(files['clifford.json']).toBe('{ "agent": "mine" }');
    expect(Object.keys(files)).not.toContain('sprints/example/manifest.json');
    expect(Object.keys(files)).not.toContain('.clifford/clifford.schema.json');
  });

  it('names the agent of --agent in a configuration that is there, unless that names another one', async () => {
    const { root, init } = await freshFolder();
    await writeFile(join(root, 'clifford.json'), '{ "maxAttempts": 2 } // mine\n');
    await init('--yes', '--agent', 'gemini');
    expect((await filesOf(root))['clifford.json']).toBe('{ "maxAttempts": 2, "agent": "gemini" } // mine\n');
    const { code, out } = await init('--yes', '--agent', 'claude');
    expect(code).toBe(0);
    expect(out).toContain(
      'differs  clifford.json: the settings of the project, with agent claude; it stays as it is, without --force\n',
    );
    expect((await filesOf(root))['clifford.json']).toContain('"gemini"');
    await init('--yes', '--agent', 'claude', '--force');
    expect((await filesOf(root))['clifford.json']).toBe('{ "maxAttempts": 2, "agent": "claude" } // mine\n');
  });

  it('makes git leave what Clifford remembers alone, but not the text for agents', async () => {
    const { root, init } = await freshFolder();
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    await writeFile(join(root, '.gitignore'), 'dist');
    await init('--yes');
    expect((await filesOf(root))['.gitignore']).toBe(
      'dist\n/.clifford/*\n!/.clifford/prompt.md\n!/.clifford/clifford.schema.json\n',
    );
    const ignored = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(ignored).toContain('.clifford/prompt.md');
    expect(ignored).toContain('.clifford/clifford.schema.json');
    expect((await init('--yes')).out).toContain('there    .gitignore');
  });

  it('takes what matters for what agents ask about, and leaves an mcp.json that is there', async () => {
    const { root, init } = await freshFolder();
    expect((await init('--yes')).out).toContain(
      'new      mcp.json: agents ask you about what matters before they do it',
    );
    expect((await readPolicy(root)).agents).toEqual({ ask: 'what-matters', rules: [] });
    const mine = '{ "servers": {} } // mine\n';
    await writeFile(join(root, 'mcp.json'), mine);
    expect((await init('--yes')).out).toContain('there    mcp.json: servers, and what agents may do\n');
    expect((await filesOf(root))['mcp.json']).toBe(mine);
  });

  it('writes what --ask says, beside what is there, and says who has to trust it', async () => {
    const { root, init } = await freshFolder();
    await writeFile(join(root, 'mcp.json'), '{ "servers": {} } // mine\n');
    const { out } = await init('--yes', '--ask', 'nothing');
    expect(out).toMatch(
      /\nnext: clifford mcp trust, by a person: what mcp.json allows agents does not count before\nthen: clifford doctor, then clifford run\n$/,
    );
    const text = '{ "servers": {}, "policy": { "agents": { "ask": "nothing" } } } // mine\n';
    expect((await filesOf(root))['mcp.json']).toBe(text);
    expect((await init('--yes', '--ask', 'nothing')).out).toMatch(/\nnothing to do\n$/);
    expect((await init('--yes', '--ask', 'everything')).out).toContain(
      'differs  mcp.json: agents ask you about everything before they do it; it stays as it is, without --force\n',
    );
    expect((await filesOf(root))['mcp.json']).toBe(text);
    const forced = await init('--yes', '--ask', 'everything', '--force');
    expect(forced.out).toMatch(/\n1 file written\nnext: clifford doctor, then clifford run\n$/);
    expect((await readPolicy(root)).agents?.ask).toBe('everything');
  });

  it.each(['.clifford', 'sprints'])('says so where a file has the name of %s', async (name) => {
    const { root, init } = await freshFolder();
    await writeFile(join(root, name), '');
    const { code, err } = await init('--yes');
    expect(code).toBe(2);
    expect(err).toMatch(/^clifford: Cannot write .*: the system says (EEXIST|ENOTDIR)\n/);
    expect(await readFile(join(root, name), 'utf8')).toBe('');
  });

  it('leaves a .gitignore that says something of .clifford/', async () => {
    const { root, init } = await freshFolder();
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    const text = '/.clifford/*\n!/.clifford/events.jsonl\n';
    await writeFile(join(root, '.gitignore'), text);
    await init('--yes');
    expect((await filesOf(root))['.gitignore']).toBe(text);
  });

  it('works where no agent is installed, and names one in a comment', async () => {
    const { root } = await freshFolder();
    const { code, out } = await clifford(['init', '--yes'], {
      cwd: root,
      env: { PATH: await fakePrograms({}) },
    });
    expect(code).toBe(0);
    expect(out).toContain('agents   none found on the PATH\n');
    expect(out).toMatch(
      / {9}Clifford works with these; to install one:\n {11}OpenCode +npm install -g opencode-ai\n/,
    );
    expect(out).toContain(
      '\nnext: see a run without any agent: clifford demo\n  or: install one of the agents above',
    );
    expect((await filesOf(root))['clifford.json']).toContain('// "agent": "opencode"');
  });

  it('says how the agent that was named is installed, and nothing of the others', async () => {
    const env = { PATH: await fakePrograms({ opencode: 'true' }) };
    const { out } = await clifford(['init', '--agent', 'claude', '--yes'], { cwd: await tempRoot(), env });
    expect(out.split('\n').slice(-3)).toEqual([
      expect.stringMatching(/files written$/),
      'next: install Claude Code (npm install -g @anthropic-ai/claude-code), then clifford doctor and clifford run',
      '',
    ]);
    expect(out).not.toContain('npm install -g opencode-ai');
  });
});

describe('an MCP entry', () => {
  it.each([
    [
      'opencode',
      'opencode.json',
      { mcp: { clifford: { type: 'local', command: [node, server], enabled: true, timeout: 86_400_000 } } },
    ],
    [
      'claude',
      '.mcp.json',
      { mcpServers: { clifford: { type: 'stdio', command: node, args: [server], timeout: 86_400_000 } } },
    ],
    [
      'copilot',
      '.mcp.json',
      { mcpServers: { clifford: { type: 'stdio', command: node, args: [server], timeout: 86_400_000 } } },
    ],
    [
      'gemini',
      '.gemini/settings.json',
      { mcpServers: { clifford: { command: node, args: [server], timeout: 86_400_000, trust: true } } },
    ],
    ['cursor', '.cursor/mcp.json', { mcpServers: { clifford: { command: node, args: [server] } } }],
    [
      'vscode',
      '.vscode/mcp.json',
      { servers: { clifford: { type: 'stdio', command: node, args: [server] } } },
    ],
  ])('of %s is put into %s, beside what is there', async (client, file, entry) => {
    const { root, init } = await freshFolder();
    await init('--yes', '--mcp', client);
    expect(JSON.parse((await filesOf(root))[file] ?? '')).toMatchObject(entry);
    const [key = ''] = Object.keys(entry);
    const before = `{\n    // mine\n    "${key}": {\n        "other": { "command": "x" }, // dear\n    },\n    "z": 1,\n}\n`;
    await writeFile(join(root, file), before);
    const { out } = await init('--yes', '--mcp', client);
    expect(out).toContain(`--- a/${file}\n  +++ b/${file}\n`);
    const after = (await filesOf(root))[file] ?? '';
    expect(after.split('\n').filter((line) => before.split('\n').includes(line))).toEqual(before.split('\n'));
    expect(after).toContain('        "clifford": {\n');
    expect((await init('--yes', '--mcp', client)).out).toContain(`there    ${file}`);
  });

  it('of Codex is put into .codex/config.toml, beside what is there', async () => {
    const { root, init } = await freshFolder();
    await mkdir(join(root, '.codex'));
    await writeFile(join(root, '.codex/config.toml'), '# mine\nmodel = "m"\n');
    await init('--yes', '--mcp', 'codex');
    expect((await filesOf(root))['.codex/config.toml']).toBe(
      `# mine\nmodel = "m"\n\n[mcp_servers.clifford]\ncommand = "${node}"\nargs = [ "${server}" ]\n` +
        'tool_timeout_sec = 86400\nrequired = true\n\n[mcp_servers.clifford.env]\nCLIFFORD_WAIT_LIMIT_MS = "82800000"\n',
    );
  });

  it('goes into opencode.jsonc where that is the file', async () => {
    const { root, init } = await freshFolder();
    await writeFile(join(root, 'opencode.jsonc'), '{\n  // mine\n}\n');
    await init('--yes', '--mcp', 'opencode');
    const files = await filesOf(root);
    expect(files['opencode.jsonc']).toContain('"clifford"');
    expect(files['opencode.json']).toBeUndefined();
  });

  it('starts Clifford through npx, which fetches nothing, where it is a package of the project', async () => {
    const { root, init } = await freshFolder();
    await mkdir(join(root, 'node_modules'));
    await symlink(join(import.meta.dirname, '../..'), join(root, 'node_modules/clifford'));
    await init('--yes', '--mcp', 'cursor');
    expect(JSON.parse(await readFile(join(root, '.cursor/mcp.json'), 'utf8'))).toEqual({
      mcpServers: { clifford: { command: 'npx', args: ['--no', 'clifford', 'mcp', 'serve'] } },
    });
    expect(await readFile(join(root, 'clifford.json'), 'utf8')).toContain(
      '"$schema": "./node_modules/clifford/dist/clifford.schema.json"',
    );
    expect(await readdir(join(root, '.clifford'))).not.toContain('clifford.schema.json');
  });

  it('starts Clifford by its name where that is on the PATH', async () => {
    const { root } = await freshFolder();
    const PATH = await fakePrograms({});
    await symlink(join(import.meta.dirname, '../../dist/cli.js'), join(PATH, 'clifford'));
    await clifford(['init', '--yes', '--mcp', 'cursor'], { cwd: root, env: { PATH } });
    expect(JSON.parse(await readFile(join(root, '.cursor/mcp.json'), 'utf8'))).toEqual({
      mcpServers: { clifford: { command: 'clifford', args: ['mcp', 'serve'] } },
    });
  });

  it('that says something else is shown, and replaced with --force only', async () => {
    const { root, init } = await freshFolder();
    const mine = '{ "mcpServers": { "clifford": { "command": "mine" } } }\n';
    await writeFile(join(root, '.mcp.json'), mine);
    const { code, out } = await init('--yes', '--mcp', 'claude');
    expect(code).toBe(0);
    expect(out).toMatch(/differs {2}\.mcp\.json: .*; it stays as it is, without --force\n/);
    const again = await init('--yes', '--mcp', 'claude');
    expect(again.out).toMatch(/\nnothing was written\n$/);
    expect(out).toContain('-{ "mcpServers": { "clifford": { "command": "mine" } } }');
    expect((await filesOf(root))['.mcp.json']).toBe(mine);
    await init('--yes', '--mcp', 'claude', '--force');
    expect((await filesOf(root))['.mcp.json']).not.toContain('mine');
  });

  it.each([
    ['is broken', (path: string) => writeFile(path, '{ oops'), 'it is not JSON (line 1, column 3)'],
    ['is not UTF-8', (path: string) => writeFile(path, Buffer.from([0x7b, 0xff, 0x7d])), 'it is not UTF-8'],
    [
      'is a link to nothing',
      (path: string) => symlink('nowhere', path),
      'it is a link to a file that is missing',
    ],
    ['is a folder', (path: string) => mkdir(path), 'it is a folder'],
  ])(
    'is not put into a file that %s; the others are written, and the end is 2',
    async (_what, make, reason) => {
      const { root, init } = await freshFolder();
      await make(join(root, '.mcp.json'));
      const { code, err } = await init('--yes', '--mcp', 'claude', 'vscode');
      expect(code).toBe(2);
      expect(err).toBe(`clifford: Cannot change .mcp.json: ${reason}; it is left as it is\n`);
      const files = await filesOf(root);
      expect(files['.vscode/mcp.json']).toContain('clifford');
      expect(files['nowhere']).toBeUndefined();
    },
  );

  it('goes through a link into its file, and keeps the mode of that', async () => {
    const { root, init } = await freshFolder();
    await mkdir(join(root, 'dotfiles'));
    await writeFile(join(root, 'dotfiles/mcp.json'), '{}');
    await chmod(join(root, 'dotfiles/mcp.json'), 0o640);
    await symlink('dotfiles/mcp.json', join(root, '.mcp.json'));
    await init('--yes', '--mcp', 'claude');
    expect((await lstat(join(root, '.mcp.json'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(root, 'dotfiles/mcp.json'), 'utf8')).toContain('clifford');
    expect((await stat(join(root, 'dotfiles/mcp.json'))).mode & 0o777).toBe(0o640);
  });

  it('cannot be put where a file stands in the way of its folder', async () => {
    const { root, init } = await freshFolder();
    await writeFile(join(root, '.cursor'), '');
    const { code, err } = await init('--yes', '--mcp', 'cursor');
    expect(code).toBe(2);
    expect(err).toMatch(/^clifford: Cannot write .*\.cursor\/mcp\.json: the system says (EEXIST|ENOTDIR)\n/);
  });
});

describe('clifford init writes nothing', () => {
  it('with --dry-run, and shows every file in full', async () => {
    const { root, init } = await freshFolder();
    const { code, out } = await init('--dry-run', '--yes', '--mcp', 'claude');
    expect(code).toBe(0);
    const schema = '.clifford/clifford.schema.json';
    for (const file of [...own, '.mcp.json'].filter((each) => each !== schema))
      expect(out).toContain(`  --- /dev/null\n  +++ b/${file}\n`);
    expect(out).toContain(`new      ${schema}: lets editors check and complete clifford.json\nnew `);
    expect(out).toMatch(/\nnothing was written: --dry-run\n$/);
    expect(await readdir(root)).toEqual([]);
  });

  it('without a terminal, and says how to write it', async () => {
    const { root, init } = await freshFolder();
    const { code, out, err } = await init('--mcp', 'claude');
    expect(code).toBe(2);
    expect(out).toContain('+++ b/.mcp.json');
    expect(err).toBe(
      'clifford: Cannot ask whether to write this: there is no terminal\n  Look at it above, then write it with --yes\n',
    );
    expect(await readdir(root)).toEqual([]);
  });

  it.each([
    [
      ['--agent', 'hal'],
      /Cannot use --agent hal: the known ones are opencode, claude, codex, gemini, copilot, cursor\n/,
    ],
    [
      ['--ask', 'less'],
      /Cannot take less for --ask <level>: it has to be one of everything, what-matters, nothing\n/,
    ],
    [['--mcp', 'hal'], /Cannot use --mcp hal: the known ones are .*, vscode\n/],
  ])('with %j, which it does not know', async (args, message) => {
    const { root, init } = await freshFolder();
    const { code, err } = await init('--yes', ...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(await readdir(root)).toEqual([]);
  });
});
