import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint, lintedFiles } from './helpers/lint.ts';

const root = join(import.meta.dirname, '..');

const middle = ['mcp', 'signals', 'runner', 'tui', 'web', 'notify', 'metrics'];

/** Every folder of src, and the folders it may import. */
const allowed: Record<string, string[]> = {
  lib: [],
  events: ['lib'],
  machines: ['events', 'lib'],
  workflow: ['lib', 'events', 'machines'],
  views: ['lib', 'events', 'machines', 'workflow'],
  gateway: ['lib', 'events', 'machines', 'workflow'],
  ...Object.fromEntries(
    middle.map((room) => [room, ['lib', 'events', 'machines', 'workflow', 'views', 'gateway']]),
  ),
  mcp: ['lib', 'events', 'machines', 'workflow', 'views', 'gateway', 'signals'],
  library: ['lib', 'events', 'machines', 'workflow', 'views', 'gateway', ...middle],
  cli: ['lib', 'events', 'machines', 'workflow', 'views', 'gateway', ...middle],
};
const folders = Object.keys(allowed);

/** Rooms of the workflow: each may import those before it. */
const ways = ['git', 'landing', 'commit', 'worktree'];

const restrictedImport = 'eslint(no-restricted-imports)';

/** They are written like a name of the code, and are none. */
const properNames = new Set(
  'CloudEvents CommonMark DigitalOcean GitHub GitLab JavaScript JetStream OpenCode OpenRouter RubyGems SendGrid TypeScript'.split(
    ' ',
  ),
);

/** Names like `thisOne` and `ThisOne` in a line of a comment, but where it marks them as code. */
function codeNamesIn(line: string): string[] {
  const prose = line.replaceAll(/`[^`]*`|"[^"]*"|\{@link [^}]*\}|@param \S+|@throws \{[^}]*\}/g, '');
  const names = prose.match(/(?<![\w./-])(?:[a-z]+|[A-Z][a-z\d]+)(?:[A-Z][a-z\d]+)+(?![\w/])/g) ?? [];
  return names.filter((name) => !properNames.has(name));
}

/** A file that breaks one rule. */
type Bad = { group: string; file: string; text: string; code: string };

/** Each way to import `path` into `folder`, in a file of its own. */
function importing(folder: string, path: string): Bad[] {
  const forms = {
    value: `import { value } from '${path}';\nexport const copy = value;\n`,
    type: `import type { Value } from '${path}';\nexport type Copy = Value;\n`,
    again: `export { value } from '${path}';\n`,
    lazy: `export const load = () => import('${path}');\n`,
  };
  return Object.entries(forms).map(([form, text]) => ({
    group: `imports into ${folder}`,
    file: `src/${folder}/bad-${form}-${path.replaceAll(/\W+/g, '-')}.ts`,
    text,
    code: restrictedImport,
  }));
}

function doing(folder: string, statement: string, code: string): Bad {
  const file = `src/${folder}/bad-${statement.replaceAll(/\W+/g, '-')}.ts`;
  return {
    group: statement,
    file,
    text: `export function bad(list: readonly string[]): unknown {\n  ${statement};\n  return list;\n}\n`,
    code,
  };
}

const badFiles: Bad[] = [
  ...folders.flatMap((folder) =>
    folders
      .filter((target) => target !== folder && !allowed[folder]?.includes(target))
      .flatMap((target) => importing(folder, `../${target}/target.ts`)),
  ),
  ...['mcp/tools', 'tui/parts'].flatMap((deep) => importing(deep, '../../runner/target.ts')),
  ...ways.flatMap((room, at) =>
    ways.slice(at + 1).flatMap((later) => importing(`workflow/${room}`, `../${later}/target.ts`)),
  ),
  ...folders.flatMap((folder) => importing(folder, '../index.ts')),
  ...folders
    .filter((folder) => folder !== 'mcp' && folder !== 'gateway')
    .flatMap((folder) => importing(folder, '@modelcontextprotocol/sdk/types.js')),
  ...folders
    .filter((folder) => folder !== 'tui')
    .flatMap((folder) => ['ink', 'react', '@xstate/react'].flatMap((name) => importing(folder, name))),
  ...['machines', 'views', 'lib/text', 'lib/time', 'lib/json', 'web/api', 'web/page'].flatMap((folder) =>
    importing(folder, 'node:fs/promises'),
  ),
  ...['api', 'page'].flatMap((folder) => [
    ...['gateway', 'tui', 'cli'].flatMap((room) => importing(`web/${folder}`, `../../${room}/target.ts`)),
    ...['../../workflow', '../../lib/files', '../../lib/processes', '../server'].flatMap((room) =>
      importing(`web/${folder}`, `${room}/target.ts`).filter(({ text }) => !text.startsWith('import type')),
    ),
  ]),
  ...importing('web/api', 'react'),
  // A view may know the types of those, and call none of them.
  ...['workflow', 'lib/files', 'lib/processes'].flatMap((room) =>
    importing('views', `../${room}/target.ts`).filter(({ text }) => !text.startsWith('import type')),
  ),
  ...['machines', 'views'].flatMap((folder) => importing(folder, '../package-file.ts')),
  ...['events', 'workflow', 'gateway', 'signals', 'runner', 'notify', 'cli', 'library'].flatMap((folder) =>
    [
      ['readFile', 'node:fs/promises'],
      ['readFileSync', 'node:fs'],
      ['openSync', 'node:fs'],
      ['createReadStream', 'node:fs'],
      ['writeFileSync', 'node:fs'],
    ].map(([name, from]) => ({
      group: `bare files into ${folder}`,
      file: `src/${folder}/bad-bare-${name}.ts`,
      text: `import { ${name} } from '${from}';\nexport const copy = ${name};\n`,
      code: restrictedImport,
    })),
  ),
  ...['processes', 'files'].flatMap((room) => importing('machines', `../lib/${room}/target.ts`)),
  ...['errors.ts', 'lib/system-error.ts'].map((file) => ({
    group: `imports into ${file}`,
    file: `src/${file}`,
    text: "export { readFile } from 'node:fs/promises';\n",
    code: restrictedImport,
  })),

  ...[
    'process.pid',
    'performance.now()',
    'crypto.randomUUID()',
    'globalThis.process',
    "fetch('http://localhost')",
  ].map((impure) => doing('machines', `void ${impure}`, 'eslint(no-restricted-globals)')),
  doing('machines', 'void Date.now()', 'eslint(no-restricted-properties)'),
  doing('machines', 'void Math.random()', 'eslint(no-restricted-properties)'),

  ...folders
    .filter((folder) => folder !== 'cli')
    .flatMap((folder) => [
      doing(folder, "console.log('printed')", 'eslint(no-console)'),
      doing(folder, 'process.exit(1)', 'unicorn(no-process-exit)'),
    ]),
  ...['events', 'workflow', 'signals', 'runner', 'web', 'notify'].map((folder) =>
    doing(folder, "process.stdout.write('printed')", 'eslint(no-restricted-properties)'),
  ),

  doing('workflow', 'void (1 as any)', 'typescript(no-explicit-any)'),
  doing('workflow', 'void list[0]!', 'typescript(no-non-null-assertion)'),
  doing('workflow', 'Promise.resolve()', 'typescript(no-floating-promises)'),
  doing('workflow', 'try { bad(list); } catch {}', 'eslint(no-empty)'),
  {
    group: 'a switch that forgets a case',
    file: 'src/workflow/bad-switch.ts',
    text: "export function f(x: 'a' | 'b'): void {\n  switch (x) {\n    case 'a':\n      break;\n  }\n}\n",
    code: 'typescript(switch-exhaustiveness-check)',
  },
  {
    group: 'a module that is imported twice',
    file: 'src/workflow/bad-twice.ts',
    text: "import { statSync } from 'node:fs';\nimport type { Stats } from 'node:fs';\nexport const f = (): Stats => statSync('x');\n",
    code: 'import(no-duplicates)',
  },
  ...[
    ['one', 'two'],
    ['two', 'one'],
  ].map(([from, to]) => ({
    group: 'a cycle of imports',
    file: `src/workflow/bad-cycle-${from}.ts`,
    text: `import { ${to} } from './bad-cycle-${to}.ts';\nexport const ${from} = (): unknown => ${to};\n`,
    code: 'import(no-cycle)',
  })),
];

const goodFiles: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(allowed).flatMap(([folder, targets]) =>
      targets.map((target) => [
        `src/${folder}/good-${target.replace('/', '-')}.ts`,
        folder === 'views' && target === 'workflow'
          ? "export type { Value } from '../workflow/target.ts';\n"
          : `export { value } from '../${target}/target.ts';\n`,
      ]),
    ),
  ),
  ...Object.fromEntries(
    ways.flatMap((room, at) =>
      ways
        .slice(0, at)
        .map((earlier) => [
          `src/workflow/${room}/good-${earlier}.ts`,
          `export { value } from '../${earlier}/target.ts';\n`,
        ]),
    ),
  ),
  'src/views/good-type-import.ts':
    "import type { Value } from '../lib/processes/target.ts';\nexport type Copy = Value;\n",
  'src/mcp/good-sdk.ts': "export type { Tool } from '@modelcontextprotocol/sdk/types.js';\n",
  'src/web/page/good-react.ts': "export { useState } from 'react';\n",
  'src/web/page/good-api.ts': "export { value } from '../api/target.ts';\n",
  'src/tui/good-ink.ts': "export { Text } from 'ink';\n",
  'src/runner/good-node.ts': "export { readdir } from 'node:fs/promises';\n",
  'src/lib/files/good-open.ts': "export { openSync } from 'node:fs';\n",
  'src/cli/good-print.ts':
    "export function print(): void {\n  console.log('printed');\n  process.exit(1);\n}\n",
};

describe('the lint', () => {
  let tree: string;
  let found: string[];

  beforeAll(async () => {
    tree = await mkdtemp(join(tmpdir(), 'clifford-lint-'));
    for (const name of ['oxlint.config.ts', 'tsconfig.json', 'package.json'])
      await cp(join(root, name), join(tree, name));
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
    const target = 'export const value = 1;\nexport type Value = typeof value;\n';
    await write('src/index.ts', target);
    const rooms = ['lib/text', 'lib/files', 'lib/processes', 'web/api', 'web/server'];
    for (const folder of [...folders, ...rooms, ...ways.map((room) => `workflow/${room}`)])
      await write(`src/${folder}/target.ts`, target);
    for (const [file, text] of Object.entries(goodFiles)) await write(file, text);
    for (const { file, text } of badFiles) await write(file, text);

    const report = await lint(tree);
    found = report.diagnostics.map(({ filename, code }) => `${filename}: ${code}`);
  });

  afterAll(() => rm(tree, { recursive: true, force: true }));

  async function write(file: string, text: string): Promise<void> {
    const path = join(tree, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  const groups = Map.groupBy(badFiles, ({ group }) => group);

  it.each([...groups])('refuses %s', (_group, files) => {
    expect(found).toEqual(expect.arrayContaining(files.map(({ file, code }) => `${file}: ${code}`)));
  });

  it('accepts what is allowed', () => {
    expect(found.filter((finding) => /\/(good-|target\.ts|index\.ts)/.test(finding))).toEqual([]);
  });
});

describe('the sources', () => {
  it('are all seen by the lint', async () => {
    const sources = await Array.fromAsync(glob('src/**/*.{ts,tsx}', { cwd: root }));
    expect(sources.length).toBeGreaterThan(0);
    expect(await lintedFiles(root, 'src')).toEqual(expect.arrayContaining(sources));
  });

  it('of rooms that know no system run in a browser, with all that they import', async () => {
    const rooms = ['machines', 'views', 'lib/text', 'lib/time', 'lib/json', 'web/api'];
    const names = await Promise.all(
      rooms.map((room) => Array.fromAsync(glob(`src/${room}/**/*.ts`, { cwd: root }))),
    );
    expect(names.filter((inRoom) => inRoom.length === 0)).toEqual([]);
    const { output } = await build({
      cwd: root,
      input: Object.fromEntries(names.flat().map((name) => [name, name])),
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    });
    const chunks = output.filter((file) => file.type === 'chunk');
    const own = new Set(chunks.map(({ fileName }) => fileName));
    const foreign = chunks.flatMap(({ name, imports, dynamicImports }) =>
      [...imports, ...dynamicImports]
        .filter((each) => !own.has(each))
        .map((each) => `${name} imports ${each}`),
    );
    expect(foreign).toEqual([]);
  });

  it('read no clock in the machines', async () => {
    // The lint refuses Date.now(); `new Date()` without a time is the other way to ask.
    for await (const file of glob('src/machines/**/*.ts', { cwd: root })) {
      expect(await readFile(join(root, file), 'utf8'), file).not.toMatch(/new Date\(\s*\)/);
    }
  });

  it('have no names of the code in the prose of their comments, but in backticks or links', async () => {
    // A rename by search and replace puts the new name into sentences, too.
    const found: string[] = [];
    for await (const file of glob('{src,test,bench,scripts,demo}/**/*.{ts,tsx}', {
      cwd: root,
      exclude: ['**/node_modules/**'],
    })) {
      const lines = (await readFile(join(root, file), 'utf8')).split('\n');
      const comments = lines.filter((line) => /^\s*(\/\/|\/?\*)/.test(line));
      for (const line of comments) found.push(...codeNamesIn(line).map((name) => `${file}: ${name}`));
    }
    expect(found).toEqual([]);
  });
});
