import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { fakePrograms } from '../helpers/fake-programs.ts';
import { agentCmd } from '../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { documentation } from '../../src/package-file.ts';

/** A project with a sprint of the tasks a and b, and what its `clifford.json` says. */
async function projectWith(config: object | string, manifest: object = {}): Promise<string> {
  const root = await tempRoot();
  await writeSprint(root, { manifest });
  await writeConfig(join(root, 'clifford.json'), config);
  return root;
}

describe('clifford config', () => {
  it('prints every value, as text and as JSON', async () => {
    const root = await projectWith({ model: 'm', clarification: { defaultTimeout: 0 } });
    const { code, out, err } = await clifford(['config'], { cwd: root });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'agent                         (none)',
      'agentCmd                      (none)',
      'model                         "m"',
      'maxAttempts                   1',
      'verify                        []',
      'fallback                      (none)',
      'commit                        false',
      'done                          "reported"',
      'parallel                      1',
      'worktrees.dir                 (none)',
      'worktrees.setup               (none)',
      'worktrees.copy                []',
      'worktrees.onConflict          "ask"',
      'parkAfter                     30 (after 30 min)',
      'limits.connect                60000 (60 s)',
      'limits.idle                   600000 (10 min)',
      'limits.tool                   3600000 (60 min)',
      'limits.exit                   10000 (10 s)',
      'limits.attempt                14400000 (4 h)',
      'budget.task.tokens            (none)',
      'budget.task.usd               (none)',
      'budget.sprint.tokens          (none)',
      'budget.sprint.usd             (none)',
      'budget.day.tokens             (none)',
      'budget.day.usd                (none)',
      'clarification.enabled         true',
      'clarification.questionsDir    ".agent-questions"',
      'clarification.defaultTimeout  0 (no limit)',
      'elicitation.clients           ["claude-code","codex-mcp-client","copilot-cli"]',
      'changelog.enabled             true',
      'changelog.file                "CHANGELOG.md"',
      'log.url                       (none)',
      'log.servers                   []',
      'log.replicas                  1',
      'log.mirror                    true',
      'log.credentials               (none)',
      'log.nkey                      (none)',
      'log.ca                        (none)',
      'log.cert                      (none)',
      'log.key                       (none)',
      'queue.deadline                30000 (30 s)',
      'queue.losses                  5',
      'repository.fetch              (none)',
      'repository.push               (none)',
      'notify.bell                   true',
      'notify.desktop                "auto"',
      'notify.title                  true',
      'notify.progress               true',
      'notify.quietHours             (none)',
      'screen.theme                  "auto"',
      'screen.ascii                  (none)',
      'screen.reducedMotion          false',
      'screen.mouse                  false',
      '',
    ]);
    const json = await clifford(['config', '--json'], { cwd: root });
    expect(JSON.parse(json.out)).toEqual({
      model: 'm',
      maxAttempts: 1,
      parallel: 1,
      worktrees: { copy: [], onConflict: 'ask' },
      verify: [],
      commit: false,
      done: 'reported',
      parkAfter: 30,
      limits: { connect: 60_000, idle: 600_000, tool: 3_600_000, exit: 10_000, attempt: 14_400_000 },
      budget: { task: {}, sprint: {}, day: {} },
      clarification: { enabled: true, questionsDir: '.agent-questions', defaultTimeout: 0 },
      elicitation: { clients: ['claude-code', 'codex-mcp-client', 'copilot-cli'] },
      notify: { bell: true, desktop: 'auto', title: true, progress: true },
      screen: { theme: 'auto', reducedMotion: false, mouse: false },
      log: { servers: [], replicas: 1, mirror: true },
      queue: { deadline: 30_000, losses: 5 },
      repository: {},
      changelog: { enabled: true, file: 'CHANGELOG.md' },
    });
  });

  it('explains how agents are spoken with where that is not said', async () => {
    const path = await fakePrograms({ opencode: 'echo 1.18.33', gemini: 'echo 0.60.0' });
    const root = await projectWith({
      agent: 'opencode',
      fallback: 'gemini',
      parkAfter: 5,
      agents: {
        codex: { via: 'cli', parkAfter: 0 },
        own: { command: 'own --acp', via: 'acp' },
        held: { command: 'held', parkAfter: 7 },
      },
    });
    const env = { PATH: `${path}:/usr/bin:/bin` };
    const { code, out, err } = await clifford(['config', '--explain'], { cwd: root, env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/agents\.opencode\.via +"acp" +default: opencode 1\.18\.33 was tested\n/);
    expect(out).toMatch(/agents\.gemini\.via +"cli" +default: gemini 0\.60\.0 is older than 0\.61\.0, /);
    expect(out).toMatch(/agents\.codex\.via +"cli" +clifford\.json:\d+\n/);
    const goesOn = 'default: it goes on with its session';
    expect(out).toMatch(new RegExp(`agents\\.opencode\\.parkAfter +5 \\(after 5 min\\) +${goesOn}\\n`));
    expect(out).toMatch(new RegExp(`agents\\.gemini\\.parkAfter +5 \\(after 5 min\\) +${goesOn}\\n`));
    expect(out).toMatch(/agents\.codex\.parkAfter +0 \(never\) +clifford\.json:\d+\n/);
    const untested = 'default: nobody has tested that it goes on with its session';
    expect(out).toMatch(new RegExp(`agents\\.own\\.parkAfter +0 \\(never\\) +${untested}\\n`));
    expect(out.match(/agents\.held\.parkAfter/g)).toHaveLength(1);
    // Without origins it is what could stand in the file, and no program is asked.
    const plain = await clifford(['config'], { cwd: root, env });
    expect(plain.out).not.toContain('agents.opencode');
  });

  it('explains where each value comes from, for a task, too', async () => {
    const home = await tempRoot();
    await writeConfig(join(home, '.config/clifford/config.json'), { maxAttempts: 3, verify: ['make'] });
    const root = await projectWith(
      { agents: { quick: { command: 'quick --key ${SOME_KEY} {prompt}' } } },
      {
        model: 'big',
        tasks: [
          { id: 'a', file: 'a.md' },
          { id: 'b', file: 'b.md', agent: 'quick' },
        ],
      },
    );
    const env = { HOME: home, CLIFFORD_CONFIG: '', XDG_CONFIG_HOME: '', SOME_KEY: 'open-sesame' };
    const { code, out, err } = await clifford(['config', '--explain', '--task', 'b'], { cwd: root, env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').slice(0, 10)).toEqual([
      'KEY                           VALUE                                             ORIGIN',
      'agent                         "quick"                                           sprints/demo/manifest.json: tasks[1].agent',
      'agentCmd                      "quick --key ${SOME_KEY} {prompt}"                clifford.json:4',
      'model                         "big"                                             sprints/demo/manifest.json: model',
      'maxAttempts                   3                                                 ~/.config/clifford/config.json:2',
      'verify                        ["make"]                                          ~/.config/clifford/config.json:3',
      'fallback                      (none)                                            default',
      'commit                        false                                             default',
      'done                          "reported"                                        default',
      'agents.quick.command          "quick --key ${SOME_KEY} {prompt}"                clifford.json:4',
    ]);
    expect(out).toMatch(/\nchangelog\.file +"CHANGELOG\.md" +default\n/);
    const alone = /\nagents\.quick\.parkAfter +0 \(never\) +default: it cannot go on with its session\n$/;
    expect(out).toMatch(alone);
    const json = await clifford(['config', '--explain', '--json', '--sprint', 'demo'], { cwd: root, env });
    expect(JSON.parse(json.out)).toEqual(
      expect.arrayContaining([
        { key: 'agentCmd', value: null, origin: 'default' },
        { key: 'model', value: 'big', origin: 'sprints/demo/manifest.json: model' },
      ]),
    );
    expect(out + json.out).not.toContain('open-sesame');
  });

  it('shows every key of an agent as it is written', async () => {
    const agents = {
      codex: { model: '${SOME_MODEL}', args: ['-c', 'a=1'], env: { KEY: '${SOME_KEY}', B: 'b' } },
    };
    const root = await projectWith({ agents });
    const env = { SOME_MODEL: 'secret-model', SOME_KEY: 'open-sesame' };
    const { code, out } = await clifford(['config'], { cwd: root, env });
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.startsWith('agents.'))).toEqual([
      'agents.codex.args             ["-c","a=1"]',
      'agents.codex.env.KEY          "${SOME_KEY}"',
      'agents.codex.env.B            "b"',
      'agents.codex.model            "${SOME_MODEL}"',
    ]);
    const json = await clifford(['config', '--json'], { cwd: root, env });
    expect(JSON.parse(json.out)).toMatchObject({ agents });
  });

  it('says that the agent comes from the environment', async () => {
    const root = await projectWith({ agentCmd: 'other' });
    const env = { CLIFFORD_AGENT_CMD: 'mine' };
    const { out } = await clifford(['config', '--explain'], { cwd: root, env });
    expect(out).toMatch(/\nagentCmd +"mine" +CLIFFORD_AGENT_CMD\n/);
  });

  it('works where there is no project yet', async () => {
    const root = await tempRoot();
    expect(await clifford(['config'], { cwd: root })).toMatchObject({ code: 0, err: '' });
  });

  it('ends with 2 on a mistake, and names an unknown key first', async () => {
    const root = await projectWith('{\n  "maxAttemps": 3,\n  "maxAttempts": "three"\n}');
    const file = join(root, 'clifford.json');
    const { code, out, err } = await clifford(['config'], { cwd: root });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n')).toEqual([
      `note: Unknown key "maxAttemps" in ${file}:2:3; did you mean "maxAttempts"?`,
      `clifford: Cannot read ${file}:3:18: maxAttempts must be a whole number from 1 to 1000 (current value is "three")`,
      `  Correct it, or remove the key; ${documentation('configuration')} describes every key`,
      '',
    ]);
  });

  it('says each of several mistakes on a line of its own, and once what to do', async () => {
    const root = await projectWith('{\n  "maxAttempts": 0,\n  "commit": "yes"\n}');
    const { code, err } = await clifford(['config'], { cwd: root });
    expect(code).toBe(2);
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^clifford: Cannot read [^;]*clifford\.json:2:18: maxAttempts must be [^;]*$/),
      expect.stringMatching(/^clifford: Cannot read [^;]*clifford\.json:3:13: commit must be [^;]*$/),
      expect.stringMatching(/^ {2}Correct it/),
      '',
    ]);
  });

  it('ends with 2 where a variable is not set, and shows the rest', async () => {
    const root = await projectWith({ model: '${CLIFFORD_TEST_NONE}', maxAttempts: 7 });
    const { code, out, err } = await clifford(['config'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toMatch(
      /^note: Cannot read .*:2:12: model uses the variable CLIFFORD_TEST_NONE, which is not set/,
    );
    expect(out).toMatch(/\nmaxAttempts +7\n/);
  });

  it.each([
    [['--task', 'c'], /Cannot find task c: it is not in demo/],
    [['--sprint', 'no'], /Cannot find sprint no/],
  ])('%j ends with 2', async (args, message) => {
    const root = await projectWith({});
    const { code, err } = await clifford(['config', ...args], { cwd: root });
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('asks for the sprint when several have the task', async () => {
    const root = await projectWith({});
    await writeSprint(root, { id: 'other' });
    const { code, err } = await clifford(['config', '--task', 'a'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toMatch(/Cannot tell which task a is meant: it is in demo, other/);
  });
});

describe('clifford run with a configuration', () => {
  it('needs no --agent-cmd', async () => {
    const root = await projectWith({ agent: 'mine', agents: { mine: { command: agentHere('complete') } } });
    const first = /^note: The first run of this project takes .*: agents\.mine\.command: .*\n$/;
    expect(await clifford(['run'], { cwd: root })).toMatchObject({
      code: 0,
      err: expect.stringMatching(first),
    });
  });

  it('takes --agent and --model before everything else, the environment too', async () => {
    const root = await projectWith(
      { agentCmd: 'no-such-agent', agents: { mine: { command: agentCmd('print-start', '{model}') } } },
      { model: 'manifest' },
    );
    const args = ['run', '--agent', 'mine', '--model', 'flag'];
    const { code, out } = await clifford(args, { cwd: root, env: { CLIFFORD_AGENT_CMD: 'no-such-agent' } });
    expect(code).toBe(0);
    expect(out).toContain('"args":["flag"]');
  });

  it.each<[string, object | string, string[], RegExp]>([
    ['a broken file', '{"agentCmd": "x"', [], /Cannot read .*clifford\.json:1:17: it is not JSON/],
    [
      'an unknown agent',
      { agents: { a: { command: 'x' } } },
      ['--agent', 'b'],
      /Cannot find agent b, .*: the known ones are a, opencode, claude, codex, gemini, copilot, cursor\n/,
    ],
    ['two agents', {}, ['--agent', 'b', '--agent-cmd', 'x'], /Cannot use --agent together with --agent-cmd/],
    [
      'two command lines',
      {},
      ['--agent-acp', 'b', '--agent-cmd', 'x'],
      /Cannot use --agent-cmd together with --agent-acp/,
    ],
    [
      'a model that is missing',
      {},
      ['--agent-acp', 'ls --model {model}'],
      /Cannot start agent command ls --model \{model\}: it has \{model\}, and no model is configured/,
    ],
    [
      'a variable that is not set',
      { agentCmd: '${CLIFFORD_TEST_NONE}' },
      [],
      /uses the variable CLIFFORD_TEST_NONE, which is not set/,
    ],
    [
      'too many attempts',
      { agentCmd: 'x' },
      ['--max-attempts', '5000'],
      /it must be a whole number from 1 to 1000 \(current value is 5000\)/,
    ],
  ])('ends with 2 and starts nothing with %s', async (_what, config, args, message) => {
    const root = await projectWith(config);
    const { code, out, err } = await clifford(['run', ...args], { cwd: root });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });

  it('goes on with a note where a variable is not set that it does not need', async () => {
    const root = await projectWith({
      agentCmd: agentHere('complete'),
      agents: { other: { command: 'x ${CLIFFORD_TEST_NONE}' } },
      changelogg: {},
    });
    const { code, err } = await clifford(['run'], { cwd: root });
    expect(code).toBe(0);
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^note: Unknown key "changelogg" in .*; did you mean "changelog"\?$/),
      expect.stringMatching(
        /^note: Cannot read .*: agents\.other\.command uses the variable CLIFFORD_TEST_NONE, /,
      ),
      expect.stringMatching(
        /^note: The first run of this project takes what its files have it run, .*: agentCmd: /,
      ),
    ]);
  });

  it('does not wait for the writer of a named pipe', async () => {
    const root = await tempRoot();
    execFileSync('mkfifo', [join(root, 'clifford.json')]);
    const { code, err } = await clifford(['config'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toMatch(/clifford\.json: it is a named pipe/);
  });
});

it("a demo is not changed by the user's own configuration", async () => {
  const home = await tempRoot();
  await writeConfig(join(home, '.config/clifford/config.json'), {
    agentCmd: 'no-such-agent',
    verify: ['false'],
    clarification: { enabled: false },
    model: '${CLIFFORD_TEST_NONE}',
  });
  const env = { HOME: home, CLIFFORD_CONFIG: '', XDG_CONFIG_HOME: '', CLIFFORD_DEMO_PACE_MS: '0' };
  const { code, out } = await clifford(['demo', '--keep', join(home, 'demo')], { cwd: home, env });
  expect(out).toMatch(/demo completed, 3 of 3 tasks done/);
  expect(code).toBe(0);
}, 60_000);
