import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { commandName } from '../../lib/text/command-name.ts';
import { serveEditor } from '../../runner/editor/serve-editor.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { onInterrupt } from '../run/on-interrupt.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** Stands between the editor on the standard streams and an agent, until one of them leaves. */
export async function standBetween(
  cli: Cli,
  command: readonly string[],
  { name }: { readonly name?: string },
): Promise<void> {
  const [program = '', ...args] = command;
  const { env, cwd, by, stdin, stdout } = cli;
  const ended = Promise.withResolvers<void>();
  const release = onInterrupt(() => ended.resolve());
  const called = name ?? (commandName(command) || 'agent');
  const say = (text: string) => cli.warn(visibleLine(`clifford acp: ${text}`));
  try {
    const end = await serveEditor({
      command: [program, ...args],
      name: called,
      env,
      cwd,
      by,
      stdin,
      stdout,
      ended: ended.promise,
      report: (problem) => say(textOf(problem)),
    });
    if ('because' in end)
      return cli.endWith(end.because === 'ended' ? exitCodes.interrupted : exitCodes.done);
    const { code, signal } = end.exit;
    if (code === 0) return;
    say(code === null ? `${called} was ended by ${signal}` : `${called} ended with exit code ${code}`);
    cli.endWith(exitCodes.failed);
  } finally {
    release();
  }
}

function textOf(problem: unknown): string {
  return problem instanceof CliffordError ? problem.inOneLine : messageOf(problem);
}
