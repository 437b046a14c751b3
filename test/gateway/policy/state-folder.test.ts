import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { throughLinks } from '../../../src/gateway/call/through-links.ts';
import { DEFAULT_POLICY } from '../../../src/gateway/config/policy-config.ts';
import { PolicyGate } from '../../../src/gateway/policy/policy-gate.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { callOf, gateOf, grantOf } from './policy-facts.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';

const all = { default: 'allow' } as const;
/** Whose every call runs, by a rule or by a human's lasting yes, but for those that a guard stops. */
const gates = [gateOf(all), gateOf({ default: 'confirm' }, [grantOf()])];

describe('the folder where Clifford keeps its log', () => {
  it.each([
    { path: '.clifford/events.jsonl' },
    { path: 'docs/../.Clifford' },
    { path: '/project/.clifford/policy.json' },
    { path: '%2eclifford/x' },
    { path: '%25252525252eclifford/x' },
    { path: '.clifford/x\0.md' },
    { path: '~/project/.clifford/x' },
    { paths: ['docs/a.md', '.clifford/x'] },
    { command: "cp evil '.clifford/cache/state.json'" },
    { command: 'cat "$PWD"/.clifford/events.jsonl' },
    { command: 'cat $PWD/.clifford/events.jsonl' },
    { command: 'cd .. && cat project/.clifford/events.jsonl' },
    { command: "printf '\u001b]'; cat .clifford/events.jsonl" },
    { command: 'cat {.clifford/events.jsonl,}' },
    { command: "cat '.cliff'ord/events.jsonl" },
    { command: 'cat .cl*/events.jsonl' },
    { command: 'rm -r .*/cache' },
    { path: '.cliff?rd/events.jsonl' },
    { path: '/project/.[c]lifford/events.jsonl' },
    { path: '/proc/self/cwd/events.jsonl' },
    { path: '/proc//thread-self/root/project/docs' },
    { path: 'file:///proc/4711/cwd/x' },
    { path: '\\\\proc\\self\\fd\\3\\x' },
    { path: '/etc/../proc/self/task/1/cwd/x' },
    { path: '/dev/fd/9/events.jsonl' },
    { options: { out: '--output=.clifford/x' } },
    { files: { '.clifford/x': 'content' } },
    { url: 'file:///project/%2eclifford/x and more' },
  ])('is reached by no rule that allows, and by no yes for longer: %j', (args) => {
    const call = callOf({ args });
    for (const gate of gates) expect(gate.check(call).decision).toBe('confirm');
    expect(gates[0]?.check(call).rule).toBe('.clifford (otherwise default)');
    const denied = gateOf({ ...all, denylist: [{ server: '*', tool: '*' }] });
    expect(denied.check(call).decision).toBe('deny');
  });

  it.each([
    ['another name', { path: 'docs/clifford/a.md' }],
    ['the same name in another folder', { path: 'x/.clifford/a' }],
    ['the same name elsewhere', { path: '/other/.clifford/a' }],
    ['that, written long', { path: `x/${'./'.repeat(4_000)}.clifford/a` }],
    [
      'a text that has longer names',
      { text: 'See .cliffords, my.clifford, .clifford-old, and ~ or C: here\n'.repeat(500) },
    ],
    [
      'a pattern',
      { pattern: '**/*.ts', regex: '^.*foo.*$', all: '.*', hidden: '.git*', page: 'app/[id]/.x' },
    ],
    ['what the system says of itself', { path: '/proc/cpuinfo' }],
    ['a text that goes up', { text: `${'../../src/a.ts, '.repeat(1_000)}"100%" or 50%25` }],
  ])('is not what it is taken for: %s', (_, args) => {
    for (const gate of gates) expect(gate.check(callOf({ args })).decision).toBe('allow');
  });

  it('is in doubt where nobody knows from where a server reads the path that names it', () => {
    const decisionOn = (path: string) => gateOf(all).check(callOf({ args: { path }, cwd: null })).decision;
    expect(decisionOn('.clifford/x')).toBe('confirm');
    expect(decisionOn('x/.clifford/a')).toBe('confirm');
    expect(decisionOn('docs/a.md')).toBe('allow');
    expect(decisionOn('/other/.clifford/a')).toBe('allow');
  });

  it('is found through a link, however long the way to it is written', async () => {
    const root = await realpath(await tempRoot());
    await mkdir(join(root, '.clifford'), { recursive: true });
    await mkdir(join(root, 'deep/er'), { recursive: true });
    await symlink('../.clifford', join(root, 'deep/log'));
    await symlink('../deep/er', join(root, 'deep/away'));
    const gate = new PolicyGate({ ...DEFAULT_POLICY, ...all }, [], { root, throughLinks });
    for (const path of [
      `${'./'.repeat(4_000)}deep/log/events.jsonl`,
      `${'deep/../'.repeat(4_000)}deep/log/events.jsonl`,
      // Where `..` is that of the link's target, a server may follow more than the system does.
      `${'deep/../'.repeat(4_000)}deep/away/../log/events.jsonl`,
    ])
      expect(gate.check(callOf({ args: { path } })).decision).toBe('confirm');
    expect(gate.check(callOf({ args: { path: `${'./'.repeat(4_000)}deep/er` } })).decision).toBe('allow');
  });

  it.each([
    ['blanks', ' '],
    ['slashes', '/'],
    ['names that are taken back', 'x/../'],
    ['folders', 'a/'],
    ['encoded percent signs', '%25'],
    ['encoded slashes', '%2f'],
    ['letters that become eighteen', '\ufdfa'],
    ['beginnings of escape sequences', '\u001b]'],
    ['folders, and then as many back', 'a/'.repeat(10), '../'.repeat(10)],
    ['names of it that are none', '.clifford-'],
    ['controls', '\0'],
    ['wildcards', '.*?'],
    ['wildcards of one name', '*?'],
    ['open brackets', '.['],
    ['quotes', "'"],
  ])('is looked for in a long text of %s before anybody has to wait', (_, part, end = '') => {
    const text = part.repeat(200_000 / part.length) + end.repeat(200_000 / (end.length || 1));
    for (const path of [text, `${text}/x`, `/${text}`]) gateOf(all).check(callOf({ args: { path } }));
    expect(gateOf(all).check(callOf({ args: { path: `${text} .clifford/x` } })).decision).toBe('confirm');
  });
});

const noise = fc.oneof(
  fc.constantFrom(
    '/',
    './',
    '//',
    '/./',
    'x/../',
    'docs/./../',
    ' ',
    '\t',
    '\n',
    '\u001b]',
    '\u200b',
    '%2e/',
  ),
  fc.constantFrom('%2f', '%252f', 'ｘ/../', 'a b/../', "'", '"', '\\', '\u001b[0m'),
);
const padding = fc
  .tuple(fc.array(noise, { maxLength: 4 }), fc.constantFrom(1, 3, 1_100, 2_500))
  .map(([parts, times]) => parts.join('').repeat(times));

/** What a path may be padded with so that it is the same to a server. */
const pathNoise = fc
  .tuple(
    fc.constantFrom('./', '/', '/./', 'x/../', 'docs/.//../', '%2e/'),
    fc.constantFrom(0, 1, 1_100, 2_500),
  )
  .map(([part, times]) => part.repeat(times));
const name = fc.constantFrom(
  '.clifford',
  '.Clifford',
  '%2eclifford',
  '%252eclifford',
  '．clifford',
  '.cliﬀord',
);
const below = fc.constantFrom('', '/', '/events.jsonl', '/cache/../events.jsonl', '//policy.json', '\0.md');
const start = fc.constantFrom('', './', '/project/', 'file:///project/', 'docs/../', '/etc/../project/');
const paths = fc
  .tuple(start, pathNoise, name, pathNoise, below)
  .map(([first, before, folder, after, rest]) => {
    // A padding that begins with `/` would be the root of the disk.
    const inside = first === '' ? `./${before}` : `${first}${before}`;
    return `${inside}${folder}/${after}${rest}`;
  });

/** A text somewhere in arguments: as a value, in a list, as the name of a field, far down. */
const placed = (text: string) =>
  fc.constantFrom<unknown>(
    { path: text },
    { paths: ['docs/a.md', text] },
    { files: { [text]: 'content' } },
    { a: [{ b: { c: [[text]] } }], path: 'docs/a.md' },
    { fine: 'docs/a.md', more: { [text]: null } },
  );

describe('whatever it is padded with', () => {
  it('no path into the folder is allowed without a human', () => {
    const args = paths.chain((path) => placed(path));
    fc.assert(
      fc.property(args, (given) => {
        for (const gate of gates) expect(gate.check(callOf({ args: given })).decision).toBe('confirm');
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('no command that names the folder is allowed without a human', () => {
    const verb = fc.constantFrom('cat ', 'cd src; cat ../', 'cp x ', 'cat $PWD/', 'x=', 'cat "$(pwd)"/');
    const commands = fc
      .tuple(padding, verb, fc.constantFrom('', './', '".', "'"), pathNoise, padding)
      .map(([before, first, quote, path, after]) => {
        const words = quote === '".' ? '"./.clifford"' : `${quote}.clifford`;
        return `${before};${first}./${path}${words}/events.jsonl ${after}`;
      });
    fc.assert(
      fc.property(
        commands.chain((command) => placed(command)),
        (given) => {
          for (const gate of gates) expect(gate.check(callOf({ args: given })).decision).toBe('confirm');
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });
});
