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
    onTestFinished(screen.kill);
    await screen.see('r run');
    screen.press('r');
    await screen.see('Enter run it · Esc');
    screen.press('\r');
    // The overview is gone, and the screen of the run not there yet.
    expect(await screen.becomes(() => screen.buffer() === 'normal')).toBe(true);
    screen.hangUp();
    await screen.exited;
    expect(await typesOf(project)).not.toContain('agent.started');
  });
});
