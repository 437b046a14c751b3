import { release } from 'node:os';
import { arch, platform } from 'node:process';
import { eventTypes } from '../../events/catalog.ts';
import { currentSchemaVersion } from '../../events/upcasters.ts';
import { findProjectRoot } from '../../workflow/project/project-root.ts';
import { version } from '../../version.ts';
import type { Cli } from '../cli.ts';
import { findInstalled } from '../init/choose-agent.ts';
import { findInstall } from './install.ts';

/** What a bug report needs to know: `clifford --version -v`. Starts nothing. */
export function versionLines({ env, cwd }: Pick<Cli, 'env' | 'cwd'>): string[] {
  const root = findProjectRoot({ env, cwd });
  const newest = Math.max(...eventTypes.map((type) => currentSchemaVersion(type)));
  const agents = findInstalled(root, env['PATH']).map(({ title }) => title);
  return [
    `clifford  ${version}, ${findInstall(root, env).where}`,
    `node      ${process.versions.node}`,
    `platform  ${platform} ${arch}, ${release()}`,
    `log       CloudEvents 1.0, ${eventTypes.length} event types, schema versions up to ${newest}`,
    `agents    ${agents.join(', ') || 'none that Clifford knows is on the PATH'}`,
  ];
}
