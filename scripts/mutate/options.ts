import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ROOMS } from './drawn-files.ts';

/** What `npm run mutate` is asked for. */
export type Options = {
  /** Mutants that are drawn. */
  readonly count: number;
  /** The same seed draws the same mutants from the same sources. */
  readonly seed: number;
  /** Minutes after which no other mutant is begun. */
  readonly minutes: number;
  /** Mutants that are tried at the same time. */
  readonly jobs: number;
  /** Rooms of `src/` that they are drawn from. */
  readonly rooms: readonly string[];
  /** Files with tables of mutants that are not drawn. */
  readonly except: readonly string[];
  /** Whether only the nearest tests are asked. */
  readonly quick: boolean;
  /** Whether the survivors of the seed are tried, instead of fresh ones. */
  readonly again: boolean;
};

/** How it is called. */
export const HELP = `Usage: npm run mutate -- [options]

Changes one place of the sources at a time and looks whether a test notices. A sample,
drawn by its seed; results are kept, and the same seed goes on where it was left.
Ctrl-C stops it and removes its copies of the repository.

  --count N        how many are drawn (100)
  --seed N         which ones are drawn (1)
  --room NAME      from this room of src/ only; can be given several times
  --except FILE    leaves out what a table of survivors names; can be given several times
  --minutes N      begins no other one after this time (60)
  --jobs N         how many are tried at the same time (${availableParallelism()}, one for each core)
  --quick          asks the nearest tests only
  --again          tries the survivors of this seed once more, with all their tests
  --help           prints this

Rooms: ${ROOMS.join(', ')}.
`;

/**
 * Reads the arguments; `undefined`: the help is asked for.
 *
 * @throws Error when one is unknown or has no such value. Its message is one line.
 */
export function optionsOf(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      room: { type: 'string', multiple: true, default: [...ROOMS] },
      except: { type: 'string', multiple: true, default: [] },
      minutes: { type: 'string', default: '60' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      quick: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const unknown = values.room.find((room) => !ROOMS.some((each) => each === room));
  if (unknown !== undefined) throw new Error(`--room ${unknown}: rooms are ${ROOMS.join(', ')}`);
  return {
    count: number('count', values.count, 1),
    seed: number('seed', values.seed, 0),
    minutes: number('minutes', values.minutes, 1),
    jobs: number('jobs', values.jobs, 1),
    rooms: values.room,
    except: values.except,
    quick: values.quick,
    again: values.again,
  };
}

function number(name: string, text: string, least: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least) return value;
  throw new Error(`--${name} ${text}: not a whole number from ${least} on`);
}
