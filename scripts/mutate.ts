// Changes one line of the sources at a time and looks whether a test notices: what none notices is not tested, or not
// needed. `npm run mutate -- --help` says what it can be asked for.
import { execFile } from 'node:child_process';
import { appendFile, glob, mkdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { seededRandom } from '../test/helpers/random.ts';
import { isDrawn } from './mutate/drawn-files.ts';
import { applyTo, mutantsOf, parses } from './mutate/mutants-of.ts';
import { testFinder } from './mutate/nearest-tests.ts';
import { HELP, optionsOf, type Options } from './mutate/options.ts';
import { cell, isIn, rowsOf, sample, type Placed } from './mutate/sample.ts';
import { workCopy, type WorkCopy } from './mutate/work-copy.ts';

type Verdict = 'killed' | 'survived' | 'invalid';
type Result = Omit<Placed, 'start' | 'end'> & { readonly verdict: Verdict; readonly by: string };

const root = join(import.meta.dirname, '..');
/** How many of the nearest tests are tried before the programs are bundled for the rest. */
const NEAREST = 3;
/** How many tests are tried at most. */
const MOST = 30;
/** How long a run of tests may take, in ms: a machine that others use, too, is slow. */
const limitMs = (files: number) => 60_000 + files * 20_000;

const options = await optionsOrEnd();

const record = join(root, `node_modules/.cache/mutants/seed-${options.seed}.jsonl`);
const deadline = Date.now() + options.minutes * 60_000;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
await promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts')]);
const tests = await testFinder(root);
/** Whether a test file passes without any mutant: one that does not says nothing about them. */
const green = new Map<string, boolean>();

await mkdir(dirname(record), { recursive: true });
const all = await allMutants(options.rooms);
const known = await results();
const todo = options.again ? survivorsOf(known) : (await chosen()).filter((each) => !known.has(keyOf(each)));
let left = todo.length;
console.log(`${all.length} mutants, ${todo.length} to try; results in ${relative(root, record)}`);

const queue = todo.values();
await Promise.all(Array.from({ length: Math.min(options.jobs, left) }, () => work()));
report([...(await results()).values()]);

/** Ends with 0 after the help, and with 2 where it was called in a wrong way. */
async function optionsOrEnd(): Promise<Options> {
  try {
    const asked = optionsOf(process.argv.slice(2));
    if (asked) return asked;
    process.stdout.write(HELP);
    process.exit(0);
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    console.error(`mutate: ${line} (see --help)`);
    process.exit(2);
  }
}

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
  return sample(fresh, options.count, seededRandom(options.seed));
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
  // Of the copy: the sources themselves may be worked on meanwhile.
  const source = await copy.read(file);
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
    // Not before these, which most mutants do not get past, and not after the others, which take longer.
    if (!stop.signal.aborted && !(await copy.compiles()))
      return { verdict: 'invalid', by: 'is of wrong types' };
    if (options.quick) return { verdict: 'survived', by: 'the nearest tests' };
    isBundled = true;
    if (!(await copy.bundle())) return { verdict: 'invalid', by: 'cannot be bundled' };
    const late = await firstKiller(copy, others.slice(0, MOST - NEAREST), async (isBroken) => {
      await copy.write(file, isBroken ? broken : source);
      await copy.bundle();
    });
    return late === undefined ? { verdict: 'survived', by: 'all tried' } : { verdict: 'killed', by: late };
  } finally {
    await copy.write(file, source);
    if (isBundled) await copy.bundle();
  }
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
  while (rest.length > 0 && !stop.signal.aborted) {
    const outcome = await copy.test(rest, limitMs(rest.length));
    if (outcome.is === 'passed') return undefined;
    const failed = outcome.file ?? (rest.length === 1 ? rest[0] : undefined);
    if (failed === undefined) return firstOfEach(copy, rest, put);
    if (await isNoticed(copy, failed, outcome.isSlow, put)) return failed;
    rest = rest.filter((each) => each !== failed);
  }
  return undefined;
}

/** The same, one at a time: for a run that ended without a word about which of them it was. */
async function firstOfEach(
  copy: WorkCopy,
  files: readonly string[],
  put: (isBroken: boolean) => Promise<void>,
): Promise<string | undefined> {
  for (const file of files) {
    const killer = await firstKiller(copy, [file], put);
    if (killer !== undefined) return killer;
  }
  return undefined;
}

/** Whether the test that failed passes without the mutant and, where it only took too long, fails again with it. */
async function isNoticed(
  copy: WorkCopy,
  failed: string,
  isSlow: boolean,
  put: (isBroken: boolean) => Promise<void>,
): Promise<boolean> {
  const passes = async () => (await copy.test([failed], limitMs(1))).is === 'passed';
  await put(false);
  const passesWithout = green.get(failed) ?? (await passes());
  green.set(failed, passesWithout);
  await put(true);
  return passesWithout && !(isSlow && (await passes()));
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
