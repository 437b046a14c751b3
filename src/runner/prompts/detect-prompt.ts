import { stripVTControlCharacters } from 'node:util';
import { drawnPrompt } from './drawn-prompt.ts';
import { choicesOf, linePrompt } from './line-prompts.ts';
import type { Prompt } from './prompt.ts';

/** How long an output has to be quiet before its end is taken for a prompt, in ms. */
export const PROMPT_QUIET_MS = 1_500;

/** The end of an output. */
export type OutputEnd = {
  /** What came since the last prompt. */
  readonly text: string;
  /** What came before. */
  readonly before?: string;
  /** How long nothing has come. */
  readonly quietMs: number;
};

/**
 * The question that an output ends with, if the program that wrote it seems to wait for an answer: its last
 * line is like those that programs ask with, has no end but for the few that have one, and nothing comes.
 */
export function detectPrompt({ text, before = '', quietMs }: OutputEnd): Prompt | undefined {
  if (quietMs < PROMPT_QUIET_MS) return undefined;
  const lines = plainLines(text);
  const drawn = drawnPrompt(lines);
  if (drawn) return drawn;
  const isFinished = lines.at(-1)?.trim() === '';
  const line = isFinished ? lines.findLast((each) => each.trim() !== '') : lines.at(-1);
  // An empty line behind it: the program went on.
  if (line === undefined || (isFinished && lines.at(-2) !== line)) return undefined;
  const kind = linePrompt(line, { isFinished, before: `${before}\n${lines.slice(0, -1).join('\n')}` });
  if (kind === undefined) return undefined;
  return { kind, question: line.trim(), options: kind === 'choice' ? choicesOf(line) : [] };
}

/** The lines of an output as a terminal shows them, the unfinished one last. */
export function plainLines(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(/\r?\n/)
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1));
}
