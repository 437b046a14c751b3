import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { cliFile } from '../../helpers/clifford-process.ts';
import { processesOf } from '../../helpers/project-processes.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { editorTurn } from '../harness/acp-client.ts';
import { agentEnvironment, programOf } from '../harness/installed.ts';
import { opencode } from '../harness/opencode.ts';
import { testModel, testPlace } from '../harness/test-place.ts';

const agent = programOf(opencode);

/** The agent, and what it hears and says beside it in two files. */
const watched = ['sh', '-c', 'tee "$1" | "$0" acp | tee "$2"', agent, '../heard', '../said'];

const messageSchema = z.looseObject({ id: z.unknown().optional(), method: z.string().optional() });

/** A turn in which the agent says something and runs two commands, which it asks about. */
async function turn(command: readonly string[]) {
  const place = await testPlace();
  const { home, project, log } = place;
  await writeFile(join(project, 'notes.md'), 'Notes.\n');
  const model = await testModel([{ shell: 'touch made' }, { shell: 'cat notes.md' }, { text: 'Done.' }]);
  const env = agentEnvironment(place, {
    ...(await opencode.settle(home, model)),
    OPENCODE_PERMISSION: JSON.stringify({ bash: 'ask' }),
    CLIFFORD_PROJECT_ROOT: project,
  });
  const [file = '', ...args] = command;
  const { heard, said, stopReason } = await editorTurn({ file, args, cwd: project, env }, 'Work.');
  expect(stopReason).toBe('end_turn');
  expect(existsSync(join(project, 'made'))).toBe(true);
  return { heard, said, home, project, log, model };
}

/** The lines that neither are prompts for permission nor answer one. `ids`: those of the prompts. */
function withoutPrompts(lines: readonly string[], ids: readonly unknown[]): string[] {
  return lines.filter((line) => {
    const { id, method } = messageSchema.parse(JSON.parse(line));
    return method === undefined ? !ids.includes(id) : method !== 'session/request_permission';
  });
}

function promptIds(lines: readonly string[]): unknown[] {
  const messages = lines.map((line) => messageSchema.parse(JSON.parse(line)));
  return messages.filter(({ method }) => method === 'session/request_permission').map(({ id }) => id);
}

/** What is said in a session, whichever it is, how often and when. */
function essence({ heard, home }: { heard: readonly string[]; home: string }): Set<string> {
  const all = withoutPrompts(heard, []).map((line) =>
    line
      .replaceAll(home, '<home>')
      .replaceAll(/\b(ses|msg|prt|call)_\w+/g, '<$1>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
  );
  return new Set(all);
}

it('an editor hears every message of OpenCode through clifford acp as without it', async () => {
  const direct = await turn([agent, 'acp']);
  const proxied = await turn([process.execPath, cliFile, 'acp', '--name', 'opencode', '--', ...watched]);
  expect(essence(proxied)).toEqual(essence(direct));

  // Byte by byte, in the same session: what one side says is what the other hears.
  const linesOf = async (name: string) =>
    (await readFile(join(proxied.home, name), 'utf8')).trimEnd().split('\n');
  const [agentHeard, agentSaid] = await Promise.all([linesOf('heard'), linesOf('said')]);
  expect(promptIds(agentSaid)).toHaveLength(2);
  expect(promptIds(proxied.heard)).toHaveLength(2);
  expect(withoutPrompts(proxied.heard, [])).toEqual(withoutPrompts(agentSaid, []));
  const answers = agentHeard.filter((line) => !proxied.said.includes(line));
  expect(answers.map((line) => JSON.parse(line) as unknown)).toEqual(
    promptIds(agentSaid).map((id) => ({
      jsonrpc: '2.0',
      id,
      result: { outcome: { outcome: 'selected', optionId: 'once' } },
    })),
  );
  const prompts = promptIds(proxied.heard);
  expect(agentHeard.filter((line) => !answers.includes(line))).toEqual(withoutPrompts(proxied.said, prompts));

  const events = await eventsOf(proxied.log, 'adhoc');
  const answered = events.filter(({ type }) => type === 'help.answered').map(({ data }) => data);
  expect(answered).toMatchObject([1, 2].map(() => ({ by: 'ada', via: 'editor', verdict: 'approved' })));
  expect(events.filter(({ type }) => type === 'tool.returned')).toHaveLength(2);
  expect(await processesOf(proxied.project, '')).toEqual([]);
});
