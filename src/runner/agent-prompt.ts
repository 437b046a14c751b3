/** What an agent has to know to begin: paths absolute, so that it may run anywhere. */
export type PromptFacts = {
  readonly taskId: string;
  readonly taskFile: string;
  readonly sprintName: string;
  readonly sprintDir: string;
  readonly projectRoot: string;
  /** The agent goes on with a session in which it has worked on the task. */
  readonly isResumed: boolean;
};

/** The text an agent is started with. It says where things are; the task itself stands in its file. */
export function agentPrompt(facts: PromptFacts): string {
  const { taskId, taskFile, sprintName, sprintDir, projectRoot } = facts;
  const [dir, task] = [sprintDir, taskId].map((text) => JSON.stringify(text));
  if (facts.isResumed)
    return `You were interrupted while you worked on task ${taskId} of the sprint "${sprintName}". Go on with it.

Call get_sprint_context {"sprintDir": ${dir}} first: it returns, as guidance, what a human answered meanwhile.
When the task is done, call update_task_status {"sprintDir": ${dir}, "taskId": ${task}, "status": "completed"}.
`;
  return `You work on task ${taskId} of the sprint "${sprintName}". Work on this task only.

Task file: ${taskFile}
CURRENT_SPRINT_DIR: ${sprintDir}
CLIFFORD_PROJECT_ROOT: ${projectRoot}

The MCP server "clifford" has the tools you need besides your own:
1. get_sprint_context {"sprintDir": ${dir}}: call it first. It returns the task and, as guidance, what a human answered earlier.
2. request_help {"task": ${task}, "reason": "...", "question": "..."}: when only a human can decide. It waits for the answer. Do not guess instead.
3. update_task_status {"sprintDir": ${dir}, "taskId": ${task}, "status": "completed"}: when the task is done. Ending without this call counts as a failed attempt.
4. complete_sprint {"sprintDir": ${dir}}: only when get_sprint_context says that no task is left.

Then end.
`;
}
