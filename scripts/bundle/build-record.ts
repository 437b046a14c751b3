import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digestOfFiles } from './digest-of-files.ts';

/** All that dist/ is made of: our files, and which versions of packages are installed. */
const INPUTS = [
  'src/**/*',
  'demo/**/*',
  'scripts/**/*',
  'package.json',
  'tsconfig*.json',
  'node_modules/.package-lock.json',
];

const recordOf = (root: string) => join(root, 'node_modules/.cache/dist-built');

/** What dist/ would be made of now. */
export function inputsOf(root: string): Promise<string> {
  return digestOfFiles(root, INPUTS);
}

/** Whether dist/ is what was made of these inputs, to the byte. */
export async function isBuilt(root: string, inputs: string): Promise<boolean> {
  const record = await readFile(recordOf(root), 'utf8').catch(() => '');
  return record === `${inputs} ${await outputOf(root)}`;
}

/** Notes that dist/ was made of them. */
export async function noteBuilt(root: string, inputs: string): Promise<void> {
  await mkdir(dirname(recordOf(root)), { recursive: true });
  await writeFile(recordOf(root), `${inputs} ${await outputOf(root)}`);
}

function outputOf(root: string): Promise<string> {
  return digestOfFiles(join(root, 'dist'), ['**/*']);
}
