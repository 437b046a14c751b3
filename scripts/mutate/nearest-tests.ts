import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { wholePrograms } from '../../test/helpers/whole-programs.ts';

/** Tests that start from elsewhere than `npm test`, or are about texts. */
const ASIDE = /^test\/(?:agents|faults|docs|fixtures)\/|^test\/architecture\.test\.ts$/;

/** Tests that try much at random or fill a terminal: tried when the others have noticed nothing. */
const LONG = /fuzz|random|crash|terminal|inspector|token-budget|everything/;

/** What finds the tests of a source. Paths are relative to the root. */
export type TestFinder = {
  /** Those that import it, over however many others: in the folder that mirrors its own, then nearest first. */
  readonly importing: (source: string) => readonly string[];
  /**
   * Those in the mirrored folder of `test/`, those of its room with words of its name in theirs, those that import it, the
   * others of its room. Many start programs.
   */
  readonly around: (source: string) => readonly string[];
};

/** Reads who imports whom in the folder `root`. */
export async function testFinder(root: string): Promise<TestFinder> {
  const files = await Array.fromAsync(glob('{src,test}/**/*.{ts,tsx}', { cwd: root }));
  const importers = new Map<string, string[]>();
  for (const file of files) {
    const source = await readFile(join(root, file), 'utf8');
    for (const path of importedBy(file, source).filter((each) => each.startsWith('.'))) {
      const imported = relative(root, join(root, dirname(file), path));
      if (existsSync(join(root, imported)))
        importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const isAside = (file: string) =>
    ASIDE.test(file) || wholePrograms.some((pattern) => matchesGlob(file, pattern));
  const tests = files.filter((file) => /\.test\.tsx?$/.test(file) && !isAside(file)).toSorted();
  const importing = (source: string) => {
    const seen = new Set([source]);
    // A set is visited in the order of what is added to it: nearest first.
    for (const file of seen) for (const next of importers.get(file) ?? []) seen.add(next);
    const all = [...seen].filter((file) => tests.includes(file));
    const quick = all.filter((file) => !LONG.test(file));
    const own = ownTest(source);
    const inFolder = alike(
      source,
      quick.filter((file) => dirname(file) === dirname(own)),
    );
    return [...new Set([...quick.filter((file) => file === own), ...inFolder, ...quick, ...all])];
  };
  const below = (folder: string) => tests.filter((file) => file.startsWith(`${folder}/`));
  const around = (source: string) => {
    const room = alike(source, below(`test/${source.split('/')[1] ?? ''}`));
    const named = room.filter((test) => sharedWords(source, test) > 0);
    const mirrored = alike(source, below(dirname(ownTest(source))));
    return [...new Set([...mirrored, ...named, ...importing(source), ...room])];
  };
  return { importing, around };
}

/** `test/events/secrets/redaction.test.ts` for `src/events/secrets/redaction.ts`. */
function ownTest(source: string): string {
  return source.replace(/^src/, 'test').replace(/\.(tsx?)$/, '.test.$1');
}

/** The tests, those with the most words of the source's name in theirs first. */
function alike(source: string, tests: readonly string[]): string[] {
  return tests.toSorted((one, other) => sharedWords(source, other) - sharedWords(source, one));
}

function sharedWords(source: string, test: string): number {
  const words = wordsOf(source);
  return wordsOf(test).filter((word) => words.includes(word)).length;
}

/** `agents`, `replay` and `lines` of `src/cli/agents/replay-lines.ts`. */
function wordsOf(path: string): string[] {
  const [, , ...names] = path.replace(/(?:\.test)?\.tsx?$/, '').split('/');
  return names.flatMap((name) => name.split(/[-.]/));
}

/** What is behind `from` and `import()`. An import of types alone runs nothing, and is left out. */
function importedBy(file: string, source: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module;
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((each) => each.moduleRequest?.value ?? [])),
    // Only its place is known: quotes included.
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
  ];
}
