import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentOutput } from '../../../src/runner/output/agent-output.ts';
import type { OutputChannel } from '../../../src/lib/processes/start-group.ts';
import type { OutputParser } from '../../../src/runner/agents/agent-adapter.ts';
import { ANY_PROMPT_QUIET_MS, PROMPT_QUIET_MS } from '../../../src/runner/prompts/detect-prompt.ts';
import { PromptWatch } from '../../../src/runner/prompts/prompt-watch.ts';

/** Takes lines that begin with `{` for text that a model wrote. */
const parser: OutputParser = {
  line: (line) => (line.startsWith('{') ? [{ is: 'text', text: line }] : undefined),
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watching(reads?: OutputParser, isTypable = true) {
  const output = new AgentOutput(reads);
  let news = 0;
  const watch = new PromptWatch({
    unfinished: (channel) => output.unfinished(channel),
    isTypable: () => isTypable,
    onNews: () => {
      news += 1;
    },
  });
  const print = (text: string, channel: OutputChannel = 'stdout') =>
    watch.take(channel, output.take(channel, Buffer.from(text)));
  const question = () => watch.found?.question;
  return { watch, print, question, news: () => news, quiet: () => vi.advanceTimersByTime(PROMPT_QUIET_MS) };
}

describe('the prompts of an agent that prints plain text', () => {
  it('are found when it is quiet, on either channel, with what stands before', () => {
    for (const channel of ['stdout', 'stderr'] as const) {
      const { print, quiet, question, watch, news } = watching();
      print('one\ntwo\nCont', channel);
      vi.advanceTimersByTime(PROMPT_QUIET_MS - 1);
      print('inue? [y/N] ', channel);
      vi.advanceTimersByTime(PROMPT_QUIET_MS - 1);
      expect(question()).toBeUndefined();
      quiet();
      expect(watch.found).toMatchObject({ question: 'Continue? [y/N]', context: 'one\ntwo' });
      expect(news()).toBe(1);
    }
  });

  it('are found although no program is known to ask so, once nothing comes for long', () => {
    const { print, quiet, question } = watching();
    print('Project name (my-app): ');
    quiet();
    expect(question()).toBeUndefined();
    print('', 'stderr');
    vi.advanceTimersByTime(ANY_PROMPT_QUIET_MS - 1);
    expect(question()).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(question()).toBe('Project name (my-app):');
  });

  it('are only those that programs are known for where nothing can be typed, however long it is quiet', () => {
    const { print, quiet, question } = watching(undefined, false);
    print('Project name (my-app): ');
    vi.advanceTimersByTime(2 * ANY_PROMPT_QUIET_MS);
    expect(question()).toBeUndefined();
    print('\nContinue? [y/N] ');
    quiet();
    expect(question()).toBe('Continue? [y/N]');
  });

  it('are found although the other channel was the last', () => {
    const { print, quiet, question } = watching();
    print('Continue? [y/N] ');
    print('a warning\n', 'stderr');
    quiet();
    expect(question()).toBe('Continue? [y/N]');
  });

  it('are found once, and the next one behind it on the same line', () => {
    const { print, quiet, question, watch } = watching();
    print('Continue? [y/N] ');
    quiet();
    watch.noteAsked('q-1');
    watch.forget();
    quiet();
    expect(question()).toBeUndefined();
    print('Password: ');
    quiet();
    expect(question()).toBe('Password:');
  });

  it('go on by output on their channel that can be seen, not by the prompt drawn anew', () => {
    const { print, quiet, watch } = watching();
    print('Continue? [y/N] ');
    quiet();
    watch.noteAsked('q-1');
    print('\u001B[?25l');
    print('\r\u001B[KContinue? [y/N] ');
    print('heartbeat\n', 'stderr');
    expect(watch.found?.hasGoneOn).toBe(false);
    print('ok\n');
    expect(watch.found).toMatchObject({ requestId: 'q-1', hasGoneOn: true });
  });

  it('were none when it goes on before anybody was asked', () => {
    const { print, quiet, question } = watching();
    print('Continue? [y/N] ');
    quiet();
    print('ok\n');
    expect(question()).toBeUndefined();
  });

  it('are not looked for any more when it has ended', () => {
    const { print, quiet, question, watch } = watching();
    print('Continue? [y/N] ');
    watch.end();
    quiet();
    expect(question()).toBeUndefined();
  });
});

describe('the prompts of an agent that prints structured output', () => {
  it('are on stderr, and on lines of stdout that are not structured', () => {
    const onError = watching(parser);
    onError.print('Password: ', 'stderr');
    onError.quiet();
    expect(onError.question()).toBe('Password:');

    const among = watching(parser);
    among.print('{"a":1}\nInstalling…\nOk to proceed? (y) ');
    among.quiet();
    expect(among.watch.found).toMatchObject({ question: 'Ok to proceed? (y)', context: 'Installing…' });
    among.watch.forget();
    among.quiet();
    expect(among.question()).toBeUndefined();
    among.print('Overwrite? (y/n) ');
    among.quiet();
    expect(among.question()).toBe('Overwrite? (y/n)');
    among.watch.noteAsked('q-1');
    among.print('\n{"b":2}\n');
    expect(among.watch.found?.hasGoneOn).toBe(true);
  });

  it.each([
    ['ended', '\n'],
    ['ended, and structured output came', '\n{"b":2}\n'],
  ])('are found at the beginning of a line, also after a longer one has %s', (_what, end) => {
    const { print, quiet, question, watch } = watching(parser);
    print('Do you want to overwrite it? (y/n) ');
    quiet();
    watch.noteAsked('q-1');
    watch.forget();
    print(end);
    print('Password: ');
    quiet();
    expect(question()).toBe('Password:');
  });

  it('are never in what its model wrote, nor before it', () => {
    const { print, quiet, question } = watching(parser);
    print('{"text":"Continue? [y/N] ');
    quiet();
    expect(question()).toBeUndefined();
    print('"}\nPress any key to continue\n');
    print('{"text":"Press any key to continue"}\n');
    quiet();
    expect(question()).toBeUndefined();
    print('Press any key to continue\n{"text":"Press any key to continue"}\n');
    quiet();
    expect(question()).toBeUndefined();
  });
});
