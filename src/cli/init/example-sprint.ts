/** A file that is made where there is none. */
type NewFile = { readonly file: string; readonly about: string; readonly text: string };

const manifest = {
  id: 'example',
  name: 'A first sprint',
  status: 'pending',
  tasks: [
    { id: 'look', file: '1-look.md', status: 'pending' },
    { id: 'ask', file: '2-ask.md', status: 'pending', dependsOn: ['look'] },
  ],
};

/** A sprint that does no harm in any project: it makes one file, and asks one question. */
export const exampleSprint: readonly NewFile[] = [
  {
    file: 'sprints/example/manifest.json',
    about: 'a sprint to try, with two small tasks',
    text: `${JSON.stringify(manifest, null, 2)}\n`,
  },
  {
    file: 'sprints/example/1-look.md',
    about: 'its first task: write a file about the project',
    text: `# Look around

Write \`FIRST-SPRINT.md\` in the project's root: what this project is, in at most ten lines, for somebody who sees
it for the first time. Read what you need for that, and change nothing else.
`,
  },
  {
    file: 'sprints/example/2-ask.md',
    about: 'its second task: ask you a question',
    text: `# Ask

Ask the human which part of this project should be worked on first. Then add a section "Next" to
\`FIRST-SPRINT.md\` with the answer, and with the three steps you would begin with.
`,
  },
];
