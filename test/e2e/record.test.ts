import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../src/workflow/sprint/manifest.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { parseMermaid } from '../helpers/parse-mermaid.ts';

const repository = join(import.meta.dirname, '../..');

// Made by scripts/record-demo.ts. When this fails after a change of the log's format, old logs of users
// fail, too: write an upcaster, do not record anew.
describe('the recorded sprint of the repository', () => {
  it('verifies', async () => {
    const { code, out, err } = await clifford(['replay', '--verify'], { cwd: repository });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^verified .*: \d+ events in 1 stream, /);
  });

  it('replays from the first task to the last', async () => {
    const { code, out } = await clifford(['replay'], { cwd: repository });
    expect(code).toBe(0);
    expect(out).toMatch(/^demo, \d{4}-\d\d-\d\d\n/);
    expect(out).toMatch(
      /program +help\.requested +blocked\.question +blocked +Which language should be the default/,
    );
    expect(out).toMatch(
      /program +help\.answered +active\.working +active\.running +you in the shell: French, please/,
    );
    expect(out).toMatch(/ sprint\.completed +done\.completed by clifford\n$/);
  });

  it('shows where it stands in the diagrams', async () => {
    const marked = async (machine: string) => {
      const { out } = await clifford(['diagram', machine, '--sprint', 'demo'], { cwd: repository });
      return parseMermaid(out).marked;
    };
    expect(await marked('sprint')).toEqual(['done_completed']);
    expect(await marked('task')).toEqual(['done_completed']);
    expect(await marked('request')).toEqual(['delivered']);
  });

  it('has a manifest that agrees with its log', async () => {
    const { status, tasks } = await loadManifest(join(repository, '.clifford/sprints/demo/manifest.json'));
    expect([status, ...tasks.map((task) => task.status)]).toEqual(
      Array.from({ length: 4 }, () => 'completed'),
    );
  });

  it('says nothing about the machine it was made on', async () => {
    const log = await readFile(join(repository, '.clifford/events.jsonl'), 'utf8');
    const paths = [...log.matchAll(/(?<![\w./-])\/[\w.-]+(?:\/[\w.-]+)*/g)].map(([path]) => path);
    expect([...new Set(paths)].filter((path) => !/^\/(clifford|tmp\/clifford-demo)\//.test(path))).toEqual(
      [],
    );
  });
});
