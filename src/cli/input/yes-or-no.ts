import type { Cli } from '../cli.ts';
import { askLine } from './ask-line.ts';

/** What a person says: `stop` when they press Ctrl-C or Ctrl-D instead. */
export type YesOrNo = 'yes' | 'no' | 'stop';

/** Can somebody be asked here? */
export function canAsk({ stdin, stdout }: Pick<Cli, 'stdin' | 'stdout'>): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** Asks on the terminal. Only a yes is a yes. `signal`: nobody needs the answer any more, which is a `stop`. */
export async function yesOrNo(
  cli: Pick<Cli, 'stdin' | 'stdout'>,
  question: string,
  options: { signal?: AbortSignal } = {},
): Promise<YesOrNo> {
  const text = await askLine(cli, `${question} [y/N] `, options);
  if (text === undefined) return 'stop';
  return /^y(es)?$/i.test(text.trim()) ? 'yes' : 'no';
}
