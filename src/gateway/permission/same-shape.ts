import { dirname } from 'node:path';
import type { Approval } from '../../events/approval.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { commandsOf } from '../../events/call-fields.ts';
import { hostsOf } from '../../events/call-hosts.ts';
import { filesInCall } from '../../events/call-files/files-in-call.ts';

type Asked = { readonly id: string; readonly approval?: Approval | undefined };

/**
 * Calls that wait like one of them: of the same tool of the same server; of an agent's own tools of the same kind, with the same
 * program, in the same folder or of the same machine. A person decides on them together, and sees each of them: nothing
 * follows from a shape.
 *
 * @returns none where it is alone.
 */
export function alikeIn<Call extends Asked>(open: readonly Call[], id: string | undefined): readonly Call[] {
  const key = likenessOf(open.find((call) => call.id === id)?.approval);
  const alike = key === undefined ? [] : open.filter(({ approval }) => likenessOf(approval) === key);
  return alike.length > 1 ? alike : [];
}

/** What calls that are alike have in common, and no others; `undefined`: it is no call. */
export function likenessOf(approval: Approval | undefined): string | undefined {
  if (!approval) return undefined;
  const { server, tool, isOwn, definitionDigest, args } = approval;
  const { named, links } = filesInCall(isOwn ? args : undefined);
  const lines = isOwn ? commandsOf(tool, isJsonObject(args) ? args : { input: args }) : [];
  const programs = lines.map((line) => line.trim().split(/\s/, 1)[0]);
  const folders = programs.length > 0 ? [] : named.map((path) => dirname(path));
  return JSON.stringify([server, tool, definitionDigest, programs, folders, hostsOf(links)]);
}
