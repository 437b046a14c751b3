import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { rolldown, type OutputChunk, type Plugin } from 'rolldown';
import { digestOfFold } from '../src/workflow/project/fold-digest.ts';
import { bundlePrograms } from './bundle/bundle-programs.ts';

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

/** A launcher imports its program from where the other build puts it: `./main.ts` is `./main.js` in dist/. */
const leavePrograms: Plugin = {
  name: 'leave-programs',
  resolveId: (source) =>
    /^\.\/(main|serve-mcp)\.ts$/.test(source)
      ? { id: source.replace(/\.ts$/, '.js'), external: 'relative' }
      : null,
};

/**
 * Bundles our sources and their dependencies as ES modules for Node 22.12. Names and lines stay as written: a stack trace
 * in a bug report has to be readable.
 *
 * @returns the bundled files, relative to `root`.
 */
export async function bundle(options: { root: string; outdir: string; version: string }): Promise<string[]> {
  const { root, outdir } = options;
  const missing = Object.values({ ...programs, ...launchers }).filter(
    (source) => !existsSync(join(root, source)),
  );
  if (missing.length > 0) throw new Error(`Cannot bundle ${missing.join(', ')}: no such file`);

  const define = {
    'process.env.NODE_ENV': '"production"',
    CLIFFORD_VERSION: JSON.stringify(options.version),
    CLIFFORD_FOLD_DIGEST: JSON.stringify(digestOfFold(join(root, 'src'))),
  };
  const files = await Promise.all([
    bundlePrograms({ root, sources: programs, extension: '.js', define }),
    ...Object.entries(launchers).map(([name, source]) => bundleLauncher({ root, name, source, define })),
  ]);
  for (const { fileName, code } of files.flat()) {
    await mkdir(dirname(join(outdir, fileName)), { recursive: true });
    await writeFile(join(outdir, fileName), code);
  }
  await chmod(join(outdir, 'cli.js'), 0o755);
  const modules = files.flat().flatMap(({ moduleIds }) => moduleIds);
  return [...new Set(modules.filter((id) => !id.startsWith('\0')).map((id) => relative(root, id)))];
}

/** One file each, that also an old Node can read. */
async function bundleLauncher(options: {
  root: string;
  name: string;
  source: string;
  define: Readonly<Record<string, string>>;
}): Promise<OutputChunk[]> {
  const { root, name, source, define } = options;
  const bundle = await rolldown({
    cwd: root,
    input: { [name]: source },
    platform: 'node',
    transform: { target: 'node18', define: { ...define } },
    plugins: [leavePrograms],
    checks: { bundlerTimings: false },
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    return output.filter((file) => file.type === 'chunk');
  } finally {
    await bundle.close();
  }
}
