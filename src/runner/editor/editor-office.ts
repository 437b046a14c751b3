import { EditorRecord } from './editor-record.ts';
import type { EditorSession } from './editor-sessions.ts';
import { PermissionDesk, type DeskDeps } from './permission-desk.ts';

/** What an {@link EditorOffice} needs. */
export type OfficeDeps = Omit<DeskDeps, 'session'> & { readonly session: (id: string) => EditorSession };

/** All of an editor's agent that needs the project: what records, and what decides. Loaded behind the relay. */
export class EditorOffice {
  readonly record: EditorRecord;
  readonly desk: PermissionDesk;

  constructor(deps: OfficeDeps) {
    const record = new EditorRecord(deps);
    this.record = record;
    this.desk = new PermissionDesk({ ...deps, session: (id) => record.of(deps.session(id)) });
  }
}
