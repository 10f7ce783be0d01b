// Users of the chat app as destinations: `chatapp:` and their number (docs/chat-app.md).
const scheme = /^chatapp:/i

/** A number of ITU-T recommendation E.164, or a user of the chat app with such a number. */
export const e164OrUser = /^(chatapp:)?\+[1-9]\d{6,14}$/

/** The number of the user; undefined if the destination is not in the chat app. */
export const chatAppUser = (to: string): string | undefined => (scheme.test(to) ? to.replace(scheme, "") : undefined)
