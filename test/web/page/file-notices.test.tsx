import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FileNotices } from '../../../src/web/page/question/call/file-notices.tsx';

const said = (mayDecide: boolean) =>
  renderToStaticMarkup(<FileNotices seen={undefined} comparison="withheld" mayDecide={mayDecide} />);

it('says what a yes is to, where others could read what stands in files, and to who only reads that it is not shown', () => {
  expect(said(true)).toContain('A yes is to these arguments, whatever its files have in them by then.');
  expect(said(false)).toContain('it is for who decides, on this machine or with TLS');
  expect(said(false)).not.toContain('A yes is');
});
