// The location of an object store: `s3://key:secret@bucket/prefix?endpoint=…&region=…`.

export interface S3Place {
  readonly bucket: string
  /** Prepended to every key. Empty, or ends with a slash. */
  readonly prefix: string
  /** Absent: Amazon S3. */
  readonly endpoint?: string
  readonly region: string
  /** Absent: the SDK finds them in the environment, a profile or the machine's role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

const members = new Set(["endpoint", "region"])

/** The problems of a RECORDINGS_URL, without the secret that it may contain. Empty if it is valid. */
export const s3Fault = (text: string): ReadonlyArray<string> => {
  const url = URL.parse(text)
  const wrong =
    url === null ||
    url.hostname === "" ||
    [...url.searchParams.keys()].some((name) => !members.has(name)) ||
    !/^https?:\/\/[^\s/]|^$/.test(url.searchParams.get("endpoint") ?? "") ||
    (url.username === "") !== (url.password === "")
  return wrong
    ? ["RECORDINGS_URL is not valid. Allowed: s3://[key:secret@]bucket[/prefix][?endpoint=https://…&region=…]."]
    : []
}

/** Parses a URL for which `s3Fault` finds no problem. */
export const s3Place = (text: string): S3Place => {
  const url = new URL(text)
  const endpoint = url.searchParams.get("endpoint")
  const folder = url.pathname.replace(/^\/+|\/+$/g, "")
  return {
    bucket: url.hostname,
    prefix: folder === "" ? "" : `${folder}/`,
    region: url.searchParams.get("region") ?? "us-east-1",
    ...(endpoint !== null && { endpoint }),
    ...(url.username !== "" && {
      credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) }
    })
  }
}
