import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build as esbuild, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { digestOfFold } from '../src/workflow/project/fold-digest.ts';

/** What dist/ offers besides the launchers, and the source each file is made from. */
const programs = {
  main: 'src/cli/main.ts',
  'serve-mcp': 'src/cli/serve-mcp.ts',
  index: 'src/index.ts',
  'demo-agent': 'demo/demo-agent.ts',
  'demo-server': 'demo/release-server.ts',
};

/** What starts first: checks Node, then imports its program. One small file each, also for old Nodes. */
const launchers = {
  cli: 'src/cli/entry.ts',
  'mcp-entry': 'src/cli/mcp-entry.ts',
};

/** CommonJS packages inside an ES module bundle call `require` for Node's own modules. */
const requireForCommonJs =
  "import { createRequire as createRequireOfBundle } from 'node:module';\n" +
  'const require = createRequireOfBundle(import.meta.url);';

/** A launcher imports its program from where the other build puts it: `./main.ts` is `./main.js` in dist/. */
const leavePrograms: Plugin = {
  name: 'leave-programs',
  setup(build) {
    build.onResolve({ filter: /^\.\/(main|serve-mcp)\.ts$/ }, ({ path }) => ({
      path: path.replace(/\.ts$/, '.js'),
      external: true,
    }));
  },
};

/**
 * Bundles our sources and their dependencies as ES modules for Node 22.12.
 *
 * Code that two programs share, or that is imported lazily, becomes a chunk of its own.
 *
 * @returns the bundled files, relative to `root`.
 */
export async function bundle(options: { root: string; outdir: string; version: string }): Promise<string[]> {
  const sources = Object.values({ ...programs, ...launchers });
  const missing = sources.filter((source) => !existsSync(join(options.root, source)));
  if (missing.length > 0) throw new Error(`Cannot bundle ${missing.join(', ')}: no such file`);

  const common = {
    absWorkingDir: options.root,
    outdir: options.outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    // Names and lines stay as written: a stack trace in a bug report has to be readable.
    minifySyntax: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      CLIFFORD_VERSION: JSON.stringify(options.version),
      CLIFFORD_FOLD_DIGEST: JSON.stringify(digestOfFold(join(options.root, 'src'))),
    },
    metafile: true,
    logLevel: 'warning',
  } as const satisfies BuildOptions;

  const metafiles: Metafile[] = await Promise.all([
    esbuild({
      ...common,
      entryPoints: programs,
      target: 'node22.12',
      jsx: 'automatic',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      // The first finds its native builds beside itself; Ink uses the second only where someone installed it.
      external: ['fs-native-extensions', 'react-devtools-core'],
      banner: { js: requireForCommonJs },
    }),
    esbuild({ ...common, entryPoints: launchers, target: 'node18', plugins: [leavePrograms] }),
  ]).then((results) => results.map(({ metafile }) => metafile));

  await chmod(join(options.outdir, 'cli.js'), 0o755);
  return [...new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs)))];
}
