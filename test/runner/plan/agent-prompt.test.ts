import { describe, expect, it } from 'vitest';
import { ownTools } from '../../../src/mcp/tools/own-tools.ts';
import { agentPrompt, PROMPT_TEMPLATE } from '../../../src/runner/plan/agent-prompt.ts';
import type { PromptFacts } from '../../../src/runner/plan/agent-prompt.ts';

const facts: PromptFacts = {
  taskId: 'form',
  taskFile: '/p/sprints/login/form.md',
  sprintName: 'Log in',
  sprintDir: '/p/sprints/login',
  projectRoot: '/p',
  isResumed: false,
};

describe('agentPrompt', () => {
  it('says where things are, and names the tools as the agent sees them', () => {
    const text = agentPrompt(facts, { toolName: (tool) => `mcp__clifford__${tool}` });
    expect(text).toContain('You work on task form of the sprint "Log in".');
    expect(text).toContain('\nTask file: /p/sprints/login/form.md\n');
    expect(text).toContain(
      '1. mcp__clifford__get_sprint_context {"sprintDir": "/p/sprints/login"}: call it first.',
    );
    expect(text).not.toMatch(/\{\w+\}/);
  });

  it('is made from the text of the project, in which what is no mark stays', () => {
    const template =
      'Do {task} ({taskFile}) with {request_help}; {model}, {}, { task }, {{task}}, $& and {"a": 1} stay.';
    expect(agentPrompt(facts, { template })).toBe(
      'Do form (/p/sprints/login/form.md) with request_help; {model}, {}, { task }, {form}, $& and {"a": 1} stay.',
    );
  });

  it('puts values between quotes as JSON has them, and no value in the place of another', () => {
    const odd = { ...facts, sprintDir: '/p/a "b"\\c', taskId: '{sprintDir}' };
    expect(agentPrompt(odd, { template: '{"dir": "{sprintDir}", "task": "{task}"} {sprintDir}' })).toBe(
      '{"dir": "/p/a \\"b\\"\\\\c", "task": "{sprintDir}"} /p/a "b"\\c',
    );
  });

  it('knows every tool that agents have', () => {
    const template = ownTools.map(({ name }) => `{${name}}`).join(' ');
    const text = agentPrompt(facts, { template, toolName: (tool) => tool.toUpperCase() });
    expect(text).toBe(ownTools.map(({ name }) => name.toUpperCase()).join(' '));
  });

  it('is a text of its own for an agent that goes on with its session', () => {
    const text = agentPrompt({ ...facts, isResumed: true }, { template: PROMPT_TEMPLATE });
    expect(text).toMatch(
      /^You were interrupted while you worked on task form of the sprint "Log in"\. Go on with it\./,
    );
    expect(text).toContain('Call get_sprint_context {"sprintDir": "/p/sprints/login"} first');
  });

  it('tells an agent without MCP of commands for its shell, and why it failed, when it goes on, too', () => {
    const again = { ...facts, isResumed: true, lastFailure: 'the agent exited with code 3' };
    const text = agentPrompt(again, { connects: false });
    expect(text).toMatch(/^You were interrupted while you worked on task form[^]*\nTask file: \/p\/sprints/);
    expect(text).toMatch(/clifford ask [^]*clifford task done[^]*clifford task fail --reason/);
    expect(text).toMatch(/\nThe attempt before this one failed: the agent exited with code 3\n$/);
    expect(agentPrompt(again, { connects: false, template: 'Do {task}.\n' })).toBe(text);
  });

  it('has the words of the project for an agent without MCP, and what nothing else could tell it', () => {
    const words = { connects: false, template: 'Do {task}.\n' };
    expect(agentPrompt({ ...facts, lastFailure: 'it was stopped' }, words)).toBe(
      'Do form.\n\nThe attempt before this one failed: it was stopped\n',
    );
  });

  it('is no list of tools for an agent whose exit code counts, where init has written that', () => {
    const text = agentPrompt(facts, { isDoneByExit: true, template: PROMPT_TEMPLATE });
    expect(text).toContain('end with exit code 0');
    expect(text).not.toContain('request_help');
  });
});

it('says to whom it offers tools that may not be taken why the attempt before has failed, and the task file, also to go on', () => {
  const resumed = { ...facts, lastFailure: 'no network', isResumed: true };
  const text = agentPrompt(resumed, { connects: 'perhaps' });
  expect(text).toContain('The attempt before this one failed: no network');
  expect(text).toContain('read the task file /p/sprints/login/form.md');
  expect(agentPrompt(resumed, { connects: true })).not.toContain('clifford task done');
});
