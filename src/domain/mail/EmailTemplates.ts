// What the engine writes to people.
import type { Letter } from "./Mail.ts"

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** A subject is one line. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

interface Content {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
  readonly link?: { readonly label: string; readonly url: string }
  readonly closing: string
}

const letter = ({ closing, link, paragraphs, subject }: Content): Letter => {
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

const not_you = "If this was not you, do nothing: without the link nobody gets in."

export const signInEmail = (url: string): Letter =>
  letter({
    subject: "Sign in to trunkline",
    paragraphs: ["Here is the link that signs you in. It works once, for 15 minutes."],
    link: { label: "Sign in", url },
    closing: not_you
  })

/** To an address that nobody has an account with: as quick to write as the other one, so that nobody learns which it was. */
export const noAccountEmail = (base_url: string): Letter =>
  letter({
    subject: "Sign in to trunkline",
    paragraphs: [
      `Somebody asked for a link to sign in at ${base_url} with this address, but there is no account with it.`,
      "If it was you, sign up with this address first, or sign in with the one that you signed up with."
    ],
    closing: "If this was not you, do nothing."
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
      "The invitation is good for seven days, for this address."
    ],
    link: { label: "See the invitation", url: invitation.url },
    closing: "If you do not know the sender, do nothing."
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
        ? `${disabled.url} answered an event with 410 Gone, so nothing is sent there any more.`
        : `${disabled.url} has not taken a single event for five days, so nothing is sent there any more.`,
      "Set the status of the subscription to active when the receiver is back; what was given up meanwhile can be replayed."
    ],
    closing: "You are told because you look after the workspace."
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
      `The key "${key.label}", which begins with ${key.prefix}, expires on ${key.expires_at.toISOString().slice(0, 10)}.`,
      "Make a new key and put it in its place before then; requests with the old one are refused afterwards."
    ],
    closing: "You are told because you look after the workspace."
  })
