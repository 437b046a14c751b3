import { describe, expect, it } from 'vitest';
import type { ArgCondition } from '../../../src/gateway/config/policy-config.ts';
import { callOf, gateOf } from './policy-facts.ts';

const tool = { server: 'fs', tool: '*' };

function allows(condition: ArgCondition, args: unknown, path = 'path'): boolean {
  const gate = gateOf({ allowlist: [{ ...tool, args: { [path]: condition } }] });
  return gate.check(callOf({ args })).decision === 'allow';
}

function denies(condition: ArgCondition, args: unknown, path = 'path'): boolean {
  const gate = gateOf({ default: 'allow', denylist: [{ ...tool, args: { [path]: condition } }] });
  return gate.check(callOf({ args })).decision === 'deny';
}

describe('the condition "below"', () => {
  const src = { below: 'src' };

  it.each([
    'src',
    'src/',
    'src/a.ts',
    './src/./a.ts',
    'src/x/../a.ts',
    '/project/src/a.ts',
    'src/%20.ts',
    'file:///project/src/a',
  ])('holds for %s', (path) => {
    expect(allows(src, { path })).toBe(true);
    expect(denies(src, { path })).toBe(true);
  });

  it.each(['docs/a.md', 'srcs/a.ts', '/etc/passwd', 'src/../docs/a.md', '/src/a.ts', ''])(
    'fails for %j',
    (path) => {
      expect(allows(src, { path })).toBe(false);
      expect(denies(src, { path })).toBe(false);
    },
  );

  it.each([
    String.raw`src\..\..\etc\passwd`,
    'src/%2e%2e/%2e%2e/etc/passwd',
    'src/%2e%2e/%2e%2e/etc/%zz',
    'src/%252e%252e/%252e%252e/etc/passwd',
    'src/%25252e%25252e/../../etc/passwd',
    `src/%${'25'.repeat(40)}2e`,
    'src/%2e%2e/%2e%2e/etc/%ff',
    'etc/passwd%00/../../src/a.ts',
    'src/．．/．．/etc/passwd',
    'src/\0/../../etc',
    '~/src',
    'ssh://host/project/src/a',
    ' src/a.ts',
  ])('allows nothing, and refuses, where servers may read %j in two ways', (path) => {
    expect(allows(src, { path })).toBe(false);
    expect(denies({ below: '/etc' }, { path }) || denies(src, { path })).toBe(true);
  });

  it.each([
    'src/$HOME/.ssh/id_rsa',
    'src/${HOME}/x',
    'src/$(pwd)/x',
    'src/`pwd`/x',
    'src/%HOME%/x',
    'src/{a,../../x}',
    'src/％2e％2e/％2e％2e/x',
    'src/%u002e%u002e/x',
    'src/.. /x',
    'src/..;/x',
    'src/..\t/x',
    'src/a\n/etc/passwd',
    'src/a\r/etc/passwd',
    'src/\u202E../x',
    'src/.\u200B./x',
  ])('allows nothing where somebody may make another path of %j', (path) => {
    expect(allows(src, { path })).toBe(false);
  });

  it.each(['src/routes/$id.tsx', 'src/[id]/{a}.ts', 'src/50%.md', 'src/..hidden/a', 'src/a..b/c'])(
    'allows %j, which is a name',
    (path) => {
      expect(allows(src, { path })).toBe(true);
    },
  );

  it('starts relative paths where the server runs, and those of the rule at the project', () => {
    const gate = gateOf({ allowlist: [{ ...tool, args: { path: src } }] });
    const args = { path: 'a.ts' };
    expect(gate.check(callOf({ args, cwd: '/project/src' })).decision).toBe('allow');
    expect(gate.check(callOf({ args, cwd: '/elsewhere/src' })).decision).toBe('confirm');
  });

  it('refuses in any case of letters, since many disks know none, and allows only in the same', () => {
    expect(denies({ below: '/project/Secret' }, { path: 'SECRET/key' })).toBe(true);
    expect(allows({ below: 'Docs' }, { path: 'docs/a.md' })).toBe(false);
  });

  it('refuses a folder however its name is encoded, and with characters in it that cannot be seen', () => {
    const [composed, apart] = ['caf\u00e9', 'cafe\u0301'];
    expect(denies({ below: apart }, { path: `${composed}/a` })).toBe(true);
    expect(denies({ below: composed }, { path: `${apart}/a` })).toBe(true);
    expect(denies({ below: '.git' }, { path: '.g\u200bit/config' })).toBe(true);
    expect(denies({ below: '.git' }, { path: '%2egit/%zz' })).toBe(true);
  });

  it('allows no path that is elsewhere without the white space and with folders between its backslashes', () => {
    expect(allows({ below: '.' }, { path: String.raw` \etc\passwd` })).toBe(false);
  });

  it('reads the paths of Windows', () => {
    expect(allows({ below: 'C:\\data' }, { path: 'C:\\data\\a' })).toBe(true);
    expect(allows({ below: 'C:\\data' }, { path: 'C:\\data\\..\\a' })).toBe(false);
  });
});

describe('the condition "startsWith"', () => {
  const gitLog = { startsWith: 'git log' };

  it.each(['git log', 'git log -p', '  git   log\t--oneline', 'git log --format="%h"'])(
    'holds for %j',
    (path) => {
      expect(allows(gitLog, { path })).toBe(true);
    },
  );

  it.each(['git logout', 'git', 'digit log', 'GIT log', ''])('fails for %j', (path) => {
    expect(allows(gitLog, { path })).toBe(false);
    expect(denies(gitLog, { path })).toBe(false);
  });

  it.each([
    'git log; rm -r x',
    'git log && rm x',
    'git log | sh',
    'git log $(rm x)',
    'git log `rm x`',
    'git log\nrm x',
    'git log > /etc/x',
  ])('does not allow %j, in which a shell finds more', (path) => {
    expect(allows(gitLog, { path })).toBe(false);
  });

  it.each(['rm -r x', 'ls; rm x', 'ls && rm x', 'echo $(rm x)', '"rm" x', 'r\\m x', 'true | rm x'])(
    'refuses %j, of which rm is a part',
    (path) => {
      expect(denies({ startsWith: 'rm' }, { path })).toBe(true);
    },
  );
});

describe('the conditions "equals", "glob" and "regex"', () => {
  it('compare JSON whatever the order of its fields', () => {
    expect(allows({ equals: { a: 1, b: [true] } }, { path: { b: [true], a: 1 } })).toBe(true);
    expect(allows({ equals: { a: 1 } }, { path: { a: 1, b: 2 } })).toBe(false);
    expect(allows({ equals: 1 }, { path: '1' })).toBe(false);
    expect(allows({ equals: null }, { path: null })).toBe(true);
  });

  it('match a glob as a whole and a regex anywhere', () => {
    expect(allows({ glob: '*.md' }, { path: 'docs/a.md' })).toBe(true);
    expect(allows({ glob: '*.md' }, { path: 'a.md.exe' })).toBe(false);
    expect(denies({ regex: 'rm -r' }, { path: 'sudo rm -r /' })).toBe(true);
    expect(allows({ regex: '^v[0-9]+$' }, { path: 'v12' })).toBe(true);
    expect(allows({ regex: '^v[0-9]+$' }, { path: 'v12;' })).toBe(false);
  });

  it('read numbers and booleans as text', () => {
    expect(allows({ glob: '8*' }, { path: 8080 })).toBe(true);
    expect(denies({ glob: 'true' }, { path: true })).toBe(true);
  });

  it('end a regular expression that runs away, and take it for a no', () => {
    const args = { path: `${'a'.repeat(50)}!` };
    expect(allows({ regex: '^(a+)+$' }, args)).toBe(false);
    expect(denies({ regex: '^(a+)+$' }, args)).toBe(true);
  });

  it('take a regular expression that is none for a no', () => {
    expect(allows({ regex: '(' }, { path: 'x' })).toBe(false);
    expect(denies({ regex: '(' }, { path: 'x' })).toBe(true);
  });
});

describe('the field of a condition', () => {
  it('is found along a path, through lists, and by its own name', () => {
    const below = { below: 'src' };
    expect(allows(below, { options: { path: 'src/a' } }, 'options.path')).toBe(true);
    expect(allows(below, { files: ['docs/a', 'src/a'] }, 'files.1')).toBe(true);
    expect(allows(below, { edits: [{ path: 'src/a' }, { path: 'src/b' }] }, 'edits.path')).toBe(true);
    expect(allows(below, { byName: { x: 'src/a', y: 'src/b' } }, 'byName.*')).toBe(true);
    expect(allows(below, { 'a.b': 'src/a' }, String.raw`a\.b`)).toBe(true);
    expect(allows(below, { a: { b: 'src/a' } }, String.raw`a\.b`)).toBe(false);
  });

  it('allows a list only when all of it fits, and refuses it when any of it does', () => {
    expect(allows({ below: 'src' }, { path: ['src/a', 'src/b'] })).toBe(true);
    expect(allows({ below: 'src' }, { path: ['src/a', '/etc/passwd'] })).toBe(false);
    expect(denies({ below: '/etc' }, { path: ['src/a', ['/etc/passwd']] })).toBe(true);
    expect(denies({ equals: 'x' }, { path: ['y', 'x'] })).toBe(true);
    expect(denies({ equals: ['y', 'x'] }, { path: ['y', 'x'] })).toBe(true);
    expect(allows({ equals: 'x' }, { path: ['x', 'x'] })).toBe(false);
  });

  it('has to be there', () => {
    for (const args of [{}, { path: null }, { path: [] }, { path: undefined }, null, 'path', ['src']]) {
      expect(allows({ below: 'src' }, args)).toBe(false);
      expect(denies({ below: 'src' }, args)).toBe(false);
    }
  });

  it('is none that every object has', () => {
    expect(allows({ regex: 'native' }, {}, 'toString')).toBe(false);
    expect(denies({ regex: '' }, {}, 'constructor')).toBe(false);
  });

  it('refuses an object where a text is judged, and does not allow it', () => {
    expect(denies({ below: '/etc' }, { path: { uri: '/etc/passwd' } })).toBe(true);
    expect(allows({ glob: '*' }, { path: { uri: '/etc/passwd' } })).toBe(false);
  });

  it('needs all conditions of a rule', () => {
    const gate = gateOf({
      allowlist: [{ ...tool, args: { path: { below: 'src' }, mode: { equals: 'append' } } }],
    });
    expect(gate.check(callOf({ args: { path: 'src/a', mode: 'append' } })).decision).toBe('allow');
    expect(gate.check(callOf({ args: { path: 'src/a', mode: 'truncate' } })).decision).toBe('confirm');
  });

  it('is found in arguments nested a hundred thousand deep without an end of the stack', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}"/etc/passwd"${']'.repeat(100_000)}`);
    expect(denies({ below: '/etc' }, { path: deep })).toBe(true);
    expect(denies({ equals: [['x']] }, { path: deep })).toBe(false);
  });
});

describe('a field of the elements of a list', () => {
  const below = { below: 'docs' };
  it.each(['files.path', 'files.*.path'])('has to be there in all of them to allow: %s', (path) => {
    const inDocs = { path: 'docs/a.md' };
    expect(allows(below, { files: [inDocs, inDocs] }, path)).toBe(true);
    expect(allows(below, { files: [inDocs, {}] }, path)).toBe(false);
    expect(allows(below, { files: [inDocs, 'etc'] }, path)).toBe(false);
    expect(allows(below, { files: [[inDocs], [{}]] }, 'files.path')).toBe(false);
    expect(allows(below, { files: [] }, path)).toBe(false);
    expect(denies(below, { files: [{}, inDocs] }, path)).toBe(true);
  });
});

describe('a rule that refuses a value', () => {
  it.each([
    [true, 'true'],
    [true, ' TRUE'],
    [true, 1],
    [true, 'yes'],
    [false, 'off'],
    [5, '5'],
    [5, '5.0'],
    ['force', 'Force'],
    [{ deep: [true] }, { deep: ['true'] }],
  ])('refuses %j also where %j is sent, which no rule allows by it', (equals, value) => {
    expect(denies({ equals }, { path: value })).toBe(true);
    expect(allows({ equals }, { path: value })).toBe(false);
    expect(allows({ equals }, { path: equals })).toBe(true);
  });

  it.each([
    [true, 'false'],
    [true, 'truely'],
    [5, ''],
    [0, null],
    [null, 'null'],
    ['a', { a: 1 }],
  ])('is not for another: %j, %j', (equals, value) => {
    expect(denies({ equals }, { path: value })).toBe(false);
  });
});
