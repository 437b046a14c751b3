import { describe, expect, it } from 'vitest';
import type { PromptKind } from '../../../src/runner/prompts/prompt.ts';
import { echoOf, typedAnswer } from '../../../src/runner/prompts/typed-answer.ts';

const list = { kind: 'list', question: '?', options: ['npm', 'yarn', 'pnpm'], chosen: 1 } as const;
const answered = (response: string, option?: number) => ({ response, option, by: 'me', via: 'cli', at: '' });
const prompt = (kind: PromptKind) => ({ kind, question: '?', options: kind === 'choice' ? ['y', 'n'] : [] });

describe('what is typed for an answer', () => {
  it.each([
    ['choice', 'y', 'y\n', 'y\n'],
    ['choice', 'banane.apfel8', 'banane.apfel8\n', '\n'],
    ['text', '  two\nlines \n', 'two lines\n', '\n'],
    ['secret', 'correct horse', 'correct horse\n', '\n'],
    ['secret', '', '\n', '\n'],
    ['text', ' \u0000', '\n', '\n'],
    ['text', '\u200B', '\n', '\n'],
    ['text', 'a\u200Db', 'a\u200Db\n', '\n'],
    ['secret', 'cor\u0003rect\t\u001Bhorse\rno\u009B', 'correct\thorse no\n', '\n'],
    ['key', '\u0003', '\n', '\n'],
    ['key', 'go on', '\n', '\n'],
    ['key', 'q', 'q\n', '\n'],
  ] as const)('to a %s prompt, %j, is %j', (kind, response, typed, echo) => {
    expect(typedAnswer(prompt(kind), answered(response))).toBe(typed);
    expect(echoOf(prompt(kind), answered(response))).toBe(echo);
  });

  it('to a list is the way to the option, from the one that is chosen', () => {
    expect(typedAnswer(list, answered('npm', 0))).toBe('\u001B[A\r');
    expect(typedAnswer(list, answered('yarn', 1))).toBe('\r');
    expect(typedAnswer(list, answered('pnpm', 2))).toBe('\u001B[B\r');
    expect(typedAnswer(list, answered('bun'))).toBe('bun\n');
  });
});
