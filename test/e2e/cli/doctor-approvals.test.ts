import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clifford, startClifford } from '../../helpers/clifford-process.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { fakePrograms } from '../../helpers/fake-programs.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { untilFile } from '../../helpers/until-file.ts';

const reportSchema = z.strictObject({
  ok: z.boolean(),
  checks: z.array(
    z.looseObject({ name: z.string(), status: z.string(), text: z.string(), fix: z.string().optional() }),
  ),
});
const startSchema = z.object({ pid: z.number(), home: z.string(), env: z.array(z.string()) });

type Scene = {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** Makes the agent behave otherwise from now on. */
  readonly behave: (behaviour: string) => Promise<void>;
  /** Each time that it was started to work. */
  readonly starts: () => Promise<z.infer<typeof startSchema>[]>;
  readonly startsFile: string;
};

/** Says a version without a start of Node, which each look at an agent would wait for. */
const saysVersion = (text: string) => `for each; do test "$each" = --version && echo ${text} && exit; done`;

/** A project whose user has a Copilot that behaves so, spoken with over ACP, and no other agent. */
async function scene(behaviour: string, config: object = {}): Promise<Scene> {
  const [root, home] = [await tempRoot(), await tempRoot()];
  const agents = { copilot: { via: 'acp' } };
  await writeConfig(join(root, 'clifford.json'), { agents, ...config });
  const PATH = await fakePrograms({});
  const startsFile = join(home, 'starts.jsonl');
  const behave = (how: string) =>
    writeFile(
      join(PATH, 'copilot'),
      `#!/bin/sh\n${saysVersion(how === 'nameless' ? 'a copilot' : '1.0.102')}\nexec "${process.execPath}" "${fixtureProgram('agents/model-acp-agent.ts')}" ${how} "${startsFile}" "$@"\n`,
      { mode: 0o755 },
    );
  await behave(behaviour);
  const starts = async () => {
    const lines = existsSync(startsFile) ? (await readFile(startsFile, 'utf8')).trimEnd().split('\n') : [];
    return lines.map((line) => startSchema.parse(JSON.parse(line)));
  };
  // What touch is.
  return {
    root,
    env: { HOME: home, XDG_STATE_HOME: join(home, 'state'), PATH: `${PATH}:/usr/bin:/bin`, LANG: 'C.UTF-8' },
    behave,
    starts,
    startsFile,
  };
}

/** Its sprint, with these tasks. */
async function sprintOf(root: string, tasks: readonly object[]): Promise<void> {
  const dir = join(root, 'sprints/s');
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'a.md'), '# A\n');
  await writeConfig(join(dir, 'manifest.json'), { id: 's', name: 's', status: 'pending', tasks });
}

/** What `clifford doctor --approvals` says of the scene's agent, or of another one. */
async function proven({ root, env }: Scene, ...more: readonly string[]) {
  const given = ['doctor', '--approvals', '--json', '--timeout', '20', ...more];
  const { code, out, err } = await clifford(given, { cwd: root, env });
  expect(err).toBe('');
  const { ok, checks } = reportSchema.parse(JSON.parse(out));
  const of = (name: string) => checks.find((check) => check.name === `approvals:${name}`);
  return { code, ok, checks, of, copilot: of('copilot') };
}

type Proof = Awaited<ReturnType<typeof proven>>;

function expectBroken({ code, copilot }: Proof, why: string): void {
  expect({ code, copilot }).toMatchObject({
    code: 1,
    copilot: {
      status: 'broken',
      text: expect.stringMatching(why),
      fix: 'Do not rely on its prompts. Use a version that was tested (1.0.102; npm install -g @github/copilot), or run it only where it can do no harm',
    },
  });
}

function expectUnproven({ code, copilot }: Proof, why: RegExp): void {
  expect(code).toBe(0);
  expect(copilot).toMatchObject({ status: 'warning', text: expect.stringMatching(why) });
  expect(copilot?.text).toContain('not proven to wait for a yes: ');
}

// Each proof has a log of its own, in a file: that of the project plays no part in it.
describe('clifford doctor --approvals', () => {
  it('says that a command of your own was not proven, and when nothing was looked at', async () => {
    const root = await tempRoot();
    const env = { PATH: '' };
    const look = () => clifford(['doctor', '--approvals'], { cwd: root, env });
    expect((await look()).out).toMatch(/\nnone of them is installed: nothing was looked at\n$/);
    const agents = { mine: { command: 'my-agent --acp', via: 'acp' }, plain: { command: 'my-agent' } };
    await writeFile(join(root, 'clifford.json'), JSON.stringify({ agents }));
    const { code, out } = await look();
    expect(code).toBe(0);
    expect(out).toContain(
      '! mine, a command of your own: not proven to wait for a yes, it cannot be tried\n',
    );
    expect(out).not.toContain('plain');
  });

  it('proves once for a version that an agent waits for a yes, and says then when it was', async () => {
    const here = await scene('honest');
    const first = await proven(here);
    expect(first).toMatchObject({
      code: 0,
      ok: true,
      copilot: { status: 'good', facts: { version: '1.0.102', via: 'acp', proof: { is: 'proven' } } },
    });
    expect(first.copilot?.text).toMatch(
      /^GitHub Copilot CLI 1\.0\.102, .*: waits for a yes, over ACP; proven now$/,
    );
    const again = await clifford(['doctor', '--approvals'], { cwd: here.root, env: here.env });
    expect(again.out).toMatch(
      /^✔ GitHub Copilot CLI .*; proven on \d{4}-\d\d-\d\d with Clifford \d+\.\d+\.\d+/m,
    );
    expect(again.out).toMatch(/^- OpenCode is not installed$/m);
    expect(again.out).toMatch(/\neverything works\n$/);
    expect(await here.starts()).toHaveLength(1);
    const whole = await clifford(['doctor'], { cwd: here.root, env: here.env });
    expect(whole.out).toMatch(/GitHub Copilot CLI 1\.0\.102.*; proven to wait for a yes on \d{4}-\d\d-\d\d/);

    const before = (await here.starts()).length;
    await here.behave('cheating');
    expect((await proven(here)).copilot?.status).toBe('good');
    expect(await here.starts()).toHaveLength(before);
    expect((await proven(here, '--fresh')).copilot?.status).toBe('broken');
    await writeConfig(join(here.root, 'clifford.json'), {
      agents: { copilot: { via: 'acp', args: ['--log'] } },
    });
    await here.behave('honest');
    expect((await proven(here)).copilot?.text).toContain('proven now');
  });

  it('gives it a home and an environment of its own, and leaves nothing', async () => {
    const here = await scene('honest');
    const env = { ...here.env, MY_API_KEY: 'x', HTTPS_PROXY: 'http://127.0.0.1:9', COPILOT_HOME: here.root };
    expect((await proven({ ...here, env })).copilot?.text).toContain('proven now');
    const [start] = await here.starts();
    expect(start?.home).not.toBe(here.env['HOME']);
    expect(existsSync(start?.home ?? '')).toBe(false);
    for (const name of ['MY_API_KEY', 'HTTPS_PROXY', 'COPILOT_HOME']) expect(start?.env).not.toContain(name);
    expect(await readdir(join(here.root, '.clifford'))).toEqual([]);
    expect(existsSync(join(here.root, 'allowed'))).toBe(false);
  });

  it.each([
    ['unasking', 'it ran a command without asking'],
    ['early', 'it ran a command before the answer to its question'],
  ])('calls an agent broken that does not wait (%s)', async (behaviour, why) => {
    expectBroken(await proven(await scene(behaviour)), why);
  });

  it('calls an agent broken that does not wait (cheating), also from what it remembers', async () => {
    const here = await scene('cheating');
    expectBroken(await proven(here), 'it ran a command that was denied');
    const again = await proven(here);
    expect(again.code).toBe(1);
    expect(again.copilot?.text).toMatch(/, seen on \d{4}-\d\d-\d\d with Clifford /);
    const whole = await clifford(['doctor'], { cwd: here.root, env: here.env });
    expect(whole.code).toBe(1);
    expect(whole.out).toMatch(/^✗ GitHub Copilot CLI .*does not wait for a yes: it ran a command/m);
    expect(whole.out).toContain('Do not rely on its prompts.');
    expect(await here.starts()).toHaveLength(1);
  });

  it.each([
    ['lazy', /it did not run the command that was allowed: /],
    ['curious', /it asked about something else: .*curl example\.org/],
    ['nagging', /it asked more than once about one command$/],
  ])('does not call proven what it did not see (%s)', async (behaviour, why) => {
    expectUnproven(await proven(await scene(behaviour)), why);
  });

  it('does not call proven what it did not see (silent), and tries again the next time', async () => {
    const here = await scene('silent');
    expectUnproven(await proven(here), /it never asked, and ran nothing: .*/);
    await proven(here);
    expect(await here.starts()).toHaveLength(2);
  });

  it('ends an agent that hangs when its time is over, and calls that broken where tasks go to it', async () => {
    const here = await scene('hanging', { agent: 'copilot' });
    const { code, copilot } = await proven(here, '--timeout', '3');
    expect(code).toBe(1);
    expect(copilot).toMatchObject({
      status: 'broken',
      text: expect.stringMatching(/it never asked, and ran nothing: it took longer than 3 s$/),
      fix: expect.stringContaining('clifford doctor --approvals --timeout 600'),
    });
    const [start] = await here.starts();
    expect(start && isRunning(start.pid)).toBe(false);
    expect(existsSync(start?.home ?? '')).toBe(false);
  });

  it('ends all with Ctrl-C', async () => {
    const { here, TMPDIR, running } = await hangingProof();
    await untilFile(here.startsFile);
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, out: '' });
    const [start] = await here.starts();
    expect(start && isRunning(start.pid)).toBe(false);
    expect(await readdir(TMPDIR)).toEqual([]);
  });

  it('says of an agent that runs by its command line that it is not gated', async () => {
    const here = await scene('honest', { agents: {} });
    const { code, copilot } = await proven(here);
    expect(code).toBe(0);
    expect(copilot).toMatchObject({
      status: 'warning',
      text: expect.stringMatching(
        /: runs without its own prompts: not gated \(over ACP it says only in prose/,
      ),
      fix: 'To be asked, set agents.copilot.via to "acp" in clifford.json',
    });
    expect(await here.starts()).toEqual([]);
  });

  it('proves it for a version that is not known, too, but does not keep that', async () => {
    const here = await scene('nameless');
    for (const times of [1, 2]) {
      const { copilot } = await proven(here);
      expect(copilot).toMatchObject({
        status: 'good',
        text: expect.stringMatching(
          /of unknown version, .*; proven now; it will be tried again: its version is not known$/,
        ),
      });
      expect(await here.starts()).toHaveLength(times);
    }
  });

  it('names what is missing that would speak for an agent', async () => {
    const here = await scene('honest', { agents: { codex: { via: 'acp' } } });
    const codex = join(dirname(here.env['PATH']?.split(':')[0] ?? ''), 'bin/codex');
    await writeFile(codex, '#!/bin/sh\necho codex 0.169.0\n', { mode: 0o755 });
    expect((await proven(here)).of('codex')).toMatchObject({
      status: 'warning',
      text: expect.stringContaining('codex-acp, which speaks ACP for it, is not on the PATH'),
    });
  });

  it('tries again where it cannot read what it remembers, and says that it cannot keep it', async () => {
    const here = await scene('honest');
    const kept = join(here.env['XDG_STATE_HOME'] ?? '', 'clifford/approvals.json');
    await mkdir(dirname(kept), { recursive: true });
    await writeFile(kept, '{ "version": 1, "projects": "all proven" }');
    const { copilot } = await proven(here);
    expect(copilot).toMatchObject({
      status: 'good',
      text: expect.stringContaining(`it will be tried again: ${kept} cannot be read`),
    });
    expect(await here.starts()).toHaveLength(1);
  });
});

describeOnEachEngine('what clifford doctor --approvals has found', () => {
  it('has it said of every agent that a run may start, and by status', async () => {
    const here = await scene('cheating');
    expectBroken(await proven(here), 'it ran a command that was denied');
    const run = async (...given: readonly string[]) =>
      (await clifford(['run', '--plain', ...given], { cwd: here.root, env: here.env })).err;
    const status = async (...given: readonly string[]) =>
      (await clifford(['status', ...given], { cwd: here.root, env: here.env })).out;
    const config = (more: object, copilot: object = {}) =>
      writeConfig(join(here.root, 'clifford.json'), {
        agents: { copilot: { via: 'acp', ...copilot } },
        ...more,
      });
    const text =
      /GitHub Copilot CLI 1\.0\.102 does not wait for a yes: it ran a command that was denied, seen on .* by clifford doctor --approvals$/m;
    expect(await status()).toMatch(text);
    await sprintOf(here.root, [{ id: 'a', file: 'a.md' }]);
    expect(await run('--agent', 'copilot')).toMatch(new RegExp(`^note: ${text.source}`, 'm'));
    expect(await run('--agent', 'opencode')).not.toContain('does not wait');
    await config({ agent: 'opencode', fallback: 'copilot' });
    expect(await run()).toMatch(text);
    expect(await run('--agent-cmd', 'none {prompt}')).not.toContain('does not wait');
    await config({ agent: 'opencode' });
    expect(await run()).not.toContain('does not wait');
    await sprintOf(here.root, [{ id: 'a', file: 'a.md', agent: 'copilot' }]);
    expect(await run()).toMatch(text);
    expect(JSON.parse(await status('--json'))).toMatchObject({
      mistrusted: [
        { seenBy: 'doctor', agent: 'copilot', version: '1.0.102', why: 'it ran a command that was denied' },
      ],
    });
    // Started otherwise, it is another one.
    await config({}, { args: ['--log'] });
    expect(await run('--agent', 'copilot')).not.toContain('does not wait');
    expect(await status()).not.toContain('does not wait');
    expect(await here.starts()).toHaveLength(1);
  });

  it('is in a log of its own, by which no agent is left when it is killed', async () => {
    const { here, TMPDIR, running } = await hangingProof();
    await untilFile(`${here.startsFile}.hangs`);
    const [start] = await here.starts();
    // By then it is guarded.
    await expect.poll(() => loggedIn(TMPDIR)).toContain('agent.started');
    running.kill('SIGKILL');
    await running.ended;
    await expect.poll(() => start && isRunning(start.pid), { timeout: 10_000 }).toBe(false);
  });
});

/** A proof that has a folder of its own for what is temporary, with an agent that hangs. */
async function hangingProof() {
  const here = await scene('hanging');
  const TMPDIR = join(here.root, 'tmp');
  await mkdir(TMPDIR);
  const running = startClifford(['doctor', '--approvals'], { cwd: here.root, env: { ...here.env, TMPDIR } });
  return { here, TMPDIR, running };
}

/** The log of the only proof that is under way. */
async function loggedIn(temporary: string): Promise<string> {
  const place = (await readdir(temporary)).find((name) => name.startsWith('clifford-proof-')) ?? '';
  const log = join(temporary, place, 'home/project/.clifford/events.jsonl');
  return readFile(log, 'utf8').catch(() => '');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
