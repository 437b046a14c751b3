import { expect, it } from 'vitest';
import { agentLines } from '../../src/cli/text/agent-lines.ts';

it('what an agent writes is given out a line each, all lines of a text at once', () => {
  const given: [string, readonly string[]][] = [];
  const { take, end } = agentLines((task, lines) => given.push([task, lines]));
  const write = (text: string) => take({ task: 'a', runId: 'run-1', channel: 'stdout', text });
  write('one\r\ntwo\u001B[31m!\nth');
  write('ree\n');
  write('no end');
  expect(given).toEqual([
    ['a', ['one', 'two!']],
    ['a', ['three']],
  ]);
  end();
  expect(given.at(-1)).toEqual(['a', ['no end']]);
});
