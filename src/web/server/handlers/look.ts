import { diagramOf } from '../../../machines/diagram/model.ts';
import { titlesOf } from '../../../views/events/event-title.ts';
import { toMermaid } from '../../../machines/diagram/mermaid.ts';
import { requestMachine } from '../../../machines/request.machine.ts';
import { sprintMachine } from '../../../machines/sprint.machine.ts';
import { taskMachine } from '../../../machines/task.machine.ts';
import { findRequest, requestById } from '../../../workflow/requests/find-request.ts';
import { knownRequest } from '../../../workflow/requests/close-request.ts';
import { knownSprint } from '../known-sprint.ts';
import { presentSprint } from '../present/present-sprint.ts';
import { presentReader, presentState } from '../present/present-state.ts';
import { questionFor } from '../present/question-for.ts';
import type { Serving } from '../serving.ts';
import type { Handlers } from './handlers.ts';

type Looking = 'state' | 'sprint' | 'questions' | 'question' | 'diagram';

const machines = { sprint: sprintMachine, task: taskMachine, request: requestMachine };

/** How everything stands now. */
export function lookHandlers(serving: Serving): Pick<Handlers, Looking> {
  const { project, rows, titles, processes, called, extras } = serving;
  return {
    state: async (_, caller) => {
      // Of a log that cannot be read it is said that it is old.
      if (!project.trouble) await project.refresh();
      return {
        ...presentState(serving),
        now: new Date().toISOString(),
        reader: presentReader(caller, serving),
      };
    },
    sprint: async ({ params: { id } }) => {
      await project.refresh();
      const known = await knownSprint(serving, id);
      await titles.read(known);
      return presentSprint(known, project.state, { processes, called, titles: titles.of(id) });
    },
    questions: async (_, caller) => {
      const state = await project.refresh();
      await extras.ready(project);
      const open = rows.overview().inbox.flatMap(({ id }) => requestById(state, id) ?? []);
      return { questions: open.map((request) => questionFor(request, caller, serving)) };
    },
    question: async ({ params: { id } }, caller) => {
      await project.refresh();
      // By a beginning of its id, too: people have it from where it is printed so.
      const request = (await knownRequest(project, id)) ?? findRequest(project.state, id);
      await extras.ready(project, request.id);
      return questionFor(request, caller, serving);
    },
    diagram: ({ params: { machine } }) => {
      const diagram = diagramOf(machines[machine]);
      return { ...diagram, mermaid: toMermaid(diagram), titles: titlesOf(diagram.transitions) };
    },
  };
}
