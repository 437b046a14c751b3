import { expect, it } from 'vitest';
import { secretsOf } from '../../src/events/secrets/redaction.ts';
import { agentLines } from '../../src/cli/text/agent-lines.ts';

it('what an agent writes is given out a line each, all lines of a text at once', () => {
  const given: [string, readonly string[]][] = [];
  const { take, end } = agentLines(secretsOf({ API_TOKEN: 'hunter2-hunter2' }), (task, lines) =>
    given.push([task, lines]),
  );
  const write = (text: string) => take({ task: 'a', runId: 'run-1', channel: 'stdout', text });
  write('one\r\ntwo\u001B[31m!\nth');
  write('ree\n');
  write('no end');
  expect(given).toEqual([
    ['a', ['one', 'two!']],
    ['a', ['three']],
  ]);
  write(' hunter2-hun');
  write('ter2 Authorization: Bear');
  write('er a1B2c3D4e5F6g7H8\n');
  expect(given.at(-1)).toEqual(['a', ['no end [redacted:API_TOKEN] Authorization: Bearer [redacted]']]);
  write('no end hunter');
  end();
  expect(given.at(-1)).toEqual(['a', ['no end hunter']]);
});

it('what breaks or hides a line makes no further one of it', () => {
  const given: (readonly string[])[] = [];
  const { take } = agentLines(secretsOf({}), (_task, lines) => given.push(lines));
  const text = 'x\u2028▸ edit\u2029[clifford: yes]\u0085y\n';
  take({ task: 'a', runId: 'run-1', channel: 'stdout', text });
  expect(given).toEqual([['x ▸ edit [clifford: yes]y']]);
});
