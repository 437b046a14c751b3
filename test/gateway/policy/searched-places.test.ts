import { describe, expect, it } from 'vitest';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import { decideSaid } from './said-call.ts';

const search = (rawInput: object, rules: AgentRule[] = []) => decideSaid('search', { rawInput }, { rules });

describe('a search leaves the project', () => {
  it.each([
    { glob: '/etc/passwd' },
    { pattern: 'x', glob: '/etc/*' },
    { glob: '$HOME/*' },
    { glob: '~/x' },
    { glob: '../x' },
    { glob: '..' },
    { glob: '!(a)/../../x' },
    { glob: 'src/*/../../../etc' },
    { glob: '{/etc,src}/**' },
    { glob: '{src,..}/**' },
    { glob: 'src/{a,../../../etc}/*' },
    { glob: 'src/*.ts, /etc/*' },
    { glob: '.[.]/x' },
    { glob: '.{,.}/x/y' },
    { glob: '{a,.}./x' },
    { include: ['/etc/passwd'] },
    { includes: ['src/*.ts', '/etc/pass?d'] },
    { pattern: '/etc/passwd' },
    { pattern: '/etc/pass?d' },
    { pattern: '/etc/@(passwd|shadow)' },
    { pattern: '/etc/{passwd,shadow}' },
    { pattern: '$HOME/*' },
    { pattern: '${HOME}/*' },
    { pattern: 'C:/Users/*' },
    { pattern: '/etc/*', output_mode: 'content' },
    { pattern: '*', root: '..' },
    { pattern: 'src\\..\\..\\*', glob: 'src\\..\\..\\*' },
  ])('%j', (input) => {
    expect(search(input)).toBe('confirm');
  });

  it('and does so when it is said to read', () => {
    expect(decideSaid('read', { rawInput: { path: 'src', include: ['/etc/passwd'] } })).toBe('confirm');
    expect(decideSaid('read', { rawInput: { path: 'src', pattern: '/etc/passwd' } })).toBe('confirm');
  });

  it.each(['.clifford/**', '.clif*/**', '{.clifford,x}/**', '.clif{ford,}/*'])(
    'or goes where what decides over agents is: %s',
    (glob) => {
      expect(search({ pattern: 'x', glob })).toBe('confirm');
    },
  );
});

describe('a search stays in the project', () => {
  it.each([
    { pattern: 'src/**/*.{ts,tsx}' },
    { pattern: '**/*.ts' },
    { pattern: '{src,test}/**/*.ts' },
    { pattern: '/project/src/**/*.ts' },
    { pattern: '.github/workflows/*.yml' },
    { pattern: 'src/[a-z]*/x.ts' },
    { pattern: 'packages/*/.github/x.yml' },
    { pattern: 'a|b.*', path: '/project/src', glob: '**/*.ts', output_mode: 'content', '-n': true },
    { path: '/project', ignore: ['node_modules/**', '/etc/**'] },
    { pattern: 'x', glob: '!/dist/**' },
    { pattern: 'x', exclude: '../**' },
    // What is looked for in files.
    { pattern: '/api/users', output_mode: 'content' },
    { pattern: '/api/users', glob: '*.ts' },
    { pattern: String.raw`/api/.*\(x\)` },
    { pattern: '^/api/*' },
    { pattern: '/api/.*(a|b)' },
    { pattern: '/a*|/b*' },
    { pattern: '/api/*$' },
    { pattern: 'so ... and so' },
  ])('%j', (input) => {
    expect(search(input)).toBe('allow');
  });

  it('and no rule knows what a pattern fits', () => {
    const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
    for (const pattern of [
      'dep*/**',
      'deplo?/x',
      '{src,deploy}/*',
      '**/*.ts',
      'DEP*/x',
      'deploy/*',
      'src/*/../../dep*/x',
    ])
      expect(search({ pattern }, rules)).toBe('deny');
  });

  it('but that it is elsewhere', () => {
    const rules: AgentRule[] = [
      { path: { below: 'deploy' }, decision: 'deny' },
      { path: { below: '/project/.secret' }, decision: 'deny' },
    ];
    for (const pattern of ['src/**/*.{ts,tsx}', '/project/src/*', '*.ts', '{src,test}/**'])
      expect(search({ pattern }, rules)).toBe('allow');
    expect(search({ pattern: 'src/*', path: 'deploy' }, rules)).toBe('deny');
    // What changes files is not known to stay there, nor is what runs behind a link.
    for (const path of ['src/*.ts', 'src/**'])
      expect(decideSaid('edit', { rawInput: { path } }, { rules })).toBe('deny');
    const throughLinks = (path: string) => path.replace('/project/src/out', '/project/deploy');
    expect(decideSaid('search', { rawInput: { pattern: 'src/out/*' } }, { rules, throughLinks })).toBe(
      'deny',
    );
    expect(decideSaid('search', { rawInput: { pattern: 'src/in/*' } }, { rules, throughLinks })).toBe(
      'allow',
    );
  });

  it.each([
    { pattern: 'secret/**', path: '/project/lib' },
    { pattern: 'secret/**', path: 'lib' },
    { pattern: 'secret/**', dir_path: '/project/lib' },
    { glob_pattern: 'secret/**', target_directory: '/project/lib' },
    { pattern: './s*', path: 'lib' },
    { pattern: 'secret/**', path: 'li%62' },
    { pattern: 'secret/**', path: 'link' },
    { pattern: '**/x', path: 'link' },
    { pattern: 'link/**' },
  ])('but where it starts in another folder that it names: %j', (rawInput) => {
    const rules: AgentRule[] = [{ path: { below: 'lib/secret' }, decision: 'deny' }];
    const throughLinks = (path: string) => path.replace('/project/link', '/project/lib');
    expect(decideSaid('search', { rawInput }, { rules, throughLinks })).toBe('deny');
    for (const elsewhere of [
      { pattern: 'test/**', path: '/project/lib' },
      { pattern: 'secret/**', path: '/project/src' },
      { pattern: 'src/**/*.ts', path: '/project' },
    ])
      expect(decideSaid('search', { rawInput: elsewhere }, { rules, throughLinks })).toBe('allow');
  });

  it('but where a wildcard in front of a name, or one of some names, may be a link', () => {
    const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
    const throughLinks = (path: string) => path.replace('/project/src/lk', '/project/deploy');
    const to = (pattern: string) => decideSaid('search', { rawInput: { pattern } }, { rules, throughLinks });
    for (const pattern of ['src/l?/x', 'src/*/x', 'src/{a,lk}/**', 'src/[l]k/**', '{src/lk,a}/*.ts'])
      expect(to(pattern)).toBe('deny');
    for (const pattern of ['src/**/l?', 'src/{a,b}/**', 'src/[a]b/**']) expect(to(pattern)).toBe('allow');
    // The folder of the rule may be behind one as well.
    const behind = (path: string) => path.replace('/project/deploy', '/project/src/a');
    const said = { rawInput: { pattern: 'src/**' } };
    expect(decideSaid('search', said, { rules, throughLinks: behind })).toBe('deny');
  });

  it('and is asked about, not refused, where it may find a file that a rule denies by its name', () => {
    const rules: AgentRule[] = [{ path: { glob: '*.env' }, decision: 'deny' }];
    const isAllowed: AgentRule = { kind: 'search', decision: 'allow' };
    for (const glob of ['src/**', '**/*', 'src/x.en?'])
      for (const all of [rules, [...rules, isAllowed]]) expect(search({ glob }, all)).toBe('confirm');
    expect(search({ pattern: 'src/**/*.ts' }, rules)).toBe('allow');
    for (const path of ['x.env', 'X.ENV']) expect(search({ path, pattern: 'src/**' }, rules)).toBe('deny');
    expect(decideSaid('search', { rawInput: { pattern: 'src/**' } }, { rules, ask: 'nothing' })).toBe('deny');
    expect(decideSaid('read', { rawInput: { path: 'src/**' } }, { rules })).toBe('deny');
  });

  it('but what is left out, or looked for in files, is of no file', () => {
    const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
    expect(search({ pattern: 'x', glob: '!deploy/**' }, rules)).toBe('allow');
    expect(search({ pattern: 'deploy/x' }, rules)).toBe('allow');
  });

  it('but where a link leads out of it', () => {
    const throughLinks = (path: string) => path.replace('/project/src/out', '/etc');
    for (const glob of ['src/out/*', 'src/out/x', 'src/out'])
      expect(decideSaid('search', { rawInput: { glob } }, { throughLinks })).toBe('confirm');
    expect(decideSaid('search', { rawInput: { path: 'src/out' } }, { throughLinks })).toBe('confirm');
  });

  it('which what reads or changes files does not do by a pattern', () => {
    for (const kind of ['read', 'edit'] as const)
      expect(decideSaid(kind, { rawInput: { path: 'src/*.ts', content: 'x' } })).toBe('confirm');
  });
});
