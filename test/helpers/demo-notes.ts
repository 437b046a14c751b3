/** What a demo says on stderr that goes well. */
export const demoNotes = ['module', 'program', 'changelog']
  .map((task) => `note: ${task}: makes its commit\n`)
  .join('');
