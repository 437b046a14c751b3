import type { TaskNote } from '../../machines/task-state.ts';
import { noteText } from '../../workflow/notes/note-text.ts';
import { ownTool, ownToolNames } from '../../workflow/project/own-tools.ts';

/** What an agent has to know to begin: paths absolute, so that it may run anywhere. */
export type PromptFacts = {
  readonly taskId: string;
  readonly taskFile: string;
  readonly sprintName: string;
  readonly sprintDir: string;
  readonly projectRoot: string;
  /** That is a git worktree of the project, in which nobody else works. */
  readonly isInWorktree?: boolean;
  /** The agent goes on with a session in which it has worked on the task. */
  readonly isResumed: boolean;
  /** Why the attempt before failed. `undefined`: it did not. */
  readonly lastFailure?: string | undefined;
  /** What a human tells the agent of the task unasked. */
  readonly notes?: readonly Pick<TaskNote, 'text'>[];
  /** What it answered at prompts of earlier attempts, where nothing could be typed. */
  readonly answered?: readonly string[];
};

/** How a prompt is put into words. */
export type PromptWords = {
  /** The project's own text; default: {@link PROMPT_TEMPLATE}. */
  readonly template?: string | undefined;
  /** The agent only ends: it has no tools of Clifford's. */
  readonly isDoneByExit?: boolean;
  /** Clifford gives the agent its MCP server (default). Without one it is told of the commands for its shell. */
  readonly connects?: boolean | 'perhaps';
  /** The name of a tool as the agent's model sees it; default: as it is. */
  readonly toolName?: ((tool: string) => string) | undefined;
};

/** The text an agent is started with, unless the project has its own. The task itself stands in its file. */
export const PROMPT_TEMPLATE = `You work on task {task} of the sprint "{sprint}". Work on this task only.

Task file: {taskFile}
CURRENT_SPRINT_DIR: {sprintDir}
CLIFFORD_PROJECT_ROOT: {projectRoot}

The MCP server "clifford" has the tools you need besides your own:
1. {${ownTool.getSprintContext}} {"sprintDir": "{sprintDir}"}: call it first. It returns the task and, as guidance, what a human answered earlier.
2. {${ownTool.requestHelp}} {"task": "{task}", "reason": "...", "question": "..."}: when only a human can decide. It waits for the answer. Do not guess instead.
3. {${ownTool.updateTaskStatus}} {"sprintDir": "{sprintDir}", "taskId": "{task}", "status": "completed"}: when the task is done. Ending without this call counts as a failed attempt.
4. {${ownTool.completeSprint}} {"sprintDir": "{sprintDir}"}: only when {${ownTool.getSprintContext}} says that no task is left.

Then end.
`;

/**
 * The text an agent gets that goes on with a session. It has read the other one there, as a rule: an agent that
 * was killed may have lost the end of its session, so the rules are said again.
 */
const RESUME_TEMPLATE = `You were interrupted while you worked on task {task} of the sprint "{sprint}". Go on with it.

Call {${ownTool.getSprintContext}} {"sprintDir": "{sprintDir}"} first: it returns the task and, as guidance, what a human answered meanwhile.
When only a human can decide, call {${ownTool.requestHelp}} {"task": "{task}", "reason": "...", "question": "..."}: it waits for the answer. Do not guess instead.
When the task is done, call {${ownTool.updateTaskStatus}} {"sprintDir": "{sprintDir}", "taskId": "{task}", "status": "completed"}. Ending without this call counts as a failed attempt.
`;

/** How an agent that Clifford gives no MCP server says how far it is. It may have the tools by its own configuration. */
const SHELL_RULES = `Tell Clifford in a shell, with the environment that you were started with:
1. clifford ask "<question>" --reason "<why>": when only a human can decide. It waits and prints the answer; what was answered before is printed at once. Do not guess instead.
2. clifford task done: when the task is done. The commands that verify it are run, and you are told what fails. Ending without it counts as a failed attempt.
3. clifford task fail --reason "<why>": when the task cannot be done.

Where you have the tools of the MCP server "clifford", {${ownTool.requestHelp}} and {${ownTool.updateTaskStatus}} do the same, and {${ownTool.getSprintContext}} returns what was answered before.
`;

/** What an agent is told besides of which nobody knows whether it takes the tools that it is offered. */
const SHELL_INSTEAD = `Where you do not have the tools of the MCP server "clifford", read the task file {taskFile} and tell Clifford in a shell, with the environment that you were started with: clifford ask "<question>" --reason "<why>" (what was answered before is printed at once), clifford task done, or clifford task fail --reason "<why>". Ending without one of the last two counts as a failed attempt.
`;

/** The text for an agent that Clifford gives no MCP server. */
const SHELL_TEMPLATE = `You work on task {task} of the sprint "{sprint}". Work on this task only.

Task file: {taskFile}
CURRENT_SPRINT_DIR: {sprintDir}
CLIFFORD_PROJECT_ROOT: {projectRoot}

Read the task file and do what it says. ${SHELL_RULES}
Then end.
`;

/** The text for such an agent that goes on with a session. */
const SHELL_RESUME_TEMPLATE = `You were interrupted while you worked on task {task} of the sprint "{sprint}". Go on with it.

Task file: {taskFile}

${SHELL_RULES}`;

/** The text for an agent whose exit code says that it is done. */
const EXIT_TEMPLATE = `You work on task {task} of the sprint "{sprint}". Work on this task only.

Task file: {taskFile}
CURRENT_SPRINT_DIR: {sprintDir}
CLIFFORD_PROJECT_ROOT: {projectRoot}

Read the task file and do what it says; nobody is there to answer questions. When the task is done, end with exit code 0: the commands that verify it are run then. If it cannot be done, end with another exit code.
`;

/** The text an agent is started with. It says where things are; the task itself stands in its file. */
export function agentPrompt(facts: PromptFacts, words: PromptWords = {}): string {
  return `${wordsFor(facts, words)}${facts.isInWorktree ? inWorktree(facts) : ''}`;
}

/** Tells an agent that works beside others where its files are. */
function inWorktree({ projectRoot }: PromptFacts): string {
  return (
    `\nYou are in a git worktree of your own: ${projectRoot}. Other agents work on other tasks at the same time. Change files ` +
    'only here, do not switch its branch, and do not merge or push: Clifford commits and merges what you have changed.\n'
  );
}

function wordsFor(facts: PromptFacts, words: PromptWords): string {
  const { isDoneByExit = false, connects = true, toolName = (tool) => tool } = words;
  // `clifford init` writes the built-in text for agents with MCP, whatever agent the tasks go to.
  const template = words.template === PROMPT_TEMPLATE ? undefined : words.template;
  const marks = new Map([
    ['task', facts.taskId],
    ['taskFile', facts.taskFile],
    ['sprint', facts.sprintName],
    ['sprintDir', facts.sprintDir],
    ['projectRoot', facts.projectRoot],
    // The name of each tool of Clifford's is a mark.
    ...ownToolNames.map((tool) => [tool, toolName(tool)] as const),
  ]);
  const { lastFailure, notes = [], answered = [] } = facts;
  const failure = lastFailure === undefined ? '' : `\nThe attempt before this one failed: ${lastFailure}\n`;
  if (connects !== false && !isDoneByExit) {
    const own = fillMarks(facts.isResumed ? RESUME_TEMPLATE : (template ?? PROMPT_TEMPLATE), marks);
    return connects === 'perhaps' ? `${own}${failure}\n${fillMarks(SHELL_INSTEAD, marks)}` : own;
  }
  // Nothing else could tell it.
  const answers = answered.map((text) => `\n${text}\n`).join('');
  const told = notes.length === 0 ? '' : `\n${noteText(notes)}\n`;
  const text = isDoneByExit
    ? (template ?? EXIT_TEMPLATE)
    : facts.isResumed
      ? SHELL_RESUME_TEMPLATE
      : (template ?? SHELL_TEMPLATE);
  return `${fillMarks(text, marks)}${failure}${answers}${told}`;
}

/** Whether a text tells agents which task is theirs. */
export function namesTask(template: string): boolean {
  return template.includes('{task}');
}

/** Puts values in the place of `{marks}`, between quotes as JSON has them. What is no mark stays. */
function fillMarks(template: string, marks: ReadonlyMap<string, string>): string {
  // In one pass: a value may look like a mark.
  return template.replaceAll(/"\{(\w+)\}"|\{(\w+)\}/g, (text, quoted: string | undefined, bare: string) => {
    const value = marks.get(quoted ?? bare);
    if (value === undefined) return text;
    return quoted === undefined ? value : JSON.stringify(value);
  });
}
