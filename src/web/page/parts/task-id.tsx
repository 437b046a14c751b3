import { AgentLine } from './agent-text.tsx';

/** The id of a task beside its title, as questions and events name it; nothing where it stands there already. */
export function TaskId({ id, title }: { readonly id: string; readonly title: string }) {
  if (title === '' || title === id) return null;
  return (
    <>
      {/* Wide, and none where a line begins. */}
      {'\u2002'}
      <span className="task-id">
        <AgentLine text={id} />
      </span>
    </>
  );
}
