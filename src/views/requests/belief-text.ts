/**
 * Whether a server is believed what it says of its own tools, in the words of every face. Not called trust: that is given to
 * `mcp.json`, for it to be started at all.
 */
export function beliefText(isBelieved: boolean): 'claims believed' | 'claims not believed' {
  return isBelieved ? 'claims believed' : 'claims not believed';
}
