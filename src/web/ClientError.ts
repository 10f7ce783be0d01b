// The errors that a page gets as `error`: a code to decide by, and a sentence that says what to do.

/** Every code with its sentence. */
export const errorMessages = {
  microphone_denied:
    "The browser does not allow this page to use the microphone. Allow it in the browser's settings for this site, and call again.",
  microphone_missing: "No microphone was found. Connect one, or choose another input device, and call again.",
  microphone_in_use: "The microphone cannot be opened. Close other programs that use it, and call again.",
  insecure_page:
    "The browser gives the microphone to pages over HTTPS and on localhost only. Serve the page over HTTPS.",
  unsupported: "This browser has no WebRTC. Use a current Chrome, Edge, Firefox or Safari.",
  autoplay_blocked:
    "The browser plays no sound before the user has clicked in the page. Ask for a click: the sound begins with it.",
  ice_failed:
    "No network path for the sound was found. Try another network, or ask its administrator to allow UDP or the TURN server.",
  busy: "A call is under way. End it first.",
  not_connected: "There is no connection to the engine. Wait for `connected`, or call reconnect().",
  closed: "The client is closed. Request a fresh token, and build a new client with it.",
  not_allowed: "The token does not allow outgoing calls. Request one with allow.outgoing.",
  invalid_number: "This is not a number or an extension. Use 1 to 64 letters, digits and + * # . _ ~ ! ( ) -.",
  invalid_digits: "These are not keys of a telephone. Use 0 to 9, A to D, * and #.",
  device_unavailable: "The device cannot be used. Choose another one.",
  output_unsupported: "This browser cannot choose the output device. Choose it in the system's settings.",
  call_failed: "The browser and the engine could not agree on the call's media. Call again."
} as const

export type ClientErrorCode = keyof typeof errorMessages

/** `cause` is the browser's own error, if there is one. */
export class ClientError extends Error {
  override readonly name = "ClientError"
  readonly code: ClientErrorCode

  constructor(code: ClientErrorCode, cause?: unknown) {
    super(errorMessages[code], cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The names of the errors of getUserMedia (Media Capture and Streams, section 10.2). */
const microphoneCodes: Readonly<Record<string, ClientErrorCode>> = {
  NotAllowedError: "microphone_denied",
  SecurityError: "microphone_denied",
  NotFoundError: "microphone_missing",
  OverconstrainedError: "microphone_missing",
  NotReadableError: "microphone_in_use",
  AbortError: "microphone_in_use"
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "")

export const microphoneError = (error: unknown): ClientError =>
  new ClientError(microphoneCodes[nameOf(error)] ?? "microphone_in_use", error)
