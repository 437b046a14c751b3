import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openTestProject, writeSprint } from '../../helpers/temp-project.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { startModelServer } from '../../../src/runner/scripted-model/model-server.ts';
import type { ModelServer, ModelServerOptions } from '../../../src/runner/scripted-model/model-server.ts';
import { makePlace } from './agent-place.ts';
import type { AgentPlace } from './agent-place.ts';

/** A home with a project in it, in this folder, and a sprint in that, all removed when the test is finished. */
export async function testPlace(
  sprint: Parameters<typeof writeSprint>[1] = {},
  folder?: string,
): Promise<AgentPlace & { readonly sprintDir: string; readonly log: Project }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'clifford-agents-')));
  // What an agent writes while it ends may come in between.
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const place = await makePlace(base, folder);
  const sprintDir = await writeSprint(place.project, { tasks: ['greet'], ...sprint });
  return { ...place, sprintDir, log: await openTestProject(place.project) };
}

/** A scripted model, closed when the test is finished. */
export async function testModel(script: ModelServerOptions['script']): Promise<ModelServer> {
  const model = await startModelServer({ script });
  onTestFinished(() => model.close());
  return model;
}
