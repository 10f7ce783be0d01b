/** The id of what is created once per name: a version 8 UUID (RFC 9562) from the SHA-256 of the name, in hex. */
export const namedId = (sha256: string): string =>
  sha256.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5")
