/** What is made once under a name has an id that follows from it: a UUID of version 8 of the name's SHA-256, in hex. */
export const namedId = (sha256: string): string =>
  sha256.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5")
