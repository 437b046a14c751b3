const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;

/** `22:00-07:00`. */
export const QUIET_HOURS = new RegExp(`^${TIME}-${TIME}$`);
