/** Whether a server is believed what it says of its own tools, in the words of every face. */
export function trustText(isTrusted: boolean): 'trusted' | 'not trusted' {
  return isTrusted ? 'trusted' : 'not trusted';
}
