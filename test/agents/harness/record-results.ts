import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';
import { agentClis } from './agent-clis.ts';
import { resultsFile, resultsSchema, type Results } from './results.ts';

/**
 * Writes down, with `RECORD_RESULTS=1`, which test passed with which agent in which way. What was not run this time is
 * kept, unless it is of other versions.
 */
export class RecordResults implements Reporter {
  readonly #seen: { readonly title: string; readonly way: string; readonly passed: boolean }[] = [];

  onTestCaseResult(test: TestCase): void {
    const [, name, via] = /(\w+) \((cli|acp)\)/.exec(test.fullName) ?? [];
    const { state } = test.result();
    if (name === undefined || via === undefined || state === 'skipped' || state === 'pending') return;
    this.#seen.push({ title: test.name, way: `${name} ${via}`, passed: state === 'passed' });
  }

  async onTestRunEnd(): Promise<void> {
    if (process.env['RECORD_RESULTS'] !== '1' || this.#seen.length === 0) return;
    const versions = await installedVersions();
    const before = await earlier(versions);
    const tests: Record<string, Record<string, boolean>> = { ...before.tests };
    for (const { title, way, passed } of this.#seen) tests[title] = { ...tests[title], [way]: passed };
    await writeFile(resultsFile, `${JSON.stringify({ versions, tests }, null, 2)}\n`);
  }
}

async function earlier(versions: Results['versions']): Promise<Results> {
  const text = await readFile(resultsFile, 'utf8').catch(() => '{}');
  const { data } = resultsSchema.safeParse(JSON.parse(text));
  const isSame = JSON.stringify(data?.versions) === JSON.stringify(versions);
  return data && isSame ? data : { versions, tests: {} };
}

async function installedVersions(): Promise<Results['versions']> {
  const folder = join(import.meta.dirname, '../node_modules');
  const packages = agentClis.flatMap(({ packageName, acpPackage }) => [
    packageName,
    ...(acpPackage ? [acpPackage] : []),
  ]);
  const entries = packages.map(async (name) => {
    const manifest: unknown = JSON.parse(await readFile(join(folder, name, 'package.json'), 'utf8'));
    const version = typeof manifest === 'object' && manifest && 'version' in manifest ? manifest.version : '';
    return [name, String(version)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
