import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ANY_PROMPT_QUIET_MS,
  detectPrompt,
  PROMPT_QUIET_MS,
} from '../../../src/runner/prompts/detect-prompt.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');
const quietMs = PROMPT_QUIET_MS;

const corpusSchema = z.array(
  z.object({
    by: z.string(),
    text: z.string(),
    kind: z.string(),
    options: z.array(z.string()).optional(),
    chosen: z.number().optional(),
  }),
);
const prompts = corpusSchema.parse(
  JSON.parse(await readFile(join(fixtures, 'prompts/prompts.json'), 'utf8')),
);
const ordinary = await Array.fromAsync(glob(join(fixtures, 'prompts/ordinary/*.txt')));
const recorded = await Array.fromAsync(glob(join(fixtures, 'agent-output/*/*.{jsonl,txt}')));

describe('a prompt', () => {
  it.each(prompts)('of $by is known', ({ text, kind, options = [], chosen }) => {
    const prompt = detectPrompt({ text, quietMs });
    expect(prompt).toMatchObject({ kind, options });
    expect(prompt?.chosen).toBe(chosen);
    expect(text).toContain(prompt?.question.split(' ', 1)[0]);
  });

  it('is one only once the output is quiet', () => {
    for (const { text } of prompts) expect(detectPrompt({ text, quietMs: quietMs - 1 })).toBeUndefined();
  });

  it.each([
    'Project name: ',
    'Project name (my-app): ',
    'Name of the release: ',
    'What is your name? ',
    'Port [8080]: ',
    'Which port? ',
    'Port (default: 8080): ',
    'Registry [https://example.org] (y?): ',
    '端口：',
    '名前（例: shop）： ',
    'Wie heißt es？ ',
    '[1/3] Name: ',
    '(1/3)Name: ',
    '2nd name: ',
    '3 or 4? ',
    'Enter the code that was sent to your phone: ',
    'Which of these? ',
  ])('is any short line that asks, once nothing has come for long: %s', (text) => {
    expect(detectPrompt({ text: `before\n${text}`, quietMs: ANY_PROMPT_QUIET_MS })).toMatchObject({
      kind: 'text',
      isGuess: true,
    });
    expect(detectPrompt({ text, quietMs: ANY_PROMPT_QUIET_MS - 1 })).toBeUndefined();
    expect(detectPrompt({ text: `${text}\n`, quietMs: ANY_PROMPT_QUIET_MS })).toBeUndefined();
  });

  it.each(['Password > ', 'Password> ', 'Password= ', 'Enter your passphrase » ', 'PIN › '])(
    'of a secret with another mark is one, once nothing has come for long: %s',
    (text) => {
      expect(detectPrompt({ text: `before\n${text}`, quietMs: ANY_PROMPT_QUIET_MS })).toMatchObject({
        kind: 'secret',
        isGuess: true,
      });
      expect(detectPrompt({ text, quietMs: ANY_PROMPT_QUIET_MS - 1 })).toBeUndefined();
    },
  );

  it.each([
    'Compiling',
    'Password = ',
    'Password=',
    'const password = ',
    'password= ',
    'DB_PASSWORD= ',
    'Password => ',
    'Settings > Password > ',
    '  [Unknown]:  ',
    '  [no]:  ',
    'Running tests: ',
    'Let me check the following files: ',
    'What I found so far, and now add: ',
    'at 12:03: done',
    'const a = b ? c : ',
    '- what? ',
    'http://a: ',
    '[1/3] Installing: ',
    '1. Name: ',
    'Name (default: ',
    'Port (default: 8080) is 8080: 1: ',
  ])('is no other one: %s', (text) => {
    expect(detectPrompt({ text, quietMs: ANY_PROMPT_QUIET_MS })).toBeUndefined();
  });

  it('is none any more when its line was ended, or something came behind it', () => {
    const unfinished = prompts.filter(
      ({ text, kind }) => !text.endsWith('\n') && kind !== 'list' && kind !== 'key',
    );
    for (const { text, by } of unfinished.filter(({ text: line }) => !line.includes('continue connecting'))) {
      expect(detectPrompt({ text: `${text}\n`, quietMs }), by).toBeUndefined();
      expect(detectPrompt({ text: `${text}y\nok`, quietMs }), by).toBeUndefined();
    }
    for (const { text, by } of prompts)
      expect(detectPrompt({ text: `${text}\n\nnext line\n`, quietMs }), by).toBeUndefined();
  });
});

describe('ordinary text', () => {
  it.each(ordinary.map((file) => [relative(fixtures, file), file] as const))(
    '%s has no prompt, wherever it comes to a halt',
    async (_name, file) => {
      const text = await readFile(file, 'utf8');
      for (let end = 1; end <= text.length; end += 1) {
        const shown = text.slice(0, end);
        expect(detectPrompt({ text: shown, quietMs }), JSON.stringify(shown.slice(-80))).toBeUndefined();
      }
    },
  );

  it('that agent CLIs print has no prompt at the end of any line', async () => {
    expect(recorded.length).toBeGreaterThan(20);
    for (const file of recorded) {
      const lines = (await readFile(file, 'utf8')).split('\n');
      for (const [at, line] of lines.entries())
        for (const text of [line, `${line}\n`]) {
          const before = lines.slice(Math.max(0, at - 20), at).join('\n');
          expect(detectPrompt({ text: `${before}\n${text}`, quietMs }), `${file}:${at + 1}`).toBeUndefined();
        }
    }
  });
});
