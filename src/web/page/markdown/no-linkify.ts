/** In the place of the package that finds links in plain text: here a link is what was written as one. */
export class LinkifyIt {}
