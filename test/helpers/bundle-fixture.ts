import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, stop } from 'esbuild';

const require = createRequire(import.meta.url);

/**
 * Bundles a TypeScript program that Node cannot run as it is (it imports TSX) the way the package is
 * built, for production.
 */
export async function bundleFixture(source: string): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-fixture-'));
  const file = join(folder, 'program.mjs');
  await build({
    entryPoints: { program: source },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // Ink imports its developer tools only when they are asked for.
    splitting: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.12',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', CLIFFORD_VERSION: '"0.0.0"' },
    external: ['react-devtools-core'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [
      {
        // It finds its native builds beside itself.
        name: 'native',
        setup: (builder) =>
          builder.onResolve({ filter: /^fs-native-extensions$/ }, ({ path }) => ({
            path: require.resolve(path),
            external: true,
          })),
      },
    ],
    logLevel: 'warning',
  });
  // It keeps a process of its own.
  await stop();
  return { file, remove: () => rm(folder, { recursive: true }) };
}
