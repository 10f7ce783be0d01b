export type ConnectFaultCode = "address_refused" | "dns_failed" | "connect_timeout" | "connect_failed" | "tls_failed"

/** The connection could not be made. */
export class ConnectFault extends Error {
  readonly code: ConnectFaultCode
  constructor(code: ConnectFaultCode, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}
