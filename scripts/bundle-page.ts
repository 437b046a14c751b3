import { createHash } from 'node:crypto';
import { cp, glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { minifySync } from 'rolldown/utils';
import { build, type Rolldown } from 'vite';
import { leanMarkdown } from './bundle/lean-markdown.ts';

/** What the page is made of, besides the packages that the lock file pins. */
const SOURCES = [
  'src/{web,views,lib,machines,events}/**/*',
  'src/errors.ts',
  'scripts/bundle-page.ts',
  'scripts/bundle/lean-markdown.ts',
  'package-lock.json',
];

/** Beside a build that is kept: the files that it was made of. */
const FILES_OF_BUILD = 'inputs.json';

/**
 * Builds the page into `page/` of a folder. What was built before of the same sources is copied.
 *
 * @returns the bundled files, relative to `root`.
 */
export async function bundlePage(options: { root: string; outdir: string }): Promise<string[]> {
  const { root, outdir } = options;
  const cached = join(root, 'node_modules/.cache/page', await digestOf(root));
  const inputs = (await readInputs(cached)) ?? (await buildInto(root, cached));
  await cp(join(cached, 'page'), join(outdir, 'page'), { recursive: true });
  return inputs;
}

async function readInputs(folder: string): Promise<string[] | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, FILES_OF_BUILD), 'utf8')) as string[];
  } catch {
    // It was not built yet.
    return undefined;
  }
}

async function buildInto(root: string, cached: string): Promise<string[]> {
  await mkdir(dirname(cached), { recursive: true });
  const fresh = await mkdtemp(`${cached}-`);
  try {
    const inputs = await buildPage(root, join(fresh, 'page'));
    await writeFile(join(fresh, FILES_OF_BUILD), JSON.stringify(inputs));
    // Another build may have been first, with the same.
    await rm(cached, { recursive: true, force: true });
    await rename(fresh, cached);
    return inputs;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function buildPage(root: string, outDir: string): Promise<string[]> {
  const result = await build({
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    root: join(root, 'src/web/page'),
    base: './',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: [
        // A browser has these tables already, and links are those that the text marks as such: 26 kB of 150.
        { find: /^entities(\/.*)?$/, replacement: join(root, 'src/web/page/markdown/entities.ts') },
        { find: 'uc.micro', replacement: join(root, 'src/web/page/markdown/unicode-classes.ts') },
        { find: /^(mdurl|punycode\.js)$/, replacement: join(root, 'src/web/page/markdown/addresses.ts') },
        { find: 'linkify-it', replacement: join(root, 'src/web/page/markdown/no-linkify.ts') },
      ],
    },
    plugins: [leanMarkdown()],
    build: {
      outDir,
      emptyOutDir: true,
      target: ['chrome123', 'firefox121', 'safari17.5'],
      modulePreload: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      // What the page begins with is one file: smaller, and there at once.
      rolldownOptions: {
        checks: { bundlerTimings: false },
        output: { codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] } },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]) as Rolldown.RolldownOutput[];
  const chunks = outputs.flatMap(({ output }) => output.filter((file) => file.type === 'chunk'));
  await nameFiles(outDir, new Map(chunks.map(({ fileName, imports }) => [fileName, imports])));
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  return [...new Set(modules)].filter((id) => !id.startsWith('\0')).map((id) => relative(root, id));
}

/**
 * Tells the service worker which files the page is drawn with: it keeps them from the first visit on. Scripts and styles that the
 * HTML names, and what these scripts import, the page cannot do without.
 */
async function nameFiles(outDir: string, imports: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const html = await readFile(join(outDir, 'index.html'), 'utf8');
  const needed = new Set([
    '',
    ...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g).map(([, name]) => name ?? ''),
  ]);
  // What is added meanwhile is walked too.
  for (const name of needed) for (const imported of imports.get(name) ?? []) needed.add(imported);
  const others = (await Array.fromAsync(glob('**/*.*', { cwd: outDir })))
    .map((name) => name.split(sep).join('/'))
    .filter((name) => !needed.has(name) && name !== 'index.html' && name !== 'service-worker.js');
  const worker = join(outDir, 'service-worker.js');
  const { code } = minifySync(
    worker,
    withNames(withNames(await readFile(worker, 'utf8'), "['./']", [...needed]), '[]', others),
  );
  await writeFile(worker, code);
}

/** A script with names of files at the place of a list. @throws where there is no such place: nothing would be kept. */
function withNames(script: string, place: string, names: readonly string[]): string {
  const parts = script.split(`= ${place};`);
  if (parts.length !== 2) throw new Error(`Expected one "= ${place};" in the service worker`);
  return parts.join(`= ${JSON.stringify(names.toSorted().map((name) => `./${name}`))};`);
}

async function digestOf(root: string): Promise<string> {
  const files = (await Array.fromAsync(glob(SOURCES, { cwd: root, withFileTypes: true })))
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .toSorted();
  const texts = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const [at, file] of files.entries()) hash.update(`${relative(root, file)}\0`).update(texts[at] ?? '');
  return hash.digest('base64url').slice(0, 22);
}
