import console from 'node:console';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createAgentOutput, type AgentOutput } from '../../../src/tui/text/agent-output.ts';
import { FakeStdin } from '../../helpers/fake-terminal.ts';
import { showTestSprint } from '../../helpers/show-test-sprint.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { modesLeftOn } from '../../helpers/terminal-modes.ts';

it('a screen that cannot be drawn ends with what it failed with, and leaves the terminal as it was', async () => {
  vi.stubGlobal('console', console);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { project, stream } = await projectWithSprint({ tasks: ['parser'] });
  const broken = new Error('a drawing broke');
  const live: AgentOutput = {
    ...createAgentOutput(),
    read: () => {
      throw broken;
    },
  };
  const stdin = new FakeStdin();
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  const shown = showTestSprint(project, {
    stream,
    owner: false,
    live,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
  });
  await expect(shown).rejects.toBe(broken);
  stdout.end();
  expect(modesLeftOn(await text(stdout))).toEqual([]);
  expect(stdin.isRaw).toBe(false);
});
