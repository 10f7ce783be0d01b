/** The API key in the header Authorization. Only the scheme Bearer carries one. */
export const apiKeyOf = (authorization: string | undefined): string | undefined =>
  /^bearer\s+(\S.*)$/is.exec(authorization ?? "")?.[1]
