import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const built = join(import.meta.dirname, '../../../dist/page');

/** How the names of what the page is made of end, but for its pictures. */
const texts = ['.html', '.js', '.css', '.svg', '.webmanifest'];

/** Files of the page whose names end so. */
async function filesOf(...ends: string[]): Promise<{ readonly name: string; readonly text: string }[]> {
  const names = (await readdir(built, { recursive: true })).filter((name) => ends.includes(extname(name)));
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(built, name), 'utf8') })));
}

/** What has to be there before the page is drawn: its HTML, what that names, and what these scripts import. */
async function firstFiles(): Promise<readonly string[]> {
  const all = new Map((await filesOf(...texts)).map(({ name, text }) => [name, text]));
  const names = new Set(['index.html']);
  // What is added meanwhile is walked too.
  for (const name of names)
    for (const other of ledTo(name, all.get(name) ?? '')) names.add(join(dirname(name), other));
  return [...names].flatMap((name) => all.get(name) ?? []);
}

function ledTo(name: string, text: string): string[] {
  if (name.endsWith('.html')) return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to = '']) => to);
  if (!name.endsWith('.js')) return [];
  const { staticImports, staticExports } = parseSync(name, text).module;
  const exported = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest ?? []),
  );
  return [...staticImports.map(({ moduleRequest }) => moduleRequest), ...exported].map(({ value }) => value);
}

/** In bytes. */
function gzipped(files: readonly string[]): number {
  return files.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
}

describe('the page as it is built', () => {
  it('takes 150 kB at most, gzipped, before it is drawn, and 185 kB with all that is loaded later', async () => {
    const first = await firstFiles();
    // Its HTML, a script, its styles, and what says in which colours it begins.
    expect(first.length).toBeGreaterThan(3);
    expect(gzipped(first)).toBeLessThanOrEqual(150_000);
    expect(gzipped((await filesOf(...texts)).map(({ text }) => text))).toBeLessThanOrEqual(185_000);
  });

  it('has no script or style in its HTML, and names no address of another server', async () => {
    const [page] = await filesOf('.html');
    expect(page?.text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
    expect(page?.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    for (const { name, text } of await filesOf('.css'))
      expect(text, name).not.toMatch(/@import|url\((?!["']?data:)/);
  });

  it('is kept by the browser with no part of its beginning missing, or not at all', async () => {
    const worker = await readFile(join(built, 'service-worker.js'), 'utf8');
    const names = [...(worker.match(/NEEDED=\[(.*?)\]/)?.[1] ?? '').matchAll(/`(.*?)`/g)].map(([, name]) =>
      name?.replace(/-[\w-]{8}(?=\.)/, ''),
    );
    expect(names).toHaveLength(4);
    // They stand in the order of their digests.
    expect(new Set(names)).toEqual(new Set(['./', './assets/index.css', './assets/index.js', './theme.js']));
  });

  it('makes no code out of text', async () => {
    for (const { name, text } of await filesOf('.js'))
      expect(text, name).not.toMatch(/\beval\(|new Function\(|dangerouslySetInnerHTML:/);
  });
});
