import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { demoNotes } from '../helpers/demo-notes.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { logEnv } from '../helpers/log-env.ts';
import { cliFile, clifford, startClifford } from '../helpers/clifford-process.ts';
import { killAll, processesOf } from '../helpers/project-processes.ts';
import { openTestProject, tempRoot } from '../helpers/temp-project.ts';

// Its log is its own, in the file, also where that of the project one is in is on a server.
describeOnEachEngine('clifford demo without a terminal', () => {
  it('shows its question and its approval, decides both by itself, and ends with a summary', async () => {
    const root = join(await tempRoot(), 'demo');
    // Hooks of the user's, named where no repository can take them back: the demo's commits start none of them.
    const hooks = await tempRoot();
    const isHooked = join(hooks, 'hooked');
    await writeFile(join(hooks, 'post-commit'), `#!/bin/sh\ntouch '${isHooked}'\n`, { mode: 0o755 });
    const settings = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: hooks,
    };
    const { code, out, err } = await startClifford(['demo', '--keep', root], {
      cwd: '/',
      env: { CLIFFORD_DEMO_PACE_MS: '0', ...settings },
    }).ended;
    expect(existsSync(isHooked)).toBe(false);
    expect({ code, err }).toEqual({ code: 0, err: demoNotes });

    const isElsewhere = Object.keys(logEnv()).length > 0;
    const toReplay = `cd ${root} && ${isElsewhere ? 'CLIFFORD_LOG= ' : ''}${process.execPath} ${cliFile} replay`;
    const at = (text: string | RegExp) => out.search(text);
    const inOrder = [
      /module \| Checked it: Hello, Ada! Bonjour, Ada! Guten Tag, Ada! Hola, Ada!\n/,
      / {4}Which language should be the default\?\n[^]* {4}2\. french\n/,
      /\n\$ clifford answer q-\S+ --option french\n/,
      /help\.answered demo in the shell: french\n/,
      /program \| Wrote src\/hello\.mjs\. It says: Bonjour, Ada!\n/,
      /changelog \| Wrote CHANGELOG\.md\.\n/,
      / {4}Tool {6}release\/publish \(claims not believed\)\n/,
      /\n\$ clifford approve q-\S+\n/,
      /help\.answered demo allowed it \(once\) in the shell\n/,
      /changelog \| Published 1\.0\.0: published\/1\.0\.0\.md\n/,
      /\ndemo completed, 3 of 3 tasks done/,
      /\n {2}Time +[\d.]+ s from start to end\n.* waited for humans\n/,
      /\n {2}Decided +program: Which language should be the default\? → french \(demo\)\n/,
      /\n +changelog: release\/publish .* → allowed \(demo\)\n/,
      /\n {2}✔ done +module .*\n {2}✔ done +program .*\n {2}✔ done +changelog .*\n/,
      `\n  Record    ${join(root, '.clifford/events.jsonl')}\n`,
      /\n +\d+ events, verified: /,
      `\n  ${toReplay}\n`,
      `rm -r ${root}`,
    ].map(at);
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));

    const replayed = await promisify(execFile)('/bin/sh', ['-c', toReplay]);
    expect(replayed.stdout).toContain('sprint.completed');
    const others = await openTestProject(await tempRoot());
    expect(others.state.streams.size).toBe(0);

    const hello = (...args: string[]) =>
      promisify(execFile)(process.execPath, [join(root, 'src/hello.mjs'), ...args]).then(
        ({ stdout }) => stdout,
      );
    expect(await hello('Grace')).toBe('Bonjour, Grace!\n');
    expect(await hello('Grace', 'spanish')).toBe('Hola, Grace!\n');
    expect(await readFile(join(root, 'spec/decisions.md'), 'utf8')).toContain('the human said: french');
    expect(await readFile(join(root, 'published/1.0.0.md'), 'utf8')).toContain('Bonjour, Ada!');
    expect(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).toContain('`src/hello.mjs` (4 lines)');
  });
});

describe('clifford demo', () => {
  it('tries nothing again, whatever the user has configured: an agent that fails is its end', async () => {
    const home = await tempRoot();
    const [root, CLIFFORD_CONFIG] = [join(home, 'demo'), join(home, 'own.json')];
    await writeFile(CLIFFORD_CONFIG, '{ "maxAttempts": 3 }');
    const env = { CLIFFORD_DEMO_PACE_MS: '60000', CLIFFORD_CONFIG };
    const demo = startClifford(['demo', '--keep', root], { cwd: '/', env });
    await demo.printed(/agent\.connected/);
    expect(killAll(await processesOf(root, 'demo-agent.js'))).toBe(1);
    const isRetried = demo.printed(/task\.retried/).then(
      () => true,
      () => false,
    );
    expect(await isRetried).toBe(false);
    expect(await demo.ended).toMatchObject({ code: 1, out: expect.stringContaining('module failed') });
  });

  it('touches no folder that has something in it', async () => {
    const root = await tempRoot();
    const { code, err } = await clifford(['demo', '--keep', root], { cwd: '/' });
    expect(code).toBe(2);
    expect(err).toMatch(/the folder has to be empty\n {2}Name a folder that does not exist yet/);
  });
});
