// The emails that the engine sends.
import type { Letter } from "./Mail.ts"

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Line breaks in a subject would start another header. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

interface Content {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
  readonly link?: { readonly label: string; readonly url: string }
  readonly closing: string
}

export const letter = ({ closing, link, paragraphs, subject }: Content): Letter => {
  const button =
    link &&
    `<p><a href="${escaped(link.url)}" style="display:inline-block;padding:10px 18px;background:#1a56db;color:#fff;border-radius:6px;text-decoration:none">${escaped(
      link.label
    )}</a></p><p style="font-size:13px;color:#555">Or open this address: ${escaped(link.url)}</p>`
  const body = paragraphs.map((text) => `<p>${escaped(text)}</p>`).join("")
  return {
    subject: oneLine(subject),
    text: `${[...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : []), closing].join("\n\n")}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:15px;color:#111">${body}${
      button ?? ""
    }<p style="font-size:13px;color:#555">${escaped(closing)}</p></body></html>`
  }
}

const notYou = "If this was not you, ignore this message: nobody can sign in without the link."

export const signInEmail = (url: string): Letter =>
  letter({
    subject: "Sign in to trunkline",
    paragraphs: ["Here is the link that signs you in. It works once, for 15 minutes."],
    link: { label: "Sign in", url },
    closing: notYou
  })

/**
 * To an address without an account. It takes as long as `signInEmail`, so that timing does not show which addresses
 * have an account.
 */
export const noAccountEmail = (base_url: string): Letter =>
  letter({
    subject: "Sign in to trunkline",
    paragraphs: [
      `Somebody requested a sign-in link for this address at ${base_url}, but no account uses this address.`,
      "If it was you, sign up with this address first, or sign in with the address of your account."
    ],
    closing: "If this was not you, ignore this message."
  })

export const invitationEmail = (invitation: {
  readonly workspace: string
  readonly invited_by: string
  readonly role: string
  readonly url: string
}): Letter =>
  letter({
    subject: `You are invited to ${invitation.workspace}`,
    paragraphs: [
      `${invitation.invited_by} invites you to the workspace ${oneLine(invitation.workspace)} as ${invitation.role}.`,
      "The invitation is valid for seven days, for this address only."
    ],
    link: { label: "View the invitation", url: invitation.url },
    closing: "If you do not know the sender, ignore this message."
  })

export const webhookDisabledEmail = (disabled: {
  readonly workspace: string
  readonly url: string
  readonly reason: "receiver_gone" | "failing"
}): Letter =>
  letter({
    subject: `A webhook of ${disabled.workspace} was disabled`,
    paragraphs: [
      disabled.reason === "receiver_gone"
        ? `${disabled.url} answered an event with 410 Gone. Events are no longer sent there.`
        : `${disabled.url} has not accepted an event for five days. Events are no longer sent there.`,
      "When the receiver works again, set the status of the subscription to active. Failed deliveries can be replayed."
    ],
    closing: "You receive this message because you are an admin of the workspace."
  })

export const keyExpiryEmail = (key: {
  readonly workspace: string
  readonly label: string
  readonly prefix: string
  readonly expires_at: Date
}): Letter =>
  letter({
    subject: `An API key of ${key.workspace} expires soon`,
    paragraphs: [
      `The key "${key.label}", which ends with ${key.prefix}, expires on ${key.expires_at.toISOString().slice(0, 10)}.`,
      "Replace it with a new key before then. Requests with an expired key are refused."
    ],
    closing: "You receive this message because you are an admin of the workspace."
  })
