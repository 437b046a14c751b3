/** One or several servers, and the name of the project there. Without a user or a password: they would be read by others. */
export const LOG_URL =
  /^(?<scheme>nats|tls):\/\/(?<servers>[^\s/@,]+(?:,[^\s/@,]+)*)\/(?<project>[A-Za-z0-9_-]{1,128})$/;
