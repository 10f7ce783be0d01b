// Why the certificate of a SIP host over TLS is not accepted. Asterisk alone decides whether it is, but writes the
// reason only into its log. So the engine looks at the certificate itself, once Asterisk has not reached the host.
import { Effect } from "effect"
import type { CertificateFault } from "../../../../domain/chatapp/CertificateFault.ts"
import { readFile } from "node:fs/promises"
import { isIP } from "node:net"
import { checkServerIdentity, connect, type TLSSocket } from "node:tls"

export interface CertifiedPlace {
  readonly host: string
  readonly port: number
  /** The file of trusted CA certificates (PEM) that Asterisk uses; undefined: the system's. */
  readonly authorities: string | undefined
}

const patience = "3 seconds"

/** OpenSSL's names for a certificate that is not yet, or no longer, valid. */
const untimely: ReadonlySet<string> = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"])

const faultOf = (socket: TLSSocket, host: string, knowsAuthorities: boolean): CertificateFault | undefined => {
  if (checkServerIdentity(host, socket.getPeerCertificate()) !== undefined) return "certificate_name"
  if (socket.authorized) return undefined
  // The types say Error, but Node sets the code of OpenSSL.
  const code = String(socket.authorizationError)
  if (untimely.has(code)) return "certificate_expired"
  return knowsAuthorities ? "certificate_untrusted" : undefined
}

/** Undefined: nothing answers with TLS there, or its certificate is acceptable as far as the engine knows. */
export const certificateFault = ({
  authorities,
  host,
  port
}: CertifiedPlace): Effect.Effect<CertificateFault | undefined> =>
  Effect.gen(function* () {
    const ca =
      authorities === undefined
        ? undefined
        : yield* Effect.promise(() => readFile(authorities, "utf8").catch(() => undefined))
    const knowsAuthorities = authorities === undefined || ca !== undefined
    return yield* Effect.callback<CertificateFault | undefined>((resume) => {
      const socket = connect({
        host,
        port,
        ...(ca !== undefined && { ca }),
        ...(isIP(host) === 0 && { servername: host }),
        // It is judged below. Nothing is sent over this connection.
        rejectUnauthorized: false
      })
      socket.once("error", () => resume(Effect.undefined))
      socket.once("secureConnect", () => resume(Effect.succeed(faultOf(socket, host, knowsAuthorities))))
      return Effect.sync(() => socket.destroy())
    }).pipe(Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.undefined }))
  })
