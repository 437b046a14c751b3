import { expect, it } from 'vitest';
import { openClifford } from '../helpers/clifford-screen.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { agentCmd, freshSprint, typesOf } from '../helpers/sprint-run.ts';

describeOnEachEngine('the overview', () => {
  it('a run begun in the overview whose terminal is closed while it is made ready starts no agent', async () => {
    const { root, project } = await freshSprint();
    const screen = openClifford([], { cwd: root, env: { CLIFFORD_AGENT_CMD: agentCmd('fail-or-hang') } });
    await screen.see('r run');
    screen.press('r');
    await screen.see('Enter run it · Esc');
    screen.press('\r');
    // The overview is gone, and the screen of the run not there yet.
    expect(await screen.becomes(() => screen.buffer() === 'normal')).toBe(true);
    process.emit('SIGHUP', 'SIGHUP');
    expect(await screen.exited).toBe(130);
    expect(await typesOf(project)).not.toContain('agent.started');
  });
});
