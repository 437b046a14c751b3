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
