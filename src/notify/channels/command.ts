import { runGroup } from '../../lib/processes/run-group.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { channel, type CallOutcome } from '../channel.ts';
import type { Notice } from '../notice.ts';

/** How long the program may take, in ms. */
const LIMIT_MS = 10_000;
const MAX_SAID = 200;
const MAX_KEPT = 4 * MAX_SAID;

/** A program of the user's: without a shell, in the project's root, ended with all it has started when it takes too long. */
export const command = channel('command', {
  reach: 'anywhere',
  open(argv, { env, root }) {
    const [file, ...args] = argv ?? [];
    if (file === undefined) return { off: 'no notify.command is configured' };
    return {
      async call(notice, signal): Promise<CallOutcome> {
        let said = '';
        let isCut = false;
        const end = await runGroup({
          file,
          args: args.map((arg) => argumentOf(arg, notice)),
          cwd: root,
          env: { ...env, ...variablesOf(notice) },
          input: `${JSON.stringify(notice)}\n`,
          signal,
          limitMs: LIMIT_MS,
          onOutput: (_channel, chunk) => {
            said += chunk.toString('utf8');
            isCut ||= said.length > MAX_KEPT;
            said = said.slice(-MAX_KEPT);
          },
        });
        if (end.code === 0) return { done: `${file} ended with exit code 0` };
        // Of a part of a secret nobody could tell that it is one.
        const words = isCut ? said.replace(/^\S*/, '') : said;
        const last = cleanLine(words.trim().split('\n').at(-1) ?? '', MAX_SAID);
        return { problem: `notify.command (${file}) ${end.how}${last === '' ? '' : `: ${last}`}` };
      },
    };
  },
});

/** Only a whole argument is replaced: within one, the text of an agent could be part of a program. */
function argumentOf(arg: string, { title, text }: Notice): string {
  const value = arg === '{title}' ? title : arg === '{text}' ? text : undefined;
  if (value === undefined) return arg;
  // It is no flag.
  return value.startsWith('-') ? ` ${value}` : value;
}

function variablesOf(notice: Notice): Record<string, string> {
  // Each of them is always set: what is in the environment of Clifford is no other one's.
  const all = Object.entries({ task: '', request: '', ...notice });
  return Object.fromEntries(
    all.map(([name, value]) => [`CLIFFORD_NOTIFY_${name.toUpperCase()}`, String(value)]),
  );
}
