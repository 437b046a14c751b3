import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const licenseFile = /^(licen[cs]e|copying|notice)/i;

type Manifest = { name: string; version: string; license?: string };

/**
 * The licenses of all packages whose code was bundled, as one text.
 *
 * @param inputs - Bundled files relative to `root`: `node_modules/zod/v4/index.js`.
 * @throws {Error} when a package says nothing about its license.
 */
export async function thirdPartyLicenses(root: string, inputs: readonly string[]): Promise<string> {
  const folders = [...new Set(inputs.flatMap((input) => packageFolder(input) ?? []))].toSorted();
  const parts = await Promise.all(folders.map((folder) => licenseOf(join(root, folder))));
  return [`Clifford contains code of ${parts.length} other packages.\n`, ...parts].join(
    `\n${'='.repeat(80)}\n\n`,
  );
}

/** `node_modules/a/node_modules/@b/c/lib/d.js` → `node_modules/a/node_modules/@b/c`. */
function packageFolder(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

async function licenseOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const names = (await readdir(folder)).filter((name) => licenseFile.test(name)).toSorted();
  if (names.length === 0 && manifest.license === undefined) {
    throw new Error(
      `Cannot list the license of ${folder}: it has neither a license file nor a license field`,
    );
  }
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const title = `${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`;
  return [title, ...texts.map((text) => text.trim())].join('\n\n') + '\n';
}
