import { describe, expect, it } from 'vitest';
import { knownAgents } from '../../../src/runner/agents/known-agents.ts';
import { parkAfter } from '../../../src/runner/plan/park-after.ts';
import { configSchema } from '../../../src/workflow/config/config-schema.ts';

const minutes = (config: object, resumes: boolean | 'untested', agent: string | undefined = 'mine') =>
  parkAfter(configSchema.parse(config), { agent, resumes }).minutes;

describe('an agent is parked', () => {
  it('after half an hour where it is known to go on with its session', () => {
    expect(minutes({}, true)).toBe(30);
    expect(minutes({ parkAfter: 0.5 }, true, undefined)).toBe(0.5);
    expect(minutes({ parkAfter: 0 }, true)).toBe(0);
  });

  it('never where it cannot, or nobody has tried', () => {
    for (const resumes of [false, 'untested'] as const) expect(minutes({ parkAfter: 5 }, resumes)).toBe(0);
  });

  it('as its own definition says, whatever else is said', () => {
    const agents = { mine: { parkAfter: 2 }, other: { parkAfter: 0 } };
    for (const resumes of [true, false, 'untested'] as const)
      expect(minutes({ parkAfter: 5, agents }, resumes)).toBe(2);
    expect(minutes({ parkAfter: 5, agents }, true, 'other')).toBe(0);
    expect(minutes({ parkAfter: 5, agents }, true, 'constructor')).toBe(5);
  });

  it('not by default over ACP where its sessions end with its process, nor where nobody has tried', () => {
    const { gemini, cursor } = knownAgents;
    expect([gemini.acp?.resumes, gemini.resumes, cursor.resumes]).toEqual([false, true, 'untested']);
  });
});
