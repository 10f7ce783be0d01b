/**
 * Who reports: the gateway of this id, or whoever bears the common secret, which speaks for all gateways but those that
 * have a secret of their own.
 */
export type Speaker = string | { readonly except: ReadonlySet<string> }

export const speaksFor = (speaker: Speaker, gateway_id: string): boolean =>
  typeof speaker === "string" ? speaker === gateway_id : !speaker.except.has(gateway_id)
