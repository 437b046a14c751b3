import { describe, expect, it } from 'vitest';
import { throughLinks } from '../../../src/gateway/call/through-links.ts';
import type { AgentPolicy, AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import { AgentGate } from '../../../src/gateway/policy/agent-gate.ts';
import type { AgentGateCall } from '../../../src/gateway/policy/agent-rule-match.ts';
import type { GrantedRule } from '../../../src/gateway/policy/granted-rule.ts';
import { grantOf, policyOf } from './policy-facts.ts';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempRoot } from '../../helpers/temp-project.ts';

const callOf = (said: Partial<AgentGateCall>): AgentGateCall => ({
  kind: 'execute',
  title: '',
  args: {},
  commands: [],
  cwd: '/project',
  paths: [],
  hosts: [],
  agent: 'claude',
  digest: 'd',
  stream: 's-1',
  taskId: 'a',
  ...said,
});

const decide = (
  call: Partial<AgentGateCall>,
  { ask = 'what-matters', rules = [] }: Partial<AgentPolicy> = {},
  granted: readonly GrantedRule[] = [],
) => new AgentGate(policyOf({ agents: { ask, rules } }), granted, { root: '/project' }).check(callOf(call));

const word = (...parts: Parameters<typeof decide>) => decide(...parts).decision;

const run = (...commands: string[]) => ({ kind: 'execute' as const, commands });
const rule = (decision: AgentRule['decision'], more: Omit<AgentRule, 'decision'> = {}): AgentRule => ({
  decision,
  ...more,
});
const starts = (startsWith: string) => ({ command: { startsWith } });

describe('where no rule decides', () => {
  it.each<[Partial<AgentGateCall>, string]>([
    [{ kind: 'read', paths: ['a.txt'] }, 'allow'],
    [{ kind: 'edit', paths: ['src/a.ts', '/project/b'] }, 'allow'],
    [{ kind: 'move', paths: ['a', 'b'] }, 'allow'],
    [{ kind: 'move', paths: ['a'] }, 'confirm'],
    [{ kind: 'search' }, 'allow'],
    [{ kind: 'think' }, 'allow'],
    [{ kind: 'read', paths: ['../a.txt'] }, 'confirm'],
    [{ kind: 'read' }, 'confirm'],
    [{ kind: 'edit' }, 'confirm'],
    [{ kind: 'edit', paths: ['a', '/etc/passwd'] }, 'confirm'],
    [{ kind: 'edit', paths: ['~/a'] }, 'confirm'],
    [{ kind: 'edit', paths: ['a'], cwd: '/' }, 'confirm'],
    [{ kind: 'edit', paths: ['a'], isUnclear: true }, 'confirm'],
    [{ kind: 'search', isUnclear: true }, 'confirm'],
    // What other attempts may do without asking.
    [{ kind: 'edit', paths: ['a', '.claude/settings.local.json'] }, 'confirm'],
    [{ kind: 'edit', paths: ['/project/packages/a/.Gemini/settings.json'] }, 'confirm'],
    [{ kind: 'edit', paths: ['src/%2eopencode/plugin/a.ts'] }, 'confirm'],
    [{ kind: 'move', paths: ['a.json', 'opencode.json'] }, 'confirm'],
    [{ kind: 'edit', paths: ['../.mcp.json'], cwd: '/project/a' }, 'confirm'],
    [{ kind: 'read', paths: ['.claude/settings.json'] }, 'allow'],
    [{ kind: 'edit', paths: ['src/claude/settings.json', 'docs/opencode.json.md'] }, 'allow'],
    [{ kind: 'search', cwd: '/etc' }, 'confirm'],
    [{ kind: 'search', paths: ['/etc'] }, 'confirm'],
    [{ kind: 'read', paths: ['a.txt'], hosts: ['example.com'] }, 'confirm'],
    [{ kind: 'delete', paths: ['a'] }, 'confirm'],
    [{ kind: 'fetch', hosts: ['example.com'] }, 'confirm'],
    [{ kind: 'switch_mode' }, 'confirm'],
    [{ kind: 'other', paths: ['a'] }, 'confirm'],
    [run('ls'), 'confirm'],
    // Whatever it calls it, it runs something.
    [{ kind: 'read', paths: ['a.txt'], commands: ['ls'] }, 'confirm'],
    [{ kind: 'think', commands: ['ls'] }, 'confirm'],
  ])('what matters is asked about: %j %s', (call, expected) => {
    expect(word(call)).toBe(expected);
    expect(word(call, { ask: 'everything' })).toBe('confirm');
    expect(decide(call, { ask: 'nothing' })).toMatchObject({
      decision: 'allow',
      rule:
        expected === 'allow'
          ? 'agents.ask nothing'
          : 'agents.ask nothing (otherwise agents.ask what-matters)',
    });
  });

  it('says who decided, and about what, on one line', () => {
    expect(decide(run('echo a\necho b'))).toEqual({
      decision: 'confirm',
      rule: 'agents.ask what-matters',
      reason: expect.stringMatching(
        /^A human has to allow execute echo a.*echo b \(agents\.ask what-matters\)$/,
      ),
    });
  });
});

describe('what decides over agents', () => {
  it.each<[AgentGateCall['kind'], string, string]>([
    ['edit', '.git/hooks/pre-commit', 'deny'],
    ['edit', '/project/.clifford/log', 'deny'],
    ['edit', 'a/../mcp.json', 'deny'],
    ['edit', '.GIT/config', 'deny'],
    ['delete', 'clifford.json', 'deny'],
    ['move', 'mcp.json', 'deny'],
    ['read', '.clifford/log', 'confirm'],
    ['search', '.clifford', 'confirm'],
    ['other', '.git/config', 'confirm'],
    ['read', '.git/config', 'allow'],
    ['edit', 'sub/.git/config', 'deny'],
    ['edit', '.gitignore', 'allow'],
    ['edit', 'sub/mcp.json', 'allow'],
  ])('is written by no agent: %s %s %s', (kind, path, expected) => {
    const allows = { rules: [rule('allow')] };
    expect(word({ kind, paths: [path] }, allows)).toBe(expected);
    expect(word({ kind, paths: ['a', path] }, { ask: 'nothing' })).toBe(
      expected === 'allow' ? 'allow' : 'deny',
    );
    const always = grantOf({ callDigest: 'd' });
    expect(word({ kind, paths: [path] }, {}, [always])).toBe(expected);
  });

  it.each([
    ['echo x > .git/config', 'deny'],
    ['echo x >> mcp.json', 'deny'],
    ['cat < mcp.json', 'allow'],
    ['cat mcp.json', 'confirm'],
    ['rm -rf .git', 'confirm'],
    ['X=rm; $X .clifford', 'confirm'],
    ['git log --output=.git/hooks/pre-commit', 'confirm'],
    ['cp a -t.git/hooks', 'confirm'],
    ['dd of=.clifford/events.jsonl', 'confirm'],
    [`python3 -c "open('.git/hooks/x', 'w')"`, 'confirm'],
    ['cp a sub/.git/hooks', 'confirm'],
    ['cp a .g?t/config', 'confirm'],
    ['cp a {.git,b}/config', 'confirm'],
    ['cp a cl?fford.json', 'confirm'],
    ['tee clif*.json', 'confirm'],
    ['cp a {cl,x}ifford.json', 'confirm'],
    ['cp a clif{f..f}ord.json', 'confirm'],
    ['cp a {x,{y,mcp}}.json', 'confirm'],
    ["cp a 'm'[a-d]p.json", 'confirm'],
    ['cp a $x*.json', 'confirm'],
    [`cp a {${'x'.repeat(5_000)},y}*z`, 'confirm'],
    [`cp a {${Array.from({ length: 70 }, (_, at) => `x${at}`).join(',')},mcp}.json`, 'confirm'],
    ['tar -om*', 'confirm'],
    ['tar --out=m*', 'confirm'],
    ['cp a /proj*/MCP.j?on', 'confirm'],
    ['cp a **/*.json', 'confirm'],
    ['cp a --target-directory=../pro*/mcp.json -oclif*', 'confirm'],
    ['cd sub && cp a ../*.json', 'confirm'],
    ['for f in *.json; do cp a $f; done', 'confirm'],
    ['sudo cp a m*', 'confirm'],
    ["bash -c 'cp a m*'", 'confirm'],
    ['cp a {.git,b}*/config', 'confirm'],
    ['cat m*', 'confirm'],
    ['cat *; ls *.json', 'allow'],
    ['cp a *.ts sub/*.json b{1,2}.json', 'allow'],
    ["cp a 'm*p.json' m\\*p.json 'm*'p.jso[n]", 'allow'],
    ['cp */config */b.ts', 'allow'],
    ['cd sub && cp a *.json', 'confirm'],
    ['cp a "$PWD/mcp.json"', 'confirm'],
    ['cp a $PWD/.gi\\t/config', 'confirm'],
    ['cd sub && echo x > ../mcp.json', 'deny'],
    ['cd sub && cp a ../clifford.json', 'confirm'],
    ['cd sub; cd deep; cp a ../../mcp.json', 'confirm'],
    ['cat sub/mcp.json .github/a my.git .gitignore', 'allow'],
    ['git clone https://example.com/a.git', 'allow'],
    ['cd sub && npm test', 'allow'],
  ])('nor by a command: %s %s', (command, expected) => {
    expect(word(run(command), { rules: [rule('allow')] })).toBe(expected);
  });

  it.each([
    ['git config core.hooksPath hooks', 'confirm'],
    ['git -C sub config --global alias.x "!rm -rf ."', 'confirm'],
    ['git config set --local filter.x.clean cmd', 'confirm'],
    ['git config unset core.fsmonitor', 'confirm'],
    ['git config --add diff.external cmd', 'confirm'],
    ['git config --unset core.sshCommand', 'confirm'],
    ['git config -- core.editor --list', 'confirm'],
    ['git config core.pager --get', 'confirm'],
    ['git config --type --get core.pager cmd', 'confirm'],
    ['git config --edit', 'confirm'],
    ['git config $x y', 'confirm'],
    ['git config include.path ../x', 'confirm'],
    ['env git config credential.helper cmd', 'confirm'],
    ["git remote add o 'ext::sh -c x'", 'confirm'],
    ['git config user.name ada; git config --global user.email a@b.c', 'allow'],
    ['git config core.hooksPath', 'allow'],
    ['git config --get core.hooksPath', 'allow'],
    ['git config --global -l; git config list; git config get alias.x', 'allow'],
    ['git config --file a.cfg --get $x', 'allow'],
    ['git config set pull.rebase true; git config unset user.name', 'allow'],
    ['git config commit.gpgsign false', 'allow'],
    ['git config -- user.name ada', 'allow'],
    ['git remote add o https://example.com/a.git', 'allow'],
  ])('is not where git is told what to start later: %s %s', (command, expected) => {
    expect(word(run(command), { rules: [rule('allow')] })).toBe(expected);
    // Where nobody is asked.
    expect(word(run(command), { ask: 'nothing' })).toBe(expected === 'confirm' ? 'deny' : 'allow');
  });

  it.each([
    ['git clone -c core.fsmonitor=x a', 'confirm'],
    ['git clone --config=core.fsmonitor=x a', 'confirm'],
    ['git init --template=hooks a', 'confirm'],
    ['git clone a b', 'allow'],
    ['git init a', 'allow'],
  ])('nor, for a new repository, by a rule: %s %s', (command, expected) => {
    expect(word(run(command), { rules: [rule('allow')] })).toBe(expected);
  });

  it('is named by a command whatever its agent calls that', () => {
    expect(word({ kind: 'read', commands: ['cp a mcp.json'] }, { rules: [rule('allow')] })).toBe('confirm');
  });

  it('counts for each line of a call', () => {
    expect(word(run('ls', 'echo x > .git/config'), { rules: [rule('allow')] })).toBe('deny');
  });

  it.each([
    ['so many words', `ls ${Array.from({ length: 1_998 }, (_, at) => `w${at}`).join(' ')}`, 'allow'],
    ['more words', `ls ${Array.from({ length: 2_001 }, (_, at) => `w${at}`).join(' ')}`, 'confirm'],
    ['many folders', `${Array.from({ length: 40 }, (_, at) => `cd f${at}`).join('; ')}; ls`, 'confirm'],
  ])('may be named by a command that has more in it than is looked at: %s', (_what, line, expected) => {
    const { decision, rule: by } = decide(run(line), { rules: [rule('allow')] });
    expect([decision, by]).toEqual([
      expected,
      expected === 'allow' ? 'agents.rules[0]' : 'protected .clifford',
    ]);
  });

  it('is reached through a link, too', async () => {
    const root = await tempRoot();
    await mkdir(join(root, '.git'));
    await symlink('.git', join(root, 'link'));
    const gate = new AgentGate(policyOf({}), [], { root, throughLinks });
    expect(gate.check(callOf({ kind: 'edit', paths: ['link/config'], cwd: root })).decision).toBe('deny');
  });
});

it('follows the links of a path once for each call, however many places and words are held against it', () => {
  const followed: string[] = [];
  const count = (path: string) => {
    followed.push(path);
    return path;
  };
  const gate = new AgentGate(policyOf({}), [], { root: '/project', throughLinks: count });
  gate.check(callOf(run('cp src/a src/b src/c')));
  expect(followed).toContain('/project/src/a');
  expect(followed).toEqual([...new Set(followed)]);
});

describe('a command of which not even the name is known', () => {
  const rules = [rule('deny', starts('git push'))];

  it.each([
    '"$(which git)" push',
    '$0 -c "git push"',
    'echo Z2l0IHB1c2gK | base64 -d | sh',
    'bash < file',
    'coproc C { git push; }',
    'printf -v c "git push"; $c',
    'case x in git push',
    'git\u00a0push',
    'eval "$x"',
    'eval "$x" <<< ls',
    'bash -c "$x" <<< ls',
    'at now < file',
    'parallel -j4 < file',
    'env FOO=$BAR make',
    'env -u X FOO="$BAR" make',
    'sudo FOO=$BAR make',
    'timeout "$t" make',
    'npx "$x" push',
    `${'env '.repeat(20)}git push`,
    `${Array.from({ length: 1_000 }, (_, at) => `echo ${at}`).join('\n')}\ngit push`,
  ])('may be what is refused: %s', (line) => {
    expect(decide(run(line), { ask: 'nothing', rules })).toMatchObject({ decision: 'deny' });
    expect(word(run(line), { rules })).not.toBe('allow');
    expect(word(run(line), { ask: 'nothing', rules: [rule('deny', { kind: 'fetch' })] })).toBe('allow');
  });

  it.each<[string, Omit<AgentRule, 'decision'>]>([
    ['cat "$(rev <<< sterces)/a', { path: { below: 'secrets' } }],
    ['base64 -d <<< Y2F0IHNlY3JldHMvYQ== | sh', { path: { below: 'secrets' } }],
    ['$x secr*/a', { path: { glob: '*secrets*' } }],
    ['watch "$x"', { path: { below: 'secrets' } }],
    ['echo x > "$file"', { path: { below: 'secrets' } }],
    ['cat < "$file"', { path: { below: 'secrets' } }],
    ['curl "https://$(rev <<< gro.live)', { host: 'evil.org' }],
    ['$fetch', { host: 'evil.org' }],
  ])('may reach what is refused, a file or a machine: %s', (line, condition) => {
    for (const decision of ['deny', 'confirm'] as const) {
      const only = [rule(decision, condition)];
      const said = { decision: 'deny', rule: 'in doubt (agents.rules[0])' };
      expect(decide(run(line), { ask: 'nothing', rules: only })).toMatchObject(said);
      expect(decide(run(line), { rules: only })).toMatchObject({ decision: 'confirm' });
      expect(word(run('cat $file'), { ask: 'nothing', rules: only })).toBe('allow');
    }
    for (const others of [[], [rule('allow', condition)], [rule('deny', { ...condition, kind: 'edit' })]])
      expect(word(run(line), { ask: 'nothing', rules: others })).toBe('allow');
  });

  it.each(['env FOO=$BAR', 'env FOO="$BAR"', 'sudo FOO=$(id)', 'timeout "$t"', 'npx "$x"'])(
    'is asked about where something stands before it that is known only then, not refused nor allowed: %s',
    (before) => {
      const allowing = ['env', 'sudo', 'timeout', 'npx', 'id', 'make'].map((name) =>
        rule('allow', starts(name)),
      );
      expect(word(run(`${before} make`), { rules: [...rules, ...allowing] })).toBe('confirm');
      // What it says is enough to know it by.
      expect(word(run(`${before} git push`), { rules })).toBe('deny');
      expect(word(run(`${before} git push`), { ask: 'nothing', rules })).toBe('deny');
    },
  );

  it('is asked about where somebody is asked, and a yes for it counts', () => {
    const call = { ...run('$x push'), digest: 'd-x' };
    const asked = decide(call, { rules });
    expect(asked).toMatchObject({ decision: 'confirm', rule: 'in doubt (agents.rules[0])' });
    expect(word(call, { rules }, [grantOf({ callDigest: 'd-x' })])).toBe('allow');
  });
});

describe('a rule that allows a program', () => {
  it.each([
    'cat < /dev/tcp/example.com/80',
    'git log -p --output=/etc/x',
    'git diff --outp ../x',
    'git -C sub log --output=x',
    'CARGO_HOME=/elsewhere make',
    'CARGO_TARGET_X_RUNNER=./x make',
    'HTTPS_PROXY=http://example.com make',
    'PYTEST_PLUGINS=x make',
  ])('does not allow what it is told to reach, write or load besides: %s', (line) => {
    const rules = ['cat', 'git', 'make'].map((name) => rule('allow', starts(name)));
    expect(word(run(line), { rules })).toBe('confirm');
    expect(word(run('cat < a; git log --oneline --output-indicator-new=x; CI=1 make'), { rules })).toBe(
      'allow',
    );
  });
});

describe('a call that names very many files, or one of a very long name', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `src/${at}`);
  const long = ['a/../'.repeat(100_000)];

  it.each([[many], [long]])('is put before a human, and refused where nobody is asked', (paths) => {
    const call = { kind: 'edit' as const, paths };
    expect(word(call)).toBe('confirm');
    expect(word(call, { rules: [rule('allow')] })).toBe('confirm');
    expect(word(call, { ask: 'nothing' })).toBe('deny');
    expect(word({ kind: 'edit', paths: ['.git/config', ...paths] }, { ask: 'nothing' })).toBe('deny');
  });

  it.each([
    ['names', `/project/${'a/'.repeat(30_000)}`],
    ['names that lead back', `/project${'/a/..'.repeat(10_000)}`],
  ])('or that starts in a folder of so many %s, too', (_what, cwd) => {
    const call = { kind: 'edit' as const, paths: ['a.txt'], cwd };
    expect(word(call, { rules: [rule('allow')] })).toBe('confirm');
    expect(word(call, { ask: 'nothing' })).toBe('deny');
    const followed: string[] = [];
    const throughLinks = (path: string) => {
      followed.push(path);
      return path;
    };
    new AgentGate(policyOf({}), [], { root: '/project', throughLinks }).check(callOf(call));
    expect(followed.filter(({ length }) => length > 4_096)).toEqual([]);
  });

  it('is refused as any other in a folder of so many names that lead back to the project', () => {
    const cwd = `/project${'/a/..'.repeat(10_000)}`;
    expect(word({ kind: 'edit', paths: ['.git/config'], cwd })).toBe('deny');
  });

  it('is judged as any other up to that', () => {
    expect(word({ kind: 'edit', paths: many.slice(0, 200) })).toBe('allow');
  });
});

describe('a program that starts another one elsewhere', () => {
  it.each([
    'ssh host git push',
    "ssh host 'cd x && git push'",
    'npx git push',
    "npm exec -c 'git push'",
    'uv run git push',
    'docker run -v /:/h -e A=1 -e B=2 -e C=3 -e D=4 -w /h --name x alpine git push',
    "parallel 'git push' ::: x",
    "nix develop -c 'git push'",
  ])('is refused where that is: %s', (line) => {
    expect(word(run(line), { ask: 'nothing', rules: [rule('deny', starts('git push'))] })).toBe('deny');
  });

  it('is allowed by a rule for itself, with what it starts', () => {
    const rules = [rule('allow', starts('npx vitest')), rule('allow', starts('uv run'))];
    expect(word(run('npx vitest run', 'uv run pytest'), { rules })).toBe('allow');
    expect(word(run('npm install rm'), { ask: 'nothing', rules: [rule('deny', starts('rm'))] })).toBe(
      'allow',
    );
  });
});

describe('rules', () => {
  it('count deny before confirm before allow, in any order', () => {
    const rules = [rule('allow'), rule('confirm', { kind: 'execute' }), rule('deny', starts('rm'))];
    for (const order of [rules, rules.toReversed()]) {
      expect(word(run('rm x'), { rules: order })).toBe('deny');
      expect(word(run('ls'), { rules: order })).toBe('confirm');
      expect(word({ kind: 'fetch', hosts: ['x'] }, { rules: order })).toBe('allow');
    }
  });

  it('need one that allows for each command, and one that refuses is enough', () => {
    const rules = [
      rule('allow', starts('git status')),
      rule('allow', starts('ls')),
      rule('deny', starts('rm')),
    ];
    expect(word(run('git status && ls -l'), { rules })).toBe('allow');
    expect(word(run('git status', 'ls'), { rules })).toBe('allow');
    expect(word(run('git status && touch x'), { rules })).toBe('confirm');
    expect(word(run('git status', 'touch x'), { rules })).toBe('confirm');
    expect(word(run('ls; rm x'), { rules })).toBe('deny');
    expect(word(run('ls', 'rm x'), { rules })).toBe('deny');
    // What may run is enough to refuse it.
    expect(decide(run('X=rm; $X y'), { rules })).toMatchObject({ decision: 'deny', rule: 'agents.rules[2]' });
    // The end of one line is not the beginning of the next one.
    expect(word(run('ls <<X', 'touch x'), { rules })).toBe('confirm');
  });

  it('that allow commands allow them in the project, and no file elsewhere', () => {
    const rules = [rule('allow', starts('echo'))];
    expect(word(run('echo x > y'), { rules })).toBe('allow');
    expect(word(run('echo x > /dev/null'), { rules })).toBe('allow');
    expect(word(run('echo x > /tmp/y'), { rules })).toBe('confirm');
    expect(word(run('echo x > "$Y"'), { rules })).toBe('confirm');
    expect(word({ ...run('echo x'), cwd: '/tmp' }, { rules })).toBe('confirm');
    expect(decide(run('echo x > /tmp/y'), { rules }).rule).toBe('in doubt (otherwise agents.rules[0])');
  });

  it.each([
    ['cd / && echo a > etc/x', 'confirm'],
    ['cd /tmp && npm test', 'confirm'],
    ['cd .. && npm test', 'confirm'],
    ['cd a; cd ../..; npm test', 'confirm'],
    ['cd $HOME; npm test', 'confirm'],
    ['cd; npm test', 'confirm'],
    ['cd - && npm test', 'confirm'],
    ['pushd /tmp; npm test; popd', 'confirm'],
    ['cd -P -- /tmp; npm test', 'confirm'],
    ['cd packages/a && npm test > out.txt', 'allow'],
    ['(cd a && npm test) && (cd /project/b && npm test)', 'allow'],
  ])('that allow commands allow them where a folder is gone to in the project: %s %s', (line, expected) => {
    const rules = ['cd', 'echo', 'npm', 'pushd', 'popd'].map((name) => rule('allow', starts(name)));
    expect(word(run(line), { rules })).toBe(expected);
  });

  it('hold for a command whatever kind it is called', () => {
    expect(word({ kind: 'read', commands: ['rm x'] }, { rules: [rule('allow', { kind: 'read' })] })).toBe(
      'confirm',
    );
    const deny = rule('deny', { kind: 'execute', ...starts('rm') });
    expect(word({ kind: 'other', commands: ['rm x'] }, { ask: 'nothing', rules: [deny] })).toBe('deny');
    expect(word({ kind: 'other', commands: ['ls'] }, { rules: [rule('deny', { kind: 'other' })] })).toBe(
      'deny',
    );
    expect(word({ kind: 'other', commands: ['ls'] }, { rules: [rule('allow', { kind: 'execute' })] })).toBe(
      'allow',
    );
  });

  it.each<[string, Omit<AgentRule, 'decision'>, Partial<AgentGateCall>, Partial<AgentGateCall>]>([
    ['agent', { agent: 'cl*' }, {}, { agent: 'codex' }],
    ['kind', { kind: 'e*' }, {}, { kind: 'delete' }],
    ['sprint', { sprint: 's-1' }, {}, { stream: 's-2' }],
    ['task', { task: 'a' }, {}, { taskId: undefined }],
    ['task', { task: 'a' }, {}, { taskId: 'b' }],
    [
      'folder',
      { path: { below: 'src' } },
      { kind: 'delete', paths: ['src/a'] },
      { kind: 'delete', paths: ['a'] },
    ],
    [
      'name',
      { path: { glob: '*.ts' } },
      { kind: 'delete', paths: ['a.ts'] },
      { kind: 'delete', paths: ['a.js'] },
    ],
    ['host', { host: '*.org' }, { kind: 'fetch', hosts: ['a.org'] }, { kind: 'fetch', hosts: ['a.com'] }],
    ['command', { command: { equals: 'ls' } }, run('ls'), run('ls -l')],
  ])('ask for what they name: %s', (_name, condition, fitting, other) => {
    for (const decision of ['allow', 'deny', 'confirm'] as const) {
      const rules = [rule(decision, condition)];
      const [by, notBy] = [decide(fitting, { rules }), decide(other, { rules })];
      expect(by).toMatchObject({ decision, rule: 'agents.rules[0]' });
      expect(notBy).toMatchObject({ decision: 'confirm', rule: 'agents.ask what-matters' });
    }
  });

  it('that allow want all files and machines to fit, others one', () => {
    const both = { kind: 'delete' as const, paths: ['src/a', 'b'] };
    expect(word(both, { rules: [rule('allow', { path: { below: 'src' } })] })).toBe('confirm');
    expect(word(both, { rules: [rule('deny', { path: { below: 'src' } })] })).toBe('deny');
    expect(word({ kind: 'delete' }, { rules: [rule('allow', { path: { below: 'src' } })] })).toBe('confirm');
    expect(word({ kind: 'fetch' }, { rules: [rule('allow', { host: '*' })] })).toBe('confirm');
    const hosts = { kind: 'fetch' as const, hosts: ['a.org', ''] };
    expect(word(hosts, { rules: [rule('allow', { host: '*.org' })] })).toBe('confirm');
    expect(word(hosts, { rules: [rule('deny', { host: '*.org' })] })).toBe('deny');
    expect(
      word({ kind: 'delete', paths: ['SRC/a'] }, { rules: [rule('deny', { path: { below: 'src' } })] }),
    ).toBe('deny');
    expect(
      word({ kind: 'delete', paths: ['A.TS'] }, { rules: [rule('deny', { path: { glob: '*.ts' } })] }),
    ).toBe('deny');
  });

  it.each<[Partial<AgentGateCall>, AgentRule]>([
    [{ kind: 'execute' }, rule('deny', starts('rm'))],
    [{ kind: 'execute' }, rule('confirm', starts('rm'))],
    [{ kind: 'edit' }, rule('deny', { path: { below: 'secrets' } })],
    [{ kind: 'fetch' }, rule('deny', { host: 'evil.org' })],
  ])('leave to a human what does not say whether it is meant: %j %j', (call, meant) => {
    const rules = [rule('allow'), meant];
    expect(decide(call, { rules })).toMatchObject({
      decision: 'confirm',
      rule: 'in doubt (agents.rules[1])',
    });
    expect(word(call, { ask: 'nothing', rules: [meant] })).toBe('deny');
    expect(word(call, { rules: [rule('allow'), { ...meant, agent: 'codex' }] })).toBe('allow');
    expect(word(call, { rules: [rule('allow'), { ...meant, decision: 'allow' }] })).toBe('allow');
    expect(word(call, { rules }, [grantOf({ callDigest: 'd' })])).toBe('allow');
  });

  it.each<[string, Omit<AgentRule, 'decision'>]>([
    ['echo x > secrets/a', { path: { below: 'secrets' } }],
    ['cat < Secrets/a', { path: { below: 'secrets' } }],
    ['cat secrets/a', { path: { below: 'secrets' } }],
    ["ls && bash -c 'rm -r secrets'", { path: { below: 'secrets' } }],
    ['dd if=/dev/null of=secrets/a', { path: { below: 'secrets' } }],
    ['cd secrets && cat a', { path: { below: 'secrets' } }],
    ['cd src && cat ../secrets/a', { path: { below: 'secrets' } }],
    ['touch ../outside.txt', { path: { glob: '*outside.txt' } }],
    ['curl -s https://evil.org/x', { host: 'evil.org' }],
  ])('that do not allow hold for what a command names: %s', (command, condition) => {
    for (const decision of ['deny', 'confirm'] as const) {
      const said = decide(run(command), { rules: [rule('allow'), rule(decision, condition)] });
      expect(said).toMatchObject({ decision, rule: 'agents.rules[1]' });
    }
    const other = run('cat docs/a *.ts https://good.org > docs/b');
    expect(word(other, { rules: [rule('allow'), rule('deny', condition)] })).toBe('allow');
    const ofAnother = rule('deny', { ...condition, agent: 'codex' });
    expect(word(run(command), { rules: [rule('allow', condition), ofAnother] })).toBe('confirm');
  });

  it('that refuse a file refuse a command that opens more of them than are looked at', () => {
    const opens = (files: number) => run(Array.from({ length: files }, (_, at) => `>a${at}`).join(' '));
    const rules = [rule('allow'), rule('deny', { path: { below: 'secrets' } })];
    expect([100, 101].map((files) => word(opens(files), { rules }))).toEqual(['allow', 'deny']);
  });

  it('about files among which every word would be hold for no word of a command, but for what it opens', () => {
    for (const path of [{ below: '.' }, { below: '..' }, { glob: '*' }]) {
      const rules = [rule('allow'), rule('deny', { path })];
      expect(word(run('npm test'), { rules })).toBe('allow');
      expect(word(run('npm test > out'), { rules })).toBe('deny');
    }
  });

  it('that want somebody asked refuse where nobody is', () => {
    const rules = [rule('confirm', starts('rm'))];
    expect(decide(run('rm x'), { ask: 'nothing', rules })).toMatchObject({
      decision: 'deny',
      rule: 'agents.rules[0]',
      reason: expect.stringContaining('nobody is asked here'),
    });
  });

  it('say their reason on one line', () => {
    const rules = [rule('deny', { ...starts('rm'), reason: 'no\nway' })];
    expect(decide(run('rm x'), { rules }).reason).toMatch(
      /denies execute rm x \(agents\.rules\[0\]\): no.*way\. Do not try/,
    );
  });

  it('that cannot be read refuse everything', () => {
    const gate = new AgentGate({ unreadable: 'a comma' }, [grantOf({ callDigest: 'd' })], {
      root: '/project',
    });
    expect(gate.check(callOf({ kind: 'think' }))).toMatchObject({
      decision: 'deny',
      rule: 'unreadable policy',
    });
  });
});

describe('what a human has granted', () => {
  const deny = { rules: [rule('deny', starts('rm'))] };

  it.each<[string, Partial<GrantedRule>, string]>([
    ['this call, always', { callDigest: 'd' }, 'allow'],
    ['another call', { callDigest: 'e' }, 'confirm'],
    ['no call, but a tool', {}, 'confirm'],
    ['the task', { callDigest: 'd', scope: { kind: 'task', stream: 's-1', taskId: 'a' } }, 'allow'],
    ['another task', { callDigest: 'd', scope: { kind: 'task', stream: 's-1', taskId: 'b' } }, 'confirm'],
    [
      'the task of another sprint',
      { callDigest: 'd', scope: { kind: 'task', stream: 's-2', taskId: 'a' } },
      'confirm',
    ],
    ['the sprint', { callDigest: 'd', scope: { kind: 'sprint', stream: 's-1' } }, 'allow'],
    ['another sprint', { callDigest: 'd', scope: { kind: 'sprint', stream: 's-2' } }, 'confirm'],
  ])('holds for %s', (_what, grant, expected) => {
    expect(word(run('rm x'), {}, [grantOf(grant)])).toBe(expected);
    expect(word(run('rm x'), { rules: [rule('confirm')] }, [grantOf(grant)])).toBe(expected);
    expect(word(run('rm x'), deny, [grantOf(grant)])).toBe('deny');
  });
});

describe('a call that may be made in either of two folders', () => {
  const rules = [rule('deny', { path: { below: 'secrets' } }), rule('allow', starts('cat'))];
  const told = { ...run('cat secrets/key'), cwd: '/project/docs' };

  it('is allowed only where it would be in both', () => {
    expect(word(told, { rules })).toBe('allow');
    expect(word({ ...told, elsewhere: '/project' }, { rules })).toBe('deny');
    expect(word({ ...told, cwd: '/project', elsewhere: '/project/docs' }, { rules })).toBe('deny');
    expect(word({ ...run('cat a'), cwd: '/project/docs', elsewhere: '/' }, { rules })).toBe('confirm');
    expect(word({ ...run('cat a'), cwd: '/', elsewhere: '/project' }, { rules })).toBe('confirm');
    expect(word({ ...run('cat a'), cwd: '/project/docs', elsewhere: '/project' }, { rules })).toBe('allow');
  });
});
