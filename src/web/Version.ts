/** The package's version, which the client names as its SIP user agent. */
export const version = "0.1.0"
