import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { digestOfFiles } from '../../scripts/bundle/digest-of-files.ts';
import { bundlePrograms } from '../../scripts/bundle/bundle-programs.ts';
import { digestOfFold } from '../../src/workflow/project/fold-digest.ts';

declare module 'vitest' {
  // Vitest has an interface to be added to.
  interface ProvidedContext {
    /** Where the bundled programs of test/fixtures are. */
    readonly fixtures: string;
  }
}

const repository = join(import.meta.dirname, '../..');
const sources = join(repository, 'test/fixtures');
const cache = join(repository, 'node_modules/.cache/test-fixtures');

type BundledFile = { readonly fileName: string; readonly code: string };

/** How long what nobody uses any more is kept, in ms: other runs may still start programs of it. */
const KEPT_MS = 24 * 60 * 60_000;

/** All that they can be made of. */
const INPUTS = [
  'src/**/*',
  'test/**/*.ts*',
  'scripts/bundle/**/*',
  'demo/**/*',
  'node_modules/.package-lock.json',
];

/** Bundles them before the tests, unless that was done with the same sources. */
export async function setup(project: TestProject): Promise<void> {
  const note = join(cache, `of-${await digestOfFiles(repository, INPUTS)}`);
  const made = await readFile(note, 'utf8').catch(() => undefined);
  const folder = made !== undefined && existsSync(made) ? made : await bundleFixtures();
  await writeFile(note, folder);
  // In use: other runs leave it.
  const now = new Date();
  await utimes(folder, now, now);
  project.provide('fixtures', folder);
}

/**
 * Bundles the programs of test/fixtures the way the package is built, for production: as sources, each start of one
 * would load two hundred files. What they are made of names their folder, so Node's compile cache serves later runs.
 *
 * @returns the folder, in which they have the places of their sources, as `.mjs`.
 */
export async function bundleFixtures(): Promise<string> {
  const names = await Array.fromAsync(glob('**/*.ts', { cwd: sources }), (file) => file.replace(/\.ts$/, ''));
  const bundled = await bundlePrograms({
    root: repository,
    sources: Object.fromEntries(names.toSorted().map((name) => [name, join('test/fixtures', `${name}.ts`)])),
    extension: '.mjs',
    define: {
      'process.env.NODE_ENV': '"production"',
      CLIFFORD_VERSION: '"0.0.0"',
      CLIFFORD_FOLD_DIGEST: JSON.stringify(digestOfFold(join(repository, 'src'))),
    },
  });
  const files = bundled.flatMap(withCompileCache);
  const digest = createHash('sha256');
  for (const { fileName, code } of files) digest.update(`${fileName} ${code.length}\n${code}`);
  const folder = join(cache, digest.digest('hex').slice(0, 16));
  if (!existsSync(folder)) await writeAtOnce(folder, files);
  await removeOld(folder);
  return folder;
}

/**
 * A program that loads more than itself compiles nothing twice, also where it gets an environment that does not tell it
 * where to keep that, like servers from the gateway: what is imported statically is compiled before it can say so.
 */
function withCompileCache({ fileName, code }: BundledFile): BundledFile[] {
  if (!fileName.startsWith('mcp-servers/') || !code.includes('/chunks/')) return [{ fileName, code }];
  const program = fileName.replace(/\.mjs$/, '.program.mjs');
  const launcher = [
    "import module from 'node:module';",
    `module.enableCompileCache(${JSON.stringify(join(repository, 'node_modules/.cache/compiled'))});`,
    `await import('./${basename(program)}');`,
  ];
  return [
    { fileName, code: `${launcher.join('\n')}\n` },
    { fileName: program, code },
  ];
}

/** Other runs see all of the files, or none. */
async function writeAtOnce(folder: string, files: readonly BundledFile[]): Promise<void> {
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, 'fresh-'));
  for (const { fileName, code } of files) {
    await mkdir(dirname(join(fresh, fileName)), { recursive: true });
    await writeFile(join(fresh, fileName), code);
  }
  try {
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true });
    // Another run was faster with the same.
    if (!existsSync(folder)) throw error;
  }
}

async function removeOld(used: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    if (folder !== used && Date.now() - (await stat(folder)).mtimeMs > KEPT_MS)
      await rm(folder, { recursive: true, force: true });
  }
}
