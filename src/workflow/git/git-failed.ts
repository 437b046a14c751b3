import { shellWord } from '../../lib/text/shell-word.ts';
import { uncommitted, type Trouble } from './uncommitted.ts';

/** What git prints where the machine, and not what is in the files, keeps it from its work, and what helps. */
const causes: readonly {
  readonly trouble: Trouble;
  readonly said: RegExp;
  /** @param found - What the pattern has taken of it. */
  readonly fix: (found: string) => string;
}[] = [
  {
    trouble: 'disk',
    said: /No space left on device|Out of diskspace|Disk quota exceeded/,
    fix: () => 'Make room on the disk, and try it again',
  },
  {
    trouble: 'lock',
    said: /Unable to create '(.+\.lock)': File exists/,
    fix: (file) => `When no git is at work there, remove what one has left with: rm ${shellWord(file)}`,
  },
  {
    trouble: 'permission',
    said: /Permission denied|insufficient permission|Read-only file system|Operation not permitted/,
    fix: () => 'Make it writable for this user, and try it again',
  },
  {
    trouble: 'signature',
    said: /failed to sign the data|gpg failed|Couldn't (?:load public key|find key)|signing failed/i,
    fix: () =>
      'Make the key ready that git signs with, or have it not sign with: git config commit.gpgSign false',
  },
];

/** What is done about a failure of git of which nothing else is known. */
const OTHER = 'See to it, and try it again';

/**
 * Why a command of git has not done what it was to do.
 *
 * @param how - How it ended, with what it printed last.
 * @param fix - What to do about it, unless it is the machine's fault.
 */
export function gitFailed(how: string, fix = OTHER): ReturnType<typeof uncommitted> {
  for (const cause of causes) {
    const found = cause.said.exec(how);
    if (found) return uncommitted(how, cause.fix(found[1] ?? ''), cause.trouble);
  }
  return uncommitted(how, fix);
}
