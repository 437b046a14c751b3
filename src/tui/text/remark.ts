/** A line of ours between the box and the key hints. */
export type Remark = { readonly text: string; readonly color?: string };
