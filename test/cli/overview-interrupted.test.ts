import { expect, it, onTestFinished } from 'vitest';
import { cliFile } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { agentCmd, freshSprint, typesOf } from '../helpers/sprint-run.ts';

describeOnEachEngine('the overview', () => {
  it('a run begun in the overview whose terminal is closed while it is made ready starts no agent', async () => {
    const { root, project } = await freshSprint();
    const env = { CLIFFORD_AGENT_CMD: agentCmd('fail-or-hang') };
    const screen = openPty(process.execPath, [cliFile], { cwd: root, env });
    // Told to end, and not killed: an agent it may have started ends with it.
    onTestFinished(async () => {
      screen.hangUp();
      await screen.exited;
    });
    await screen.see('r run');
    screen.press('r');
    await screen.see('Enter run it · Esc');
    screen.press('\r');
    // The overview is gone, and the screen of the run not there yet, or just come where the machine is slow.
    expect(await screen.becomes(() => screen.bytes().includes('\x1b[?1049l'))).toBe(true);
    screen.hangUp();
    await screen.exited;
    expect(await typesOf(project)).not.toContain('agent.started');
  });
});
