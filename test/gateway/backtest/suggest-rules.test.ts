import { describe, expect, it } from 'vitest';
import type { RecordedCall } from '../../../src/gateway/backtest/recorded-call.ts';
import { offeredRule, suggestRules } from '../../../src/gateway/backtest/suggest-rules.ts';
import type { PolicyConfig } from '../../../src/gateway/config/policy-config.ts';
import { approved, call, denied, ground, policyOf, ran } from './recorded-calls.ts';

const suggest = (calls: readonly RecordedCall[], policy: Partial<PolicyConfig> = {}) =>
  suggestRules({ calls, policy: policyOf(policy), ground }).map(({ rule, decision }) => ({
    ...rule,
    decision,
  }));

const execute = (command: object, decision = 'allow') => ({
  agent: 'opencode',
  kind: 'execute',
  command,
  decision,
});
const write = (below: string, decision = 'allow') => ({
  server: 'fs',
  tool: 'write_file',
  args: { path: { below } },
  decision,
});
const wrote = (path: string, over: Partial<RecordedCall> = {}) =>
  call({ args: { path }, ...approved, ...over });
const edited = (path: string, over: Partial<RecordedCall> = {}) =>
  call({ server: '@opencode', tool: 'delete', args: { path }, ...approved, ...over });
const fetched = (url: string) => call({ server: '@opencode', tool: 'fetch', args: { url }, ...approved });
const thrice = (one: () => RecordedCall) => [one(), one(), one()];

describe('rules that a history supports', () => {
  it('count where nobody is asked any more: what was denied, and not what runs anyway', () => {
    const calls = [
      ...thrice(() => ran('npm test')),
      ...thrice(() => ran('git push', denied)),
      ...thrice(() => wrote('docs/a.md')),
    ];
    expect(suggest(calls, { agents: { ask: 'nothing', rules: [] } })).toEqual([
      execute({ equals: 'git push' }, 'deny'),
      write('docs/a.md'),
    ]);
  });

  it('are not contradicted by what ran where nobody was asked', () => {
    const alone = ran('git push', {
      outcome: { is: 'unattended', rule: 'agents.ask nothing (otherwise x)' },
    });
    expect(suggest([...thrice(() => ran('git push', denied)), alone])).toEqual([
      execute({ equals: 'git push' }, 'deny'),
    ]);
  });

  it('are not to blame for what the policy decides otherwise than a human already', () => {
    const rules = [{ command: { startsWith: 'git push' }, decision: 'allow' }] as const;
    const calls = [...thrice(() => ran('npm test')), ran('git push', denied)];
    expect(suggest(calls, { agents: { ask: 'what-matters', rules } })).toEqual([
      execute({ equals: 'npm test' }),
    ]);
  });

  it('are not made for answers of which they would give some', () => {
    const calls = [ran('npm run build a'), ran('npm run build b'), ran('npm run build c')];
    const asks = { command: { equals: 'npm run build a' }, decision: 'confirm' } as const;
    expect(suggest(calls)).toEqual([execute({ startsWith: 'npm run build' })]);
    expect(suggest(calls, { agents: { ask: 'what-matters', rules: [asks] } })).toEqual([]);
  });

  it.each<[string, RecordedCall[], object[]]>([
    ['the very command', thrice(() => ran('npm test')), [execute({ equals: 'npm test' })]],
    [
      'a command with other words behind it',
      [ran('npm run build'), ran('npm run build -- -v'), ran('npm run build x')],
      [execute({ startsWith: 'npm run build' })],
    ],
    [
      'the options of git log',
      [ran('git log'), ran('git log -p'), ran('git log --stat')],
      [execute({ startsWith: 'git log' })],
    ],
    ['a program alone, never with all that it does', [ran('ls -a'), ran('ls -b'), ran('ls -c')], []],
    [
      'nor with all that it does where another one starts it',
      [ran('uv run python -c 1'), ran('uv run python -c 2'), ran('uv run python -V')],
      [],
    ],
    [
      'nor what may run in a container',
      [ran('docker run alpine'), ran('docker run alpine -1'), ran('docker run alpine -2')],
      [],
    ],
    [
      'a part of a program that another one starts',
      [ran('npx vitest run'), ran('npx vitest run a.ts'), ran('npx vitest run b.ts')],
      [execute({ startsWith: 'npx vitest run' })],
    ],
    ['three files', [ran('cat a.txt'), ran('cat b.txt'), ran('cat c.txt')], []],
    ['several commands in a line', thrice(() => ran('npm test && npm run build')), []],
    ['what writes to a file', thrice(() => ran('npm test > out.txt')), []],
    ['what nobody knows before it runs', thrice(() => ran('npm test $X')), []],
    ['the very file', thrice(() => wrote('docs/a.md')), [write('docs/a.md')]],
    ['the folder of several files', [wrote('docs/a'), wrote('docs/b'), wrote('./docs/c')], [write('docs')]],
    ['files all over the project', [wrote('docs/a'), wrote('src/b'), wrote('test/c')], []],
    ['several files in the root: not all of the project', [wrote('a'), wrote('b'), wrote('c')], []],
    [
      'several files outside of it: not all of a folder',
      [wrote('/etc/a'), wrote('/etc/b'), wrote('/etc/c')],
      [],
    ],
    [
      'a file that an agent deletes itself',
      [edited('docs/a'), edited('docs/b'), edited('/project/docs/c')],
      [{ agent: 'opencode', kind: 'delete', path: { below: 'docs' }, decision: 'allow' }],
    ],
    [
      'a machine',
      [fetched('https://example.com/a'), fetched('https://example.com/b'), fetched('https://example.com')],
      [{ agent: 'opencode', kind: 'fetch', host: 'example.com', decision: 'allow' }],
    ],
    [
      'a tool whose arguments name nothing',
      thrice(() => call({ tool: 'list', args: { depth: 2 }, ...approved })),
      [{ server: 'fs', tool: 'list', decision: 'allow' }],
    ],
    ['what was denied', thrice(() => ran('git push', denied)), [execute({ equals: 'git push' }, 'deny')]],
    ['two answers', [ran('npm test'), ran('npm test')], []],
    [
      'a yes for longer, which is one answer',
      [ran('npm test'), ...thrice(() => ran('npm test', { requestId: undefined }))],
      [],
    ],
    ['two kinds of answers', [...thrice(() => ran('npm test')), ran('npm test', denied)], []],
    ['the same words with another end', [...thrice(() => ran('git log')), ran('git log -p', denied)], []],
    ['a place that no rule opens', thrice(() => edited('.git/hooks/pre-commit')), []],
    ['a name that is a pattern', thrice(() => call({ tool: 'write_*', args: {}, ...approved })), []],
    [
      'a name that reads as a server and a tool',
      thrice(() => call({ tool: 'mcp__fs__x', args: {}, ...approved })),
      [],
    ],
    [
      'a text that would be a variable',
      thrice(() => call({ args: { path: 'docs/${HOME}' }, ...approved })),
      [],
    ],
    ['what a redacted log has a part of', thrice(() => ran('npm test', { isWhole: false })), []],
  ])('%s', (_what, calls, rules) => {
    expect(suggest(calls)).toEqual(rules);
  });

  it('are none for calls that name a file where no rule looks, however often they name another', () => {
    const twice = { path: 'docs/a.md', file: 'docs/a.md' };
    expect(suggest(thrice(() => call({ args: twice, ...approved })))).toHaveLength(1);
    const more = { ...twice, edits: [{ path: '/etc/hosts' }] };
    expect(suggest(thrice(() => call({ args: more, ...approved })))).toEqual([]);
  });

  it('leave out what the policy answers already', () => {
    const rules = [{ kind: 'execute', command: { startsWith: 'npm' }, decision: 'allow' }] as const;
    expect(
      suggest(
        thrice(() => ran('npm test')),
        { agents: { ask: 'what-matters', rules } },
      ),
    ).toEqual([]);
  });

  it('are as few as give the same answers', () => {
    const inDocs = ['a', 'b', 'c'].map((name) => wrote(`docs/${name}`));
    const deeper = ['a', 'b', 'c'].map((name) => wrote(`docs/deep/${name}`));
    expect(suggest([...deeper, ...inDocs])).toEqual([write('docs')]);
  });

  it('contradict no human together, where each alone would not', () => {
    const each = [...thrice(() => ran('npm test')), ...thrice(() => ran('git push')), ran('git push')];
    const rules = suggest([...each, ran('npm test && git push', denied)]);
    expect(rules).toEqual([execute({ equals: 'git push' })]);
  });

  it('refuse nothing that a rule let run', () => {
    const pushes = thrice(() => ran('git push', denied));
    const wasLet = ran('git push', { requestId: undefined, outcome: { is: 'ran', rule: 'agents.rules[0]' } });
    expect(suggest([...pushes, wasLet])).toEqual([]);
  });

  it.each<[string, Partial<RecordedCall>]>([
    ['without its secrets', { args: { command: 'npm test [hidden TOKEN: 20 characters]' } }],
    ['cut', { args: { cut: '{"command":"npm te', length: 90_000 } }],
  ])('allow nothing that may be what was denied, and stands in the log %s', (_how, part) => {
    expect(
      suggest([...thrice(() => ran('npm test')), ran('', { ...denied, ...part, isWhole: false })]),
    ).toEqual([]);
    const elsewhere = call({ ...denied, ...part, isWhole: false });
    expect(suggest([...thrice(() => ran('npm test')), elsewhere])).toEqual([execute({ equals: 'npm test' })]);
  });

  it('allow nothing of a tool of which a call was denied that is cut before what they look at', () => {
    const written = thrice(() => wrote('docs/a.md'));
    const part = { args: { cut: '{"text":"a', length: 90_000 }, isWhole: false };
    expect(suggest([...written, call({ ...denied, ...part })])).toEqual([]);
    expect(suggest([...written, call({ ...denied, ...part, tool: 'read_file' })])).toEqual([
      write('docs/a.md'),
    ]);
  });

  it('say what else they would have matched', () => {
    const others = [
      ran('git log --oneline', { requestId: undefined, outcome: { is: 'ran', rule: 'agents.ask nothing' } }),
      ran('git log -1', { outcome: { is: 'undecided' } }),
    ];
    const calls = [
      ran('git log'),
      ran('git log -p'),
      ran('git log --stat'),
      ...others,
      ran('git push', denied),
    ];
    const [rule] = suggestRules({ calls, policy: policyOf(), ground });
    expect(rule?.answers).toEqual(calls.slice(0, 3));
    expect(rule?.others).toEqual(others);
  });
});

describe('the rule that a card offers', () => {
  const offered = (calls: readonly RecordedCall[], waiting: RecordedCall) =>
    offeredRule(waiting.requestId ?? '', { calls: [...calls, waiting], policy: policyOf(), ground });
  const undecided = { outcome: { is: 'undecided' } } as const;

  it('comes after three answers that were the same, and has them', () => {
    const calls = thrice(() => ran('npm test'));
    const waiting = ran('npm test', undecided);
    expect(offered(calls, waiting)).toMatchObject({ decision: 'allow', answers: calls, others: [] });
    expect(offered(calls.slice(1), waiting)).toBeUndefined();
    expect(offered([...calls, ran('npm test', denied)], waiting)).toBeUndefined();
    expect(offered([], waiting)).toBeUndefined();
  });

  it('answers the call that waits, or is none', () => {
    expect(
      offered(
        thrice(() => ran('git log')),
        ran('git log -p', undecided),
      ),
    ).toBeUndefined();
    const seen = [ran('git log'), ran('git log -1'), ran('git log -2')];
    expect(offered(seen, ran('git log -p', undecided))?.rule).toMatchObject({
      command: { startsWith: 'git log' },
    });
  });

  it('refuses, after three refusals', () => {
    const waiting = ran('git push', undecided);
    expect(
      offered(
        thrice(() => ran('git push', denied)),
        waiting,
      ),
    ).toMatchObject({ decision: 'deny' });
  });
});
