/** In the place of the package that lists the characters of Unicode by class: the browser knows them. */
export const P = /\p{P}/u;
export const S = /\p{S}/u;
