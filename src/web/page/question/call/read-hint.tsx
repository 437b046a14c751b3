/** Says that what is asked was not read to its end yet: by the id `read-hint`. */
export function ReadHint({ isRead }: { readonly isRead: boolean }) {
  return (
    <span id="read-hint" className="label read-hint">
      {isRead ? '' : 'Read it to its end first'}
    </span>
  );
}
