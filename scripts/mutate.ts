// Changes one line of the sources at a time and looks whether a test notices: what none notices is not tested, or not
// needed. A sample, drawn by --seed; the same seed goes on where it was left.
// --quick asks the nearest tests only, --again asks all about those that survived them. Ctrl-C stops it and removes its copies.
// npm run mutate -- --count 100 --seed 1 [--room events]... [--except TABLE.md]... [--minutes 30] [--jobs 2] [--quick] [--again]
import { appendFile, glob, mkdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../test/helpers/random.ts';
import { isDrawn, ROOMS } from './mutate/drawn-files.ts';
import { applyTo, mutantsOf, parses } from './mutate/mutants-of.ts';
import { testFinder } from './mutate/nearest-tests.ts';
import { cell, isIn, rowsOf, sample, type Placed } from './mutate/sample.ts';
import { workCopy, type Outcome, type WorkCopy } from './mutate/work-copy.ts';

type Verdict = 'killed' | 'survived' | 'invalid';
type Result = Omit<Placed, 'start' | 'end'> & { readonly verdict: Verdict; readonly by: string };

const root = join(import.meta.dirname, '..');
/** How many of the nearest tests are tried before the programs are bundled for the rest. */
const NEAREST = 3;
/** How many tests are tried at most. */
const MOST = 30;
/** For one run of tests, in ms: what hangs counts as noticed. */
const LIMIT_MS = 180_000;

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string', multiple: true, default: [...ROOMS] },
    except: { type: 'string', multiple: true, default: [] },
    minutes: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
});

const record = join(root, `node_modules/.cache/mutants/seed-${options.seed}.jsonl`);
const deadline = Date.now() + Number(options.minutes) * 60_000;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const tests = await testFinder(root);
/** Whether a test file passes without any mutant: one that does not says nothing about them. */
const green = new Map<string, boolean>();

await mkdir(dirname(record), { recursive: true });
const all = await allMutants(options.room);
const known = await results();
const todo = options.again ? survivorsOf(known) : (await chosen()).filter((each) => !known.has(keyOf(each)));
let left = todo.length;
console.log(`${all.length} mutants, ${todo.length} to try; results in ${relative(root, record)}`);

const queue = todo.values();
await Promise.all(Array.from({ length: Math.min(Number(options.jobs), left) }, () => work()));
report([...(await results()).values()]);

async function allMutants(rooms: readonly string[]): Promise<Placed[]> {
  const patterns = rooms.map((room) => `src/${room}/**/*.{ts,tsx}`);
  const files = await Array.fromAsync(glob(patterns, { cwd: root }));
  const placed: Placed[] = [];
  for (const file of files.toSorted().filter(isDrawn))
    for (const mutant of mutantsOf(file, await readFile(join(root, file), 'utf8')))
      placed.push({ ...mutant, file });
  return placed;
}

async function chosen(): Promise<readonly Placed[]> {
  const tables = await Promise.all(options.except.map(async (file) => readFile(file, 'utf8')));
  const rows = tables.flatMap(rowsOf);
  const fresh = all.filter((each) => !isIn(rows, each));
  return sample(fresh, Number(options.count), seededRandom(Number(options.seed)));
}

/** The last result of each mutant that was tried with this seed. */
async function results(): Promise<Map<string, Result>> {
  const text = await readFile(record, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => JSON.parse(line) as Result).map((result) => [keyOf(result), result]));
}

/** Those that survived, where they are in the sources of today. */
function survivorsOf(found: ReadonlyMap<string, Result>): Placed[] {
  const survived = [...found].filter(([, { verdict }]) => verdict === 'survived').map(([key]) => key);
  return all.filter((each) => survived.includes(keyOf(each)));
}

function keyOf({ file, line, kind, before, after }: Omit<Placed, 'start' | 'end'>): string {
  return [file, line, kind, before, after].join('\n');
}

async function work(): Promise<void> {
  const copy = await workCopy(root, stop.signal);
  try {
    for (const mutant of queue) {
      if (Date.now() > deadline || stop.signal.aborted) return;
      const began = Date.now();
      const { verdict, by } = await judge(copy, mutant);
      // A run that was stopped says nothing.
      if (stop.signal.aborted) return;
      const { start: _start, end: _end, ...rest } = mutant;
      await appendFile(record, `${JSON.stringify({ ...rest, verdict, by } satisfies Result)}\n`);
      left -= 1;
      const seconds = ((Date.now() - began) / 1000).toFixed(0);
      console.log(
        `${left} left: ${mutant.file}:${mutant.line} ${mutant.kind}: ${verdict} ${by} (${seconds} s)`,
      );
    }
  } finally {
    await copy.remove();
  }
}

async function judge(copy: WorkCopy, mutant: Placed): Promise<{ verdict: Verdict; by: string }> {
  const { file } = mutant;
  const source = await readFile(join(root, file), 'utf8');
  const broken = applyTo(source, mutant);
  if (!parses(file, broken)) return { verdict: 'invalid', by: 'cannot be parsed' };
  const nearest = tests.importing(file).slice(0, NEAREST);
  const others = tests.around(file).filter((each) => !nearest.includes(each));
  let isBundled = false;
  try {
    await copy.write(file, broken);
    // In two steps: each costs a start of Vitest, and most mutants end in the first.
    const soon = await firstKiller(copy, nearest, async (isBroken) => {
      await copy.write(file, isBroken ? broken : source);
    });
    if (soon !== undefined) return { verdict: 'killed', by: soon };
    if (options.quick) return await unnoticed(copy, 'the nearest tests');
    isBundled = true;
    if (!(await copy.bundle())) return { verdict: 'invalid', by: 'cannot be bundled' };
    const late = await firstKiller(copy, others.slice(0, MOST - NEAREST), async (isBroken) => {
      await copy.write(file, isBroken ? broken : source);
      await copy.bundle();
    });
    if (late !== undefined) return { verdict: 'killed', by: late };
    return await unnoticed(copy, 'all tried');
  } finally {
    await copy.write(file, source);
    if (isBundled) await copy.bundle();
  }
}

/** No test failed: does the compiler complain? It takes longer than most tests, so it comes last. */
async function unnoticed(copy: WorkCopy, by: string): Promise<{ verdict: Verdict; by: string }> {
  return (await copy.compiles())
    ? { verdict: 'survived', by }
    : { verdict: 'invalid', by: 'is of wrong types' };
}

/**
 * The first of the tests that fails with the mutant and passes without it.
 *
 * @param put writes the mutant, or the source as it is.
 */
async function firstKiller(
  copy: WorkCopy,
  files: readonly string[],
  put: (isBroken: boolean) => Promise<void>,
): Promise<string | undefined> {
  let rest = files;
  while (rest.length > 0) {
    const outcome: Outcome = await copy.test(rest, LIMIT_MS);
    if (outcome.is === 'passed') return undefined;
    if (outcome.is === 'late') return 'the time limit';
    const failed = outcome.file;
    if (failed === undefined) return 'the run';
    await put(false);
    let passes = green.get(failed);
    if (passes === undefined) {
      passes = (await copy.test([failed], LIMIT_MS)).is === 'passed';
      green.set(failed, passes);
    }
    if (passes) return failed;
    await put(true);
    rest = rest.filter((each) => each !== failed);
  }
  return undefined;
}

function report(found: readonly Result[]): void {
  const of = (verdict: Verdict) => found.filter((each) => each.verdict === verdict);
  const survivors = of('survived');
  console.log(
    `\n${found.length} tried, ${of('invalid').length} no program or of wrong types, ${of('killed').length} noticed, ${survivors.length} not:\n`,
  );
  console.log('| file:line | change | before | after |\n| --- | --- | --- | --- |');
  for (const { file, line, kind, before, after } of survivors)
    console.log(`| ${file}:${line} | ${kind} | ${cell(before)} | ${cell(after)} |`);
}
