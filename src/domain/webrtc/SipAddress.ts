// Addresses, as in From, To and Contact (RFC 3261, sections 20.10 and 25.1), and the senders of Via (section 20.42).
import {
  isToken,
  listOf,
  type Parameters,
  parameters,
  parseNumber,
  patterns,
  printParameters,
  quote,
  type Scanner,
  sipLimits,
  unquote,
  wholly
} from "./SipSyntax.ts"
import { isHost, isPort, parseUri, printUri, type SipUri } from "./SipUri.ts"

export interface SipAddress {
  readonly display: string | undefined
  readonly uri: SipUri
  /** The parameters of the address, not of its URI. */
  readonly parameters: Parameters
}

const displayWords = /(?:[A-Za-z0-9.!%*_+`'~-]+(?: +[A-Za-z0-9.!%*_+`'~-]+)* *)?(?=<)/y
const enclosed = /<[^<>"\p{Cc}]*>/uy
/** Without angle brackets, semicolons, commas and question marks end the URI. */
const bare = /[^<>"\p{Cc} ;,?]+/uy

const address = (scanner: Scanner): SipAddress | undefined => {
  const quoted = scanner.take(patterns.quoted)
  if (quoted === undefined) {
    const words = scanner.take(displayWords)?.trim()
    const uri = words === undefined ? scanner.take(bare) : scanner.take(enclosed)?.slice(1, -1)
    return addressOf(scanner, words === "" ? undefined : words, uri)
  }
  scanner.take(patterns.space)
  return addressOf(scanner, unquote(quoted), scanner.take(enclosed)?.slice(1, -1))
}

const addressOf = (scanner: Scanner, display: string | undefined, text: string | undefined): SipAddress | undefined => {
  const uri = text === undefined ? undefined : parseUri(text)
  const found = uri && parameters(scanner)
  return uri && found && { display, uri, parameters: found }
}

/** Undefined if the text is not exactly one address. */
export const parseAddress = wholly(address)
export const parseAddresses = wholly(listOf(address))

export const printAddress = ({ display, parameters: values, uri }: SipAddress): string =>
  `${display === undefined ? "" : `${quote(display)} `}<${printUri(uri)}>${printParameters(values)}`

/** A party of a dialog: From or To. */
export interface Party {
  readonly display: string | undefined
  readonly uri: SipUri
  readonly tag: string | undefined
}

export const parseParty = (text: string): Party | undefined => {
  const found = parseAddress(text)
  if (found === undefined) return undefined
  const tag = found.parameters.get("tag")
  if (found.parameters.has("tag") && (tag === undefined || !isToken(tag))) return undefined
  return { display: found.display, uri: found.uri, tag }
}

export const printParty = ({ display, tag, uri }: Party): string =>
  printAddress({ display, uri, parameters: new Map(tag === undefined ? [] : [["tag", tag]]) })

export interface Via {
  readonly transport: string
  readonly host: string
  readonly port: number | undefined
  readonly parameters: Parameters
  readonly branch: string
}

const protocol = /SIP *\/ *2\.0 *\/ *(?=[A-Za-z])/iy
const transport = /[A-Za-z0-9-]{1,16}(?= )/y
const sentBy = /(?:[A-Za-z0-9.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])/y
const port = / *: *(?=\d)/y

const via = (scanner: Scanner): Via | undefined => {
  if (scanner.take(protocol) === undefined) return undefined
  const name = scanner.take(transport)
  scanner.take(patterns.space)
  const host = scanner.take(sentBy)
  const hasPort = scanner.take(port) !== undefined
  const number = hasPort ? parseNumber(scanner.take(patterns.digits) ?? "") : undefined
  const found = parameters(scanner)
  const branch = found?.get("branch")
  if (name === undefined || host === undefined || !isHost(host) || found === undefined) return undefined
  if (hasPort && (number === undefined || !isPort(number))) return undefined
  if (branch === undefined || !isToken(branch) || branch.length > sipLimits.word) return undefined
  return { transport: name.toUpperCase(), host, port: number, parameters: found, branch }
}

export const parseVias = wholly(listOf(via))

export const printVia = ({ host, parameters: values, port: number, transport: name }: Via): string =>
  `SIP/2.0/${name} ${host}${number === undefined ? "" : `:${number}`}${printParameters(values)}`
