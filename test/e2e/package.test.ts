import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, glob, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { documentation } from '../../src/package-file.ts';
import { nodeTooOld } from '../../src/require-node.ts';
import { version } from '../../src/version.ts';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const launchers = ['cli.js', 'mcp-entry.js'];

const manifest = z
  .object({
    version: z.string(),
    engines: z.object({ node: z.string() }),
    dependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));

type Outcome = { code: number | string | null | undefined; out: string; err: string };

function node(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, (error, out, err) => {
      resolve({ code: error === null ? 0 : error.code, out, err });
    });
    child.stdin?.end();
  });
}

/** Makes a launcher see another Node than the one it runs on. */
const pretend = (nodeVersion: string): string =>
  `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${nodeVersion}' } })`,
  )}`;

describe('nodeTooOld', () => {
  it.each(['22.12.0', '22.20.1', '23.0.0', '24.21.0'])('accepts Node %s', (running) => {
    expect(nodeTooOld(running)).toBeUndefined();
  });

  it.each(['18.20.4', '20.19.0', '22.11.9'])('says why Node %s will not do, in one line', (running) => {
    expect(nodeTooOld(running)).toBe(
      `Cannot start Clifford on Node ${running}: it needs Node 22.12 or newer. Install a newer Node and run it again`,
    );
  });

  it('asks for what package.json asks for', () => {
    expect(manifest.engines.node).toBe('>=22.12');
  });
});

describe.each(launchers)('dist/%s', (launcher) => {
  it('ends with 2 and one line on an old Node', async () => {
    const { code, out, err } = await node('--import', pretend('20.11.1'), join(dist, launcher));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(`${nodeTooOld('20.11.1')}\n`);
  });

  it('loads nothing an old Node may not have before it has looked', async () => {
    const text = await readFile(join(dist, launcher), 'utf8');
    const imports = [...text.matchAll(/^(?:import|export)\b.*?["']([^"']+)["'];$/gms)].map(
      ([, name]) => name,
    );
    expect(imports).toEqual(['node:module']);
  });
});

describe('the version', () => {
  it('is that of package.json, in the sources and in the build', async () => {
    expect(version).toBe(manifest.version);
    expect(await node(join(dist, 'cli.js'), '--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});

describe('the package', () => {
  let home: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'clifford-package-'));
    const installed = join(home, 'node_modules');
    await cp(dist, join(installed, 'clifford/dist'), { recursive: true });
    await cp(join(root, 'package.json'), join(installed, 'clifford/package.json'));
    for (const name of Object.keys(manifest.dependencies)) {
      await symlink(join(root, 'node_modules', name), join(installed, name));
    }
  });

  afterAll(() => rm(home, { recursive: true, force: true }));

  it.each(['index.js', 'main.js', 'serve-mcp.js'])(
    'loads dist/%s with nothing installed but its dependencies',
    async (file) => {
      const url = pathToFileURL(join(home, 'node_modules/clifford/dist', file)).href;
      const program = `await import(${JSON.stringify(url)}); process.exit(0)`;
      expect(await node('--input-type=module', '-e', program)).toEqual({ code: 0, out: '', err: '' });
    },
  );

  it('offers the server, the runner and the schemas of its files', async () => {
    const file = join(home, 'embedder.mjs');
    await writeFile(
      file,
      `import { CliffordError, CliffordMcpServer, SprintRunner } from 'clifford';
       import schema from 'clifford/clifford.schema.json' with { type: 'json' };
       import mcpSchema from 'clifford/mcp.schema.json' with { type: 'json' };
       const runner = new SprintRunner({ mcpStateDir: '.' });
       const refused = await runner.run().catch((error) => error instanceof CliffordError && error.code);
       console.log(typeof CliffordMcpServer, refused, Object.keys(schema.properties).includes('agents'));
       console.log(Object.keys(mcpSchema.properties).join());`,
    );
    expect(await node(file)).toEqual({
      code: 0,
      out: 'function STATE_DIR_INVALID true\n$schema,servers,mcpServers,policy\n',
      err: '',
    });
  });

  it('has types for embedders that need no other package', async () => {
    const file = join(home, 'embedder.ts');
    await writeFile(
      file,
      `import { SprintRunner } from 'clifford';
       import type { RunEnd, SprintRunnerEvents, SprintRunnerOptions } from 'clifford';
       const options: SprintRunnerOptions = { mcpStateDir: '.clifford', agent: 'quick', model: 'small', maxAttempts: 2 };
       const runner = new SprintRunner(options);
       runner.on('output', ({ task, text }) => console.log(task.length + text.length));
       runner.on('problem', (problem: SprintRunnerEvents['problem'][0]) => console.log(problem));
       const end: RunEnd = await runner.run();
       console.log(end.outcome === 'completed');`,
    );
    await symlink(join(root, 'node_modules/@types'), join(home, 'node_modules/@types'));
    await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module' }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      'node',
    ];
    expect(await node(tsc, ...flags, file)).toEqual({ code: 0, out: '', err: '' });
  });

  it('has every page that a message names, and no message names another file of the repository', async () => {
    const { files } = z
      .object({ files: z.array(z.string()) })
      .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
    expect(files).toContain('docs');
    const pages = new Set<string>();
    const names = (await readdir(join(root, 'docs'))).map((name) => name.replace(/\.md$/, ''));
    for await (const file of glob('src/**/*.{ts,tsx}', { cwd: root })) {
      const text = await readFile(join(root, file), 'utf8');
      for (const [, page = ''] of text.matchAll(/documentation\('(\w+)'\)/g)) pages.add(page);
      const code = text.replaceAll(/^\s*(?:\*|\/\/|\/\*\*).*$/gm, '');
      expect(code.replace('`docs/${page}.md`', ''), file).not.toMatch(
        new RegExp(`docs/(?:${names.join('|')})\\.md`),
      );
    }
    expect(pages.size).toBeGreaterThan(2);
    for (const page of pages) expect(existsSync(documentation(page as 'events')), page).toBe(true);
  });

  it('carries the licenses of what it bundles', async () => {
    const text = await readFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const bundled = /contains code of (\d+) other packages/.exec(text)?.[1];
    expect(text.match(/^={80}$/gm) ?? []).toHaveLength(Number(bundled));
  });
});
