const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether the text is a UUID (RFC 9562, section 4), in either case. */
export const isUuid = (text: string): boolean => uuid.test(text)
