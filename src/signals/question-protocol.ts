import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { labelledAnswers } from '../events/form/labelled-answers.ts';
import type { RequestState } from '../machines/project-state.ts';
import { openRequests, requestById, requestsOf } from '../workflow/requests/find-request.ts';
import type { Question } from '../workflow/requests/ask.ts';
import { formHeading } from '../events/form/form-heading.ts';
import { askedForm, formSchema } from '../workflow/requests/form-schema.ts';
import type { Claims } from './claims.ts';
import { changeFile, labelOf, pathOf, tellUnshown, tryToChange, type SignalDeps } from './signal-deps.ts';
import { questionFileSchema, type QuestionFile } from './file-schemas.ts';
import { acceptForAuthor, writeForAuthor } from './foreign-answer.ts';
import {
  adopt,
  awaitedByFiles,
  isAwaitedByFile,
  labelOfAsker,
  recordHandedOver,
  replyFor,
} from './foreign-question.ts';
import { MadeFolder } from './made-folder.ts';
import { namesIn, sweepTemporaries } from '../lib/files/sweep-temporaries.ts';
import { isReadable, publish, withdraw } from './own-file.ts';
import { answerName, idsIn, newQuestionId, questionName } from './question-names.ts';
import { plainReason } from './plain-reason.ts';
import { readAnswer } from './read-answer.ts';
import { rejectFile } from './reject-file.ts';
import type { Stamp } from './signal-file.ts';

/** What lies in the folder of questions. */
type Found = {
  /** Our files by id. */
  readonly ours: Map<string, { readonly requestId: string; readonly stamp: Stamp }>;
  /** Requests of other programs' files by label; `undefined` while such a file is being written. */
  readonly others: Map<string, RequestState | undefined>;
};

/**
 * A file per question: every open request of kind `clarification` is shown as `{id}.json`, and
 * `{id}_answer.json` answers it. A question file that another program dropped becomes a request, and
 * its answer is written for that program.
 */
export class QuestionProtocol {
  readonly #deps: SignalDeps;
  readonly #claims: Claims;
  readonly #madeFolder: MadeFolder;
  #folder: string | undefined;
  /** The requests of our files, also of those that are gone: late answers name them. */
  readonly #requestOf = new Map<string, string>();
  /** Requests that no file can show. */
  readonly #unreadable = new Set<string>();

  constructor(deps: SignalDeps, claims: Claims) {
    this.#deps = deps;
    this.#claims = claims;
    this.#madeFolder = new MadeFolder(deps.project.dir);
  }

  /**
   * Takes what lies in `folder`, then shows what is to be shown. When it is another folder than the
   * last time, our files move over; `undefined`: they are taken away.
   *
   * @returns whether the file that asked a request is still there; `undefined` while that is open.
   */
  async serve(
    folder: string | undefined,
  ): Promise<((label: string, request: RequestState) => boolean) | undefined> {
    if (folder !== this.#folder) {
      this.withdraw();
      this.#folder = folder;
      if (folder !== undefined) {
        // Made before the first question: others drop theirs into it.
        tryToChange(this.#deps, folder, 'make', () => this.#madeFolder.make(folder));
        sweepTemporaries(folder, (name) => name.endsWith('.json'));
      }
    }
    if (folder === undefined) return undefined;
    const { questions, answers } = idsIn(namesIn(folder));
    const found: Found = { ours: new Map(), others: new Map() };
    for (const id of questions) await this.#readQuestion(folder, id, found);
    await this.#readElsewhere(found);
    const held = new Set<string>();
    for (const id of answers) {
      const isUnfinished = await this.#readOwnAnswer(folder, id, found);
      if (isUnfinished) held.add(id);
    }
    for (const [label, request] of found.others) if (request) await this.#answerOther(label, request);
    await this.#claims.settle();
    this.#show(folder, found, held);
    return (label, { id }) => found.others.has(label) && (found.others.get(label)?.id ?? id) === id;
  }

  /** Takes our files away, and the folder if it is ours and empty then. */
  withdraw(): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    for (const id of idsIn(namesIn(folder)).questions) {
      const path = join(folder, questionName(id));
      const reading = this.#deps.reader.read(path, questionFileSchema);
      if (reading.state === 'good' && this.#ownRequest(id, reading.value) !== undefined)
        changeFile(this.#deps, path, 'remove', (file) => withdraw(file, reading.stamp));
    }
    tryToChange(this.#deps, folder, 'remove', () => this.#madeFolder.remove());
  }

  async #readQuestion(folder: string, id: string, found: Found): Promise<void> {
    const path = join(folder, questionName(id));
    const label = labelOf(this.#deps, path);
    const reading = this.#deps.reader.read(path, questionFileSchema);
    if (reading.state === 'unfinished') found.others.set(label, undefined);
    if (reading.state === 'bad') await rejectFile(this.#deps, path, reading);
    if (reading.state !== 'good') return;
    const { value, stamp, digest } = reading;
    const requestId = this.#ownRequest(id, value);
    if (requestId !== undefined) {
      found.ours.set(id, { requestId, stamp });
      this.#requestOf.set(id, requestId);
    } else if (value.id !== undefined && value.id !== id) {
      const reason = `"id" is ${value.id}, but the file is named ${questionName(id)}`;
      await rejectFile(this.#deps, path, { reason, stamp });
    } else {
      const question = asked(value);
      if ('reason' in question) return rejectFile(this.#deps, path, { ...question, stamp });
      const request = await adopt(this.#deps, { label, kind: 'question', stamp, digest, ...question });
      if (request) found.others.set(label, request);
    }
  }

  /** Questions that wait in a folder which the configuration named before. */
  async #readElsewhere(found: Found): Promise<void> {
    const labels = awaitedByFiles(this.#deps)
      .filter(({ asked: { kind } }) => kind === 'clarification')
      .map(labelOfAsker);
    for (const label of labels) {
      const path = pathOf(this.#deps, label);
      if (dirname(path) === this.#folder || found.others.has(label)) continue;
      await this.#readQuestion(dirname(path), basename(path, '.json'), found);
    }
  }

  /** The request of a question file of ours, which may be one of a log that is no longer there. */
  #ownRequest(id: string, { requestId }: QuestionFile): string | undefined {
    if (requestId === undefined) return undefined;
    const isKnown = requestById(this.#deps.project.state, requestId) !== undefined;
    return isKnown || /^q\d+_\d+$/.test(id) ? requestId : undefined;
  }

  /** @returns whether the answer is being written. */
  async #readOwnAnswer(folder: string, id: string, { ours, others }: Found): Promise<boolean> {
    const path = join(folder, answerName(id));
    const question = labelOf(this.#deps, join(folder, questionName(id)));
    if (others.has(question)) return false;
    const reading = readAnswer(this.#deps.reader, path, path);
    if (reading.state === 'unfinished') return true;
    if (reading.state === 'bad') await rejectFile(this.#deps, path, reading);
    if (reading.state !== 'good') return false;
    const requestId = ours.get(id)?.requestId ?? this.#requestOf.get(id);
    const reason =
      reading.value.names !== undefined && reading.value.names !== id
        ? misnamed(id, reading.value.names)
        : requestId === undefined && !this.#wasAskedBy(question)
          ? `there is no question ${question}`
          : undefined;
    if (reason !== undefined) await rejectFile(this.#deps, path, { ...reading, reason });
    else if (requestId !== undefined) this.#claims.take(path, requestId, reading.stamp);
    return false;
  }

  /** Whether the author of a question took it away, and left the answer. */
  #wasAskedBy(label: string): boolean {
    return requestsOf(this.#deps.project.state.streams.loaded()).some(
      (request) => request.phase !== 'open' && labelOfAsker(request) === label,
    );
  }

  /** Takes the answer to another program's question, which it reads itself, or writes it. */
  async #answerOther(label: string, request: RequestState): Promise<void> {
    // It has its answer, and may have taken it away.
    if (!isAwaitedByFile(request)) return;
    const question = pathOf(this.#deps, label);
    const id = basename(question, '.json');
    const path = join(dirname(question), answerName(id));
    const reading = readAnswer(this.#deps.reader, path, path);
    if (reading.state === 'unfinished' || reading.state === 'refused') return;
    if (reading.state === 'good') {
      const { names } = reading.value;
      if (names !== undefined && names !== id) {
        await rejectFile(this.#deps, path, { ...reading, reason: misnamed(id, names) });
      } else if (await acceptForAuthor(this.#deps, path, { request, reading })) {
        await recordHandedOver(this.#deps, request);
      }
      return;
    }
    if (reading.state === 'bad') await rejectFile(this.#deps, path, reading);
    if (request.phase === 'open') return;
    const content = { id, answer: replyFor(request), ...answersOf(request), timestamp: Date.now() };
    await writeForAuthor(this.#deps, path, { request, content });
  }

  #show(folder: string, { ours, others }: Found, held: ReadonlySet<string>): void {
    const shown = new Set([...others.values()].map((request) => request?.id));
    const open = openRequests(this.#deps.project.state).filter(
      ({ id, asked: { kind } }) => kind === 'clarification' && !shown.has(id),
    );
    for (const [id, { requestId, stamp }] of ours) {
      const path = join(folder, questionName(id));
      if (open.some((request) => request.id === requestId)) shown.add(requestId);
      else if (!held.has(id)) changeFile(this.#deps, path, 'remove', (file) => withdraw(file, stamp));
    }
    for (const request of open)
      if (!shown.has(request.id) && !this.#unreadable.has(request.id)) this.#publish(folder, request);
  }

  #publish(folder: string, request: RequestState): void {
    const known = [...this.#requestOf].find(([, requestId]) => requestId === request.id)?.[0];
    const id = known ?? newQuestionId(request, (each) => this.#requestOf.has(each));
    const path = join(folder, questionName(id));
    const content = questionOf(id, request);
    if (!isReadable(content, questionFileSchema)) {
      this.#unreadable.add(request.id);
      tellUnshown(this.#deps, path, request);
      return;
    }
    // Somebody may have removed it.
    tryToChange(this.#deps, folder, 'make', () => this.#madeFolder.make(folder));
    const isThere = changeFile(this.#deps, path, 'write', (file) => publish(file, content));
    if (isThere === undefined) return;
    // Taken by another program: the next look finds another id.
    this.#requestOf.set(id, isThere ? request.id : '');
  }
}

function misnamed(id: string, named: string): string {
  return `"id" is ${named}, but the file is named ${answerName(id)}`;
}

/** What a file of another program asks, or why it does not. */
function asked({
  question,
  options,
  questions,
  context,
}: QuestionFile): { readonly question: Question } | { readonly reason: string } {
  const about = { kind: 'clarification' as const, ...(context ? { context } : {}) };
  if (questions === undefined)
    return { question: { ...about, question: question ?? '', ...(options?.length ? { options } : {}) } };
  const form = z.looseObject({ questions: formSchema }).safeParse({ questions });
  if (!form.success) return { reason: plainReason(form.error, { questions }) };
  const asForm = askedForm(form.data.questions);
  return { question: { ...about, question: question ?? formHeading(asForm), questions: asForm } };
}

function questionOf(
  id: string,
  { id: requestId, asked: { question, options, questions, context }, askedAt }: RequestState,
) {
  return { id, question, options, questions, context, timestamp: Date.parse(askedAt), requestId };
}

/** The answers to a form by their titles, as an answer file has them. */
function answersOf({ asked: { questions }, answer }: RequestState): { readonly answers?: object } {
  if (!questions || !answer?.answers) return {};
  const answers = labelledAnswers(questions, answer.answers);
  return {
    answers: Object.fromEntries(
      answers.map(({ title, chosen, words }) => [title, { options: chosen, words }]),
    ),
  };
}
