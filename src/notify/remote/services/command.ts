import { runGroup } from '../../../lib/processes/run-group.ts';
import { cleanLine } from '../../../lib/text/hidden-characters.ts';
import type { Env } from '../../../workflow/project/who-calls.ts';
import { placeOf } from '../channel-place.ts';
import { DeliveryError } from '../delivery-error.ts';
import { bodyText, plainMessage, type Message } from '../message.ts';
import type { RemoteChannel } from '../remote-channel.ts';

/** How long the program may take, in ms. */
const LIMIT_MS = 10_000;
/** Of the message, where it is an argument or a variable, in UTF-16 units: the system takes 128 KiB, in UTF-8. */
const MAX_TEXT = 8_000;
const MAX_SAID = 200;
const MAX_KEPT = 4 * MAX_SAID;

/** What a program needs: itself and its arguments, the folder that it runs in, and its environment. */
export type CommandParts = {
  readonly name: string;
  readonly argv: readonly [file: string, ...args: string[]];
  readonly root: string;
  readonly env: Env;
};

/** Runs a program of the user's: without a shell, in the project's root, ended with its group of processes when it takes too long. */
export function command({ name, argv, root, env }: CommandParts): RemoteChannel {
  const [file, ...args] = argv;
  return {
    name,
    service: 'command',
    place: placeOf('command', ...argv),
    async send(message, signal) {
      let said = '';
      let isCut = false;
      const text = bodyText(message, MAX_TEXT);
      const end = await runGroup({
        file,
        args: args.map((arg) => argumentOf(arg, { title: message.title, text })),
        cwd: root,
        env: { ...env, ...variablesOf(message, text) },
        input: `${JSON.stringify(plainMessage(message))}\n`,
        signal,
        limitMs: LIMIT_MS,
        onOutput: (_channel, chunk) => {
          said += chunk.toString('utf8');
          isCut ||= said.length > MAX_KEPT;
          said = said.slice(-MAX_KEPT);
        },
      });
      const kind = `${file} ${end.how}`;
      if (end.code === 0) return { said: kind };
      // Of a part of a secret nobody could tell that it is one.
      const words = isCut ? said.replace(/^\S*/, '') : said;
      const last = cleanLine(words.trim().split('\n').at(-1) ?? '', MAX_SAID);
      throw new DeliveryError(`${kind}${last === '' ? '' : `: ${last}`}`, { kind });
    },
  };
}

/** Only a whole argument is replaced: within one, the text of an agent could be part of a program. */
function argumentOf(arg: string, { title, text }: { readonly title: string; readonly text: string }): string {
  const value = arg === '{title}' ? title : arg === '{text}' ? text : undefined;
  if (value === undefined) return arg;
  // It is no flag.
  return value.startsWith('-') ? ` ${value}` : value;
}

function variablesOf(
  { kind, title, project, sprint, task = '', request = '', link = '' }: Message,
  text: string,
): Record<string, string> {
  // Each of them is always set: what is in the environment of Clifford is no other one's.
  const all = Object.entries({ kind, title, text, project, sprint, task, request, link });
  return Object.fromEntries(all.map(([name, value]) => [`CLIFFORD_NOTIFY_${name.toUpperCase()}`, value]));
}
