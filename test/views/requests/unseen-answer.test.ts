import { expect, it } from 'vitest';
import { readAnswers } from '../../../src/events/form/read-answers.ts';
import { saidInForm } from '../../../src/mcp/calls/elicited-form.ts';
import { draftAnswers } from '../../../src/views/requests/form-draft.ts';

/** Nothing of it can be seen, and it is no blank to `trim`. */
const unseen = '\u200B\u2800';

it('what cannot be seen is no answer to a question of a form, on the screen, in an editor and in JSON', () => {
  const form = [{ title: 'Name' }];
  const answers = [{ question: 0, options: [] }];
  expect(draftAnswers([{ chosen: [], words: unseen }])).toEqual(answers);
  expect(saidInForm(form, { q1: unseen, reject: unseen, rephrase: unseen })).toEqual({ answers });
  expect(readAnswers(form, { Name: [unseen] })).toEqual({ answers });
});
