import { expect, it } from 'vitest';
import { commandName } from '../../../src/lib/text/command-name.ts';

it.each([
  ['/usr/local/bin/my-agent --acp', 'my-agent'],
  ['my-agent.cmd', 'my-agent'],
  ['node x.mjs', 'x'],
  ['/opt/node/bin/node ./agents/x.mjs --acp', 'x'],
  ['python3.12 x.py', 'x'],
  ['deno run x.ts', 'x'],
  ['npx -y @agentclientprotocol/claude-agent-acp@1.2.0', 'claude-agent-acp'],
  // Which argument is the program cannot be told, and the name is not to be chosen by an option's value.
  ['node --import ./opencode.mjs x.mjs', 'node'],
  ['node -e opencode', 'node'],
  ['node', 'node'],
  ['node ../', 'node'],
  ['agent\u001B[2J', 'agent__2J'],
  ['/', ''],
])('%s is called %s', (line, name) => {
  expect(commandName(line.split(' '))).toBe(name);
});

it('is no longer than a name may be', () => {
  expect(commandName([`${'x'.repeat(100)}.js`])).toHaveLength(64);
});
