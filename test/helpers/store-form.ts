import type { FormQuestion } from '../../src/events/form/form.ts';

/** A form with a question of each sort: one option with a recommendation, several, own words, only options. */
export const storeForm = [
  {
    title: 'Database',
    question: 'Which database does the service get?',
    options: [
      {
        label: 'Postgres',
        description: 'One more service to run',
        preview: 'postgres://db/app',
        recommended: true,
      },
      { label: 'SQLite', description: 'A file beside the program' },
    ],
  },
  {
    title: 'Features',
    options: [{ label: 'Login' }, { label: 'Search' }, { label: 'Export' }],
    multiple: true,
  },
  { title: 'Name: of the service' },
  {
    title: 'License',
    options: [{ label: 'MIT' }, { label: 'None' }],
    ownWords: false,
    required: false,
  },
] as const satisfies readonly Readonly<FormQuestion>[] & { readonly length: number };
