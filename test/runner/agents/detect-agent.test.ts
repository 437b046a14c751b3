import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isSupported, versionIn } from '../../../src/runner/agents/agent-version.ts';
import { detectAgent } from '../../../src/runner/agents/detect-agent.ts';
import { opencode } from '../../../src/runner/agents/opencode/opencode.ts';
import { allGone } from '../../../src/lib/processes/terminate.ts';
import { fakePrograms } from '../../helpers/fake-programs.ts';

/** Looks for an OpenCode that is this script, as somebody with a home of their own. */
async function detect(
  script: string,
  options: { bin?: string; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const path = await fakePrograms({ opencode: script });
  const home = await mkdtemp(join(tmpdir(), 'clifford-test-home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = { HOME: home, PATH: `${path}:/usr/bin:/bin`, ASKED: join(home, 'asked') };
  const found = await detectAgent(opencode, {
    cwd: home,
    path,
    env,
    signal: new AbortController().signal,
    ...options,
  });
  return { found, path, home };
}

describe('an agent that is installed', () => {
  it('is found on the PATH, with its version', async () => {
    const { found, path } = await detect('echo "1.18.33 (OpenCode)"');
    expect(found).toEqual({
      agent: opencode,
      file: join(path, 'opencode'),
      version: '1.18.33',
      isSupported: true,
    });
  });

  it('is asked in a home of its own, which is thrown away', async () => {
    const { found, home } = await detect('mkdir -p "$HOME/.cache"; touch "$XDG_DATA_HOME-made"; echo 1.20.0');
    expect(found).toMatchObject({ version: '1.20.0', isSupported: true });
    expect(await readdir(home)).toEqual([]);
  });

  it('is asked in the real home when it says nothing elsewhere', async () => {
    const script = 'case "$HOME" in *clifford-test-home-*) echo 2.0.1;; *) echo "no shim" >&2; exit 1;; esac';
    expect((await detect(script)).found).toMatchObject({ version: '2.0.1', isSupported: false });
  });

  it('may not say its version', async () => {
    const { found } = await detect('echo "cannot start: no node" >&2; exit 127');
    expect(found).toMatchObject({ isSupported: false, problem: '--version says cannot start: no node' });
    expect(found?.version).toBeUndefined();
  });

  it('may say something that is not text', async () => {
    const { found } = await detect(String.raw`printf 'v\377\376'`);
    expect(found?.problem).toBe('--version says something that is not text');
  });

  it('may hang: it is asked once, and what it has started ends with it', async () => {
    const { found, home } = await detect('pwd >> "$ASKED"; sleep 60 & echo $! > "$ASKED.pid"; wait', {
      timeoutMs: 500,
    });
    expect(found).toMatchObject({ problem: 'it did not print its version within 500 ms', hangs: true });
    expect((await readFile(join(home, 'asked'), 'utf8')).trim().split('\n')).toHaveLength(1);
    const pid = Number(await readFile(join(home, 'asked.pid'), 'utf8'));
    expect(await allGone([pid], 0)).toBe(true);
  });

  it('is ended when nobody waits for it any more', async () => {
    const { found } = await detect('exec sleep 60', { signal: AbortSignal.abort() });
    expect(found?.problem).toMatch(/^--version was ended by SIG/);
  });

  it('may be somewhere else, or nowhere', async () => {
    const { found, path } = await detect('echo 1.18.40');
    expect((await detect('true', { bin: join(path, 'opencode') })).found?.version).toBe('1.18.40');
    expect(existsSync(found?.file ?? '')).toBe(true);
    expect((await detect('true', { bin: 'nobody' })).found).toBeUndefined();
  });
});

describe('a version', () => {
  it.each([
    ['codex-cli 0.169.0', '0.169.0'],
    ['2.1.330 (Claude Code)', '2.1.330'],
    ['2026.01.28-fd13201', '2026.01.28'],
    ['v3', undefined],
  ])('of %j is %j', (text, version) => {
    expect(versionIn(text)).toBe(version);
  });

  it.each([
    ['1.18.33', true],
    ['1.18.32', false],
    ['1.100.0', true],
    ['2.0.0', false],
    ['0.99.99', false],
  ])('%s is supported: %s', (version, expected) => {
    expect(isSupported(version, { from: '1.18.33', below: '2.0.0' })).toBe(expected);
  });
});
