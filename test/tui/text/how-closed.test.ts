import { describe, expect, it } from 'vitest';
import { howClosed } from '../../../src/tui/text/how-closed.ts';

const asked = { question: 'Which one?', origin: { agent: 'run-1' } };
const at = '2026-01-31T12:00:00.000Z';

describe('howClosed', () => {
  it.each([
    [
      { answer: { response: 'the old\n\u001B[2Jone', by: 'bob', via: 'web', at } },
      'bob answered, in the browser: the old one',
    ],
    [
      { answer: { response: 'not now', rejected: true as const, by: 'bob', via: 'cli', at } },
      'bob rejected it, in the shell: not now',
    ],
    [
      {
        answer: {
          response: 'yes',
          verdict: 'approved' as const,
          scope: 'once' as const,
          by: 'bob',
          via: 'cli',
          at,
        },
      },
      'bob allowed the call, in the shell',
    ],
    [
      {
        answer: {
          response: 'ok',
          verdict: 'approved' as const,
          scope: 'always' as const,
          by: 'bob',
          via: 'cli',
          at,
        },
      },
      'bob allowed the call (always), in the shell: ok',
    ],
    [
      { answer: { response: 'no', verdict: 'denied' as const, by: 'agent:run-7', via: 'cli', at } },
      'an agent (run-7), no human, denied the call, in the shell',
    ],
    [
      { answer: { response: 'no', verdict: 'denied' as const, by: 'bob', via: 'web', at } },
      'bob denied the call, in the browser',
    ],
    [
      { answer: { response: 'not there', verdict: 'denied' as const, by: 'bob', via: 'cli', at } },
      'bob denied the call, in the shell: not there',
    ],
    [
      { answer: { response: 'the old one', by: 'ada', via: 'tui', at } },
      'ada answered, on the screen: the old one',
    ],
    [
      { answer: { response: ' ', rephrase: true as const, by: 'ada', via: 'web', at } },
      'ada asked to rephrase it, in the browser',
    ],
    [{ dismissal: { by: 'bob', via: 'cli', at } }, 'bob dismissed the question, in the shell'],
    [
      { dismissal: { by: 'agent', via: 'mcp', reason: 'task completed', at } },
      'agent dismissed the question, through mcp: task completed',
    ],
  ])('%j', (request, text) => {
    expect(howClosed({ asked: { ...asked, kind: 'help' }, ...request })).toBe(text);
  });

  it('does not tell what was typed at a prompt', () => {
    const answer = { response: 'sonnen_blume9', by: 'bob', via: 'web', at };
    expect(howClosed({ asked: { ...asked, kind: 'prompt' }, answer })).toBe(
      "bob answered, in the browser: [not shown: it answers a program's prompt]",
    );
  });
});
