import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { agentEvents } from '../../src/events/descriptors/agent-events.ts';
import { AgentOutput } from '../../src/runner/output/agent-output.ts';
import { OutputDecoder } from '../../src/runner/output/output-decoder.ts';

describe('the output of an agent', () => {
  it('shows of a log on stderr what was read from it, and keeps the rest', () => {
    const errorLine = (line: string) =>
      line.startsWith('ERROR') ? [{ is: 'limit', message: 'no more' } as const] : [];
    const logged = 'WARN slow\nERROR 429\n';
    const log = new AgentOutput({ line: () => [], errorLine, logsOnStderr: true });
    expect(log.take('stderr', Buffer.from(logged))).toMatchObject({ text: '✗ no more\n', kept: logged });
    const other = new AgentOutput({ line: () => [], errorLine }).take('stderr', Buffer.from(logged));
    expect(other.text).toBe(logged);
    expect(other.kept).toBeUndefined();
  });

  it.each(['stdout', 'stderr'] as const)(
    'is read to its end, also a last line of %s without one',
    (channel) => {
      const line = (text: string) => [{ is: 'error', class: 'other', message: text } as const];
      const output = new AgentOutput({ line, errorLine: line });
      expect(output.take(channel, Buffer.from('one\ntw')).signals).toMatchObject([{ message: 'one' }]);
      output.take(channel, Buffer.from('o'));
      expect(output.rest().signals).toMatchObject([{ message: 'two' }]);
    },
  );

  it('has what has come of a line that may become a record, of stdout alone', () => {
    const output = new AgentOutput({ line: () => [], errorLine: () => [] });
    output.take('stdout', Buffer.from('{}\nPassword: '));
    output.take('stderr', Buffer.from('Token: '));
    expect([output.unfinished('stdout'), output.unfinished('stderr')]).toEqual(['Password: ', '']);
    const plain = new AgentOutput(undefined);
    // What is no record was told at once.
    expect(plain.take('stdout', Buffer.from('Password: ')).text).toBe('Password: ');
    expect(plain.unfinished('stdout')).toBe('');
  });

  it('is decoded across chunks, each channel by itself', () => {
    const output = new OutputDecoder();
    const bytes = Buffer.from('ä€😀');
    const texts = [...bytes].map((byte) => [
      output.decode('stdout', Uint8Array.of(byte)),
      output.decode('stderr', Uint8Array.of(byte)),
    ]);
    expect(texts.map(([text]) => text).join('')).toBe('ä€😀');
    expect(texts.map(([, text]) => text).join('')).toBe('ä€😀');
  });

  it('leaves its last lines of stderr, without colours', () => {
    const output = new OutputDecoder();
    output.decode('stderr', Buffer.from('one\ntwo\r\n\n\u001B[31mthree\u001B[0m\n'));
    output.decode('stdout', Buffer.from('not this\n'));
    output.decode('stderr', Buffer.from('four\n'));
    expect(output.lastWords()).toBe('two | three | four');
  });

  it('says of a program that has crashed what went wrong, not where', async () => {
    const code =
      "const go = () => { throw Object.assign(new Error('the port 8080 is taken'), { code: 'EADDRINUSE' }); }; go()";
    const crashed = promisify(execFile)(process.execPath, ['-e', code]);
    const { stderr } = await crashed.catch((error: unknown) => z.object({ stderr: z.string() }).parse(error));
    expect(stderr).toContain('    at ');
    const output = new OutputDecoder();
    output.decode('stderr', Buffer.from(`starting\n${stderr}`));
    expect(output.lastWords()).toBe("starting | Error: the port 8080 is taken | code: 'EADDRINUSE'");
  });

  it('says what little there is where that is all', () => {
    const output = new OutputDecoder();
    output.decode('stderr', Buffer.from('    at go (x.mjs:1:2)\n'));
    expect(output.lastWords()).toBe('at go (x.mjs:1:2)');
  });
});

describe('the line of the history about the end of an agent', () => {
  const ended = { runId: 'run-1', code: null, signal: 'SIGTERM', durationMs: 5_000 } as const;

  it('says once why it was ended', () => {
    const says = { call: () => '' };
    const text = (data: Parameters<(typeof agentEvents)['agent.exited']['text']>[0]) =>
      agentEvents['agent.exited'].text(data, says);
    expect(text({ ...ended, reason: 'turned' })).toBe('ended by SIGTERM after 5 s: its turn was over');
    const detail = 'the agent did not connect to Clifford: no key';
    expect(text({ ...ended, reason: 'unconnected', detail })).toBe(`ended by SIGTERM after 5 s: ${detail}`);
  });
});
