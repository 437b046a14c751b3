import { expect, it } from 'vitest';
import { beginEdit, editedChanges } from '../../src/web/page/question/call/edited-call.ts';

it('a call that is changed to delete its file is shown so, not as what it was', () => {
  const asked = { path: 'a.ts', content: 'x\ny', type: 'update' };
  const begun = beginEdit('edit', asked);
  const shown = editedChanges({ ...begun, args: asked }, []);
  const changed = editedChanges({ ...begun, args: { ...asked, type: 'delete' } }, shown);
  expect(shown.map(({ how }) => how)).toEqual(['write']);
  expect(changed.map(({ how }) => how)).toEqual(['delete']);
});
