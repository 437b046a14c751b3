import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startClifford } from '../../helpers/clifford-process.ts';
import { agentClis } from '../harness/agent-clis.ts';
import { cliffordsPaths } from '../harness/agent-place.ts';
import { agentEnvironment } from '../harness/installed.ts';
import { snapshot } from '../harness/snapshot.ts';
import { testPlace } from '../harness/test-place.ts';
import { writeUsersFiles } from '../harness/users-files.ts';

const reportSchema = z.object({
  checks: z.array(z.looseObject({ name: z.string(), status: z.string(), text: z.string() })),
});

it('clifford doctor --approvals proves of every agent, without a key, that it waits for a yes', async () => {
  const place = await testPlace();
  await writeUsersFiles(place);
  await writeFile(join(place.project, 'clifford.json'), '{ "agents": { "copilot": { "via": "acp" } } }');
  const before = await snapshot(place.home, cliffordsPaths);
  const env = agentEnvironment(place);
  const report = async () => {
    const given = ['doctor', '--approvals', '--json'];
    const { out, err } = await startClifford(given, { cwd: place.project, env, isWholeEnv: true }).ended;
    expect(err).toBe('');
    return reportSchema.parse(JSON.parse(out)).checks;
  };
  const proven = (checks: z.infer<typeof reportSchema>['checks'], when: RegExp) => {
    for (const { name } of agentClis) {
      const check = checks.find((each) => each.name === `approvals:${name}`);
      expect(check, name).toMatchObject({ status: 'good', text: expect.stringMatching(when) });
    }
  };
  proven(await report(), /: waits for a yes, over ACP; proven now$/);
  expect(await snapshot(place.home, cliffordsPaths)).toEqual(before);
  proven(await report(), /; proven on \d{4}-\d\d-\d\d with Clifford /);
});
