import { describe, expect, it } from 'vitest';
import { AgentOutput } from '../../src/runner/output/agent-output.ts';
import { OutputDecoder } from '../../src/runner/output/output-decoder.ts';

describe('the output of an agent', () => {
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
});
