import { describe, expect, it, vi } from 'vitest';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import { decide, judged } from './said-call.ts';

/** A person has allowed all changes; nobody is asked otherwise. */
const isAllowed: AgentRule[] = [{ kind: 'edit', decision: 'allow' }];
const edit = (path: string) => [
  decide('edit', { path, content: 'x' }, { ask: 'nothing' }),
  decide('edit', { path, content: 'x' }, { rules: isAllowed }),
];

describe('a path that a tool may expand', () => {
  it.each([
    '.cl*/events.jsonl',
    '.clif?ord/x',
    '.*/x',
    '/project/.CL*/x',
    'src/../mcp.js*',
    'mcp.jso?',
    'm*',
    '*',
    '[m]cp.json',
    '[a-z]cp.json',
    '{mcp,x}.json',
    '{mcp..x}.json',
    '(mcp|x).json',
    '@(mcp|x).json',
    '.clif{ford,}/x',
    `{${Array.from({ length: 70 }, (_, at) => at).join(',')},mcp.json}`,
    '**/config',
    '*/config',
    '.[g]it/hooks/x',
    'packages/a/.g?t/config',
    '$PWD/mcp.json',
    '${ROOT}/.clifford/x',
    '`pwd`/mcp.json',
    'm$X.json',
    '%6dcp.jso%3f',
    'mcp.js"o"*',
  ])(
    'is refused where nobody is asked, and allowed by no rule, if it may lead to what is protected: %s',
    (path) => {
      expect(edit(path)).toEqual(['deny', 'confirm']);
      expect(judged('edit', { rawInput: { path } }, { rules: isAllowed }).rule).toMatch(/^protected /);
    },
  );

  it('is as much one to delete, to move to, and in a field that nobody knows', () => {
    for (const rawInput of [{ path: 'm?p.json' }, { path: 'a', zzz: 'mcp.jso?' }])
      expect(decide('delete', rawInput, { ask: 'nothing' })).toBe('deny');
    expect(decide('move', { source: 'a', destination: '*.json' }, { ask: 'nothing' })).toBe('deny');
    expect(decide('other', { path: '.clif*' }, { ask: 'nothing' })).toBe('deny');
  });

  it('is looked for at the home of a user, too', () => {
    const users = { home: '/home/ada', protects: ['/home/ada/.config/clifford/config.json'] };
    const to = (path: string) => decide('edit', { path }, { ask: 'nothing', users });
    for (const folder of ['~', '$HOME', '${HOME}', '/home/*'])
      expect(to(`${folder}/.config/cl*/*`)).toBe('deny');
    expect(to('$HOME/.config/x/config.json')).toBe('allow');
  });

  it.each([
    'app/[id]/page.tsx',
    'app/(group)/[...slug]/[[lang]]/page.tsx',
    'routes/$postId/edit.tsx',
    'routes/[id]-[slug]/+page.svelte',
    'src/{a,b}.ts',
    'src/*.json',
    'src/a?.md',
    'app/(.)photo/mcp.json',
  ])('is no protected one, whatever it becomes: %s', (path) => {
    expect(decide('edit', { path, content: 'x' }, { ask: 'nothing' })).toBe('allow');
  });

  it('is any file where a tool is not known to write', () => {
    for (const pattern of ['**/*.ts', 'src/**/*', './*'])
      expect(decide('other', { pattern, path: '*' }, { ask: 'nothing' })).toBe('allow');
    expect(decide('other', { path: '?cp.json' }, { ask: 'nothing' })).toBe('deny');
  });

  it('and read may not lead where the log is, but is any other file', () => {
    for (const kind of ['read', 'search'] as const) {
      for (const path of ['.cl*/events.jsonl', '[.]clifford/*', '.clif{ford,}/*'])
        expect(decide(kind, { path }, { ask: 'nothing' })).toBe('deny');
      for (const path of ['**/*.ts', '*', '*.json', 'src/**', 'm*', '.g*/config'])
        expect(decide(kind, { path }, { ask: 'nothing' })).toBe('allow');
    }
  });

  it('and read leads to the log where another that is read with it leads to what may be read', () => {
    for (const kind of ['read', 'search'] as const) {
      for (const paths of [
        ['.git/HEAD', '.clifford/events.jsonl'],
        ['mcp.json', '.cl*/x'],
        ['.g?t/x', '.cl*/x'],
      ])
        expect(decide(kind, { paths }, { ask: 'nothing' })).toBe('deny');
      expect(decide(kind, { path: '{.git,.clifford}/*' }, { ask: 'nothing' })).toBe('deny');
      expect(decide(kind, { paths: ['.git/HEAD', 'mcp.json'] }, { ask: 'nothing' })).toBe('allow');
    }
  });

  it('and read may lead to the log where it becomes more than is looked at', () => {
    const many = Array.from({ length: 70 }, (_, at) => at).join(',');
    for (const path of [`{${many},.clifford/events.jsonl}`, `${'x'.repeat(1_000)}/*`, '%252525252541'])
      for (const kind of ['read', 'search'] as const)
        expect(decide(kind, { path }, { ask: 'nothing' })).toBe('deny');
    const paths = Array.from({ length: 90 }, (_, at) => `src/{a,b}/${at}.ts`);
    for (const path of [paths, `src/${'x'.repeat(2_000)}`])
      expect(decide('read', { paths: path }, { ask: 'nothing' })).toBe('allow');
  });

  it('is judged in a number of steps that does not grow with what it becomes', () => {
    const rules = ['*.env', 'secret/*', '*/x'].flatMap((glob): AgentRule[] => [
      { path: { glob }, decision: 'deny' },
      { path: { below: glob.replaceAll('*', 'x') }, decision: 'confirm' },
    ]);
    const stepsFor = (paths: readonly string[]) => {
      const steps = ['split', 'startsWith', 'replaceAll'] as const;
      const spies = steps.map((step) => vi.spyOn(String.prototype, step));
      try {
        decide('search', { paths }, { rules });
        return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      } finally {
        for (const spy of spies) spy.mockRestore();
      }
    };
    const words = `{${Array.from({ length: 60 }, (_, at) => `w${at}`).join(',')}}`;
    const read = String.raw`/'%2561'\ａ"b" `;
    for (const rest of ['', 'x'.repeat(3_000)]) {
      const hostile = [0, 1, 2].map((at) => `${at}/${words}${read}${rest}/*`);
      const plain = [0, 1, 2].map((at) => `${at}/${'w'.repeat(words.length)}${read}${rest}/x`);
      expect(stepsFor(hostile)).toBeLessThan(8 * stepsFor(plain));
    }
  });

  it('may be one that a rule on files is about', () => {
    const rules: AgentRule[] = [{ path: { glob: '*.env' }, decision: 'deny' }];
    const to = (path: string) => decide('edit', { path, content: 'x' }, { ask: 'nothing', rules });
    for (const path of ['x.en?', 'x.*', 'x.e[n]v', 'x.{env,ts}', 'X.EN?', 'X.ENV', '*'])
      expect(to(path)).toBe('deny');
    const exact: AgentRule[] = [{ path: { glob: 'x.env' }, decision: 'deny' }];
    for (const path of ['*', '*.env', '**.e*', 'x.[e]nv'])
      expect(decide('edit', { path, content: 'x' }, { ask: 'everything', rules: exact })).toBe('deny');
    for (const path of ['x.en?s', 'src/*.ts', 'x.{js,ts}', 'pages/[id].tsx']) expect(to(path)).toBe('allow');
  });
});

it.each(['sed -i s/a/b/ **/config', 'rm **/config', 'rm -r **/hooks/x', 'rm src/**/../../**/x'])(
  'a shell may be told to look for folders in what is hidden, too: %s',
  (command) => {
    const rules: AgentRule[] = [{ kind: 'execute', decision: 'allow' }];
    const said = judged('execute', { rawInput: { command } }, { rules });
    expect([said.decision, said.rule]).toEqual(['confirm', 'protected .clifford']);
    expect(decide('execute', { command: 'rm */config' }, { rules })).toBe('allow');
  },
);

it('a rule that allows files by a pattern of names allows none for what it may become, or is in another case', () => {
  const rules: AgentRule[] = [{ path: { glob: 'docs/*.md' }, decision: 'allow' }];
  const to = (path: string) => decide('edit', { path, content: 'x' }, { ask: 'everything', rules });
  expect(to('docs/a.md')).toBe('allow');
  for (const path of ['DOCS/a.md', 'doc?/a.md', 'docs/a.m*', '{docs,src}/a.md'])
    expect(to(path)).toBe('confirm');
});

describe('the name of a file in brackets', () => {
  const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];

  it.each(['pages/post/[id].tsx', 'pages/[...slug].test.tsx', 'pages/[[lang]].ts'])(
    'is one with an ending, too: %s',
    (path) => {
      for (const kind of ['read', 'edit'] as const)
        expect(decide(kind, { path, content: 'x' }, { rules })).toBe('allow');
    },
  );

  it.each(['[d]eploy/x', '[d].eploy/x', 'x/[d].[e]', 'deplo[y]', '[d].'])('is none otherwise: %s', (path) => {
    expect(decide('edit', { path, content: 'x' })).toBe('confirm');
  });
});
