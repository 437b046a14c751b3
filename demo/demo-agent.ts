import { fileURLToPath } from 'node:url';
import { CliffordClient, type SprintContext } from './agent/clifford-client.ts';
import { openWorkspace, type Workspace } from './agent/workspace.ts';
import { writeChangelog } from './agent/write-changelog.ts';
import { writeModule } from './agent/write-module.ts';
import { writeProgram } from './agent/write-program.ts';

// The agent of `clifford demo`: no model, but in every other way what an agent CLI is. One process per
// attempt, a client of Clifford's MCP server, at work on the files of the project it was started in.
const root = process.env['CLIFFORD_PROJECT_ROOT'];
const sprintDir = process.env['CURRENT_SPRINT_DIR'];
if (root === undefined || sprintDir === undefined) {
  process.stderr.write(
    'Cannot work: CLIFFORD_PROJECT_ROOT and CURRENT_SPRINT_DIR are not set. Start the demo with: clifford demo\n',
  );
  process.exitCode = 2;
} else {
  const pace = process.env['CLIFFORD_DEMO_PACE_MS'];
  const workspace = openWorkspace(root, pace === undefined ? {} : { paceMs: Number(pace) });
  const server = fileURLToPath(new URL('mcp-entry.js', import.meta.url));
  const clifford = await CliffordClient.connect(server, sprintDir);
  try {
    await work(workspace, clifford);
  } finally {
    await clifford.close();
  }
}

async function work(workspace: Workspace, clifford: CliffordClient): Promise<void> {
  const context = await clifford.sprintContext();
  const { currentTask } = context;
  if (!currentTask) return workspace.say('There is nothing to do.');
  const [title = currentTask.id] = currentTask.content?.split('\n') ?? [];
  await workspace.say(`Working on ${currentTask.file}: ${title.replace(/^#\s*/, '')}`);
  await clifford.complete(currentTask.id, await summaryOf(currentTask.id, workspace, clifford, context));
  await workspace.say('Done.');
}

/** Does the task and sums it up. */
function summaryOf(
  task: string,
  workspace: Workspace,
  clifford: CliffordClient,
  context: SprintContext,
): Promise<string> {
  switch (task) {
    case 'module':
      return writeModule(workspace);
    case 'program':
      return writeProgram(workspace, clifford, context);
    case 'changelog':
      return writeChangelog(workspace, clifford);
    default:
      throw new Error(`Cannot do task ${task}: the demo agent knows module, program and changelog only`);
  }
}
