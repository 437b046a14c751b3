import { StringDecoder } from 'node:string_decoder';
import { parseArgsStringToArgv } from 'string-argv';
import { withoutSequences } from '../../lib/text/without-sequences.ts';
import { runGroup, type GroupEnd, type GroupStart } from '../../lib/processes/run-group.ts';

/** How a command ended. */
export type CommandEnd = GroupEnd & {
  /** The end of what it printed, without colours. */
  readonly output: string;
};

/** Where and how long a command may run. */
export type CommandPlace = Pick<GroupStart, 'cwd' | 'env' | 'signal' | 'limitMs'>;

/** Most of the output that is kept, in UTF-16 units. */
const KEEP = 16_000;

/** Runs one command line, quotes but no shell. Nothing of its process group is left when it returns. */
export async function runCommand(command: string, place: CommandPlace): Promise<CommandEnd> {
  const [file, ...args] = parseArgsStringToArgv(command);
  if (file === undefined) return { code: null, isLate: false, how: 'is empty', durationMs: 0, output: '' };
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  let text = '';
  const end = await runGroup({
    ...place,
    file,
    args,
    onOutput: (channel, chunk) => {
      text = (text + decoders[channel].write(chunk)).slice(-KEEP);
    },
  });
  return { ...end, output: withoutSequences(text).trim() };
}
