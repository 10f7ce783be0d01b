// Why the certificate of the provider's SIP host is not accepted. It will not be at the next probe either.

/** What a gateway reports as the reason, and what the trunk then shows. */
export const certificateFaults = {
  certificate_name: "The certificate of the chat-app provider's SIP host has another name.",
  certificate_untrusted: "The certificate of the chat-app provider's SIP host is of an issuer that is not trusted.",
  certificate_expired: "The certificate of the chat-app provider's SIP host is not valid at this time."
} as const

export type CertificateFault = keyof typeof certificateFaults

/** Gateways may report other reasons. */
export const certificateFaultOf = (reason: string | undefined): string | undefined =>
  reason !== undefined && Object.hasOwn(certificateFaults, reason)
    ? certificateFaults[reason as CertificateFault]
    : undefined
