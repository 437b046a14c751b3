// Builds dist/, unless it is what would be built: bundles, declarations, the schemas of configuration files, licenses. A failed
// build leaves the dist of before untouched.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inputsOf, isBuilt, noteBuilt } from './bundle/build-record.ts';
import { bundle } from './bundle.ts';
import { bundlePage } from './bundle-page.ts';
import { checkDeclarations } from './check-declarations.ts';
import { configJsonSchema } from './config-json-schema.ts';
import { mcpJsonSchema } from './mcp-json-schema.ts';
import { pruneDeclarations } from './prune-declarations.ts';
import { thirdPartyLicenses } from './third-party-licenses.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const sources = await inputsOf(root);
if (await isBuilt(root, sources)) process.exit();
const { version, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
};

// Beside dist, not in the system's temporary folder: a rename works within one file system only.
const fresh = await mkdtemp(join(root, 'node_modules', '.clifford-dist-'));
const old = `${fresh}-old`;
try {
  const [inputs, page] = await Promise.all([
    bundle({ root, outdir: fresh, version }),
    bundlePage({ root, outdir: fresh }),
    emitDeclarations(fresh),
  ]);
  await pruneDeclarations(fresh, 'index.d.ts');
  await checkDeclarations(fresh, Object.keys(dependencies));
  await writeFile(
    join(fresh, 'THIRD-PARTY-LICENSES.txt'),
    await thirdPartyLicenses(root, [...inputs, ...page]),
  );
  await writeFile(join(fresh, 'clifford.schema.json'), configJsonSchema());
  await writeFile(join(fresh, 'mcp.schema.json'), mcpJsonSchema());
  await chmod(fresh, 0o755);
  // Moved aside, not removed first: programs are started from it meanwhile.
  if (existsSync(dist)) await rename(dist, old);
  await rename(fresh, dist);
  await noteBuilt(root, sources);
} finally {
  await rm(fresh, { recursive: true, force: true });
  await rm(old, { recursive: true, force: true });
}

/** Writes the `.d.ts` of `src/index.ts` and of every source behind it. */
async function emitDeclarations(outdir: string): Promise<void> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', outdir], {
      cwd: root,
    });
  } catch (cause) {
    // tsc reports on stdout.
    process.stderr.write((cause as { stdout?: string }).stdout ?? '');
    throw new Error('Cannot write the declarations: tsc -p tsconfig.build.json failed, see above', { cause });
  }
}
