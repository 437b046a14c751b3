import { EditorRecord } from './editor-record.ts';
import type { EditorSession } from './editor-sessions.ts';
import { EditorPrompts, type PromptsDeps } from './editor-prompts.ts';

/** What an {@link EditorBackend} needs. */
export type BackendDeps = Omit<PromptsDeps, 'session'> & { readonly session: (id: string) => EditorSession };

/** All of an editor's agent that needs the project: what records, and what decides. Loaded behind the relay. */
export class EditorBackend {
  readonly record: EditorRecord;
  readonly prompts: EditorPrompts;

  constructor(deps: BackendDeps) {
    const record = new EditorRecord(deps);
    this.record = record;
    this.prompts = new EditorPrompts({ ...deps, session: (id) => record.of(deps.session(id)) });
  }
}
