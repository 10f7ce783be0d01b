// Where an object store is: `s3://key:secret@bucket/prefix?endpoint=…&region=…`.

export interface S3Place {
  readonly bucket: string
  /** Before every key; empty, or ends with a slash. */
  readonly prefix: string
  /** Absent: Amazon's own. */
  readonly endpoint?: string
  readonly region: string
  /** Absent: where the SDK finds some: the environment, a profile, the machine's role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

const members = new Set(["endpoint", "region"])

/** What is wrong with it, without the secret that it may hold. */
export const s3Fault = (text: string): ReadonlyArray<string> => {
  const url = URL.parse(text)
  const wrong =
    url === null ||
    url.hostname === "" ||
    [...url.searchParams.keys()].some((name) => !members.has(name)) ||
    !/^https?:\/\/[^\s/]|^$/.test(url.searchParams.get("endpoint") ?? "") ||
    (url.username === "") !== (url.password === "")
  return wrong
    ? ["RECORDINGS_URL is not valid. It may be: s3://[key:secret@]bucket[/prefix][?endpoint=https://…&region=…]."]
    : []
}

/** Of a text without fault. */
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
