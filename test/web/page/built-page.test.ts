import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const built = join(import.meta.dirname, '../../../dist/page');

/** Files that a browser loads to show the page. */
async function filesOf(...ends: string[]): Promise<{ readonly name: string; readonly text: string }[]> {
  const names = (await readdir(built, { recursive: true })).filter((name) => ends.includes(extname(name)));
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(built, name), 'utf8') })));
}

describe('the page as it is built', () => {
  it('takes 150 kB at most, gzipped, all files together that are loaded with a project’s page', async () => {
    const all = await filesOf('.html', '.js', '.css', '.svg', '.webmanifest');
    // The list of all projects has a page of its own, and what few look at is loaded when the first does.
    const files = all.filter(
      ({ name }) =>
        !/list-of-all|state-diagram|states-pane|task-pane|changes-pane|calls-pane|output-pane|past-output|past-bar|alike-form|about-pane|sprint-end|ask-first|beside|way-in|looks-secret|push-switch|scope-choice|edit-parts/.test(
          name,
        ),
    );
    expect([files.length > 4, all.length - files.length]).toEqual([true, 27]);
    const sizes = files.map(({ text }) => gzipSync(text, { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150_000);
  });

  it('has no script or style in its HTML, and names no address of another server', async () => {
    const [page] = await filesOf('.html');
    expect(page?.text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
    expect(page?.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const [styles] = await filesOf('.css');
    expect(styles?.text).not.toMatch(/@import|url\((?!["']?data:)/);
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
