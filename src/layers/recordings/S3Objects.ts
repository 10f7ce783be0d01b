// Stores objects in an object store with the S3 protocol.
import { Readable } from "node:stream"
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3"
import type { Objects } from "./Objects.ts"
import type { S3Place } from "./S3Place.ts"

const ignore = () => {}
/** Failures are returned to the caller; without this logger the client would also write them to the console. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/**
 * Stores other than Amazon's often lack virtual-host buckets and the newer checksums. So their buckets are addressed by
 * path, and only required checksums are sent. The cipher authenticates the stored bytes. A stream can be sent once, so
 * the client does not retry; the engine repeats a failed upload itself.
 */
const clientOf = ({ credentials, endpoint, region }: S3Place): S3Client =>
  new S3Client({
    region,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
    logger: silent,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials })
  })

export const s3Objects = (place: S3Place): Objects & { readonly close: () => void } => {
  const client = clientOf(place)
  const at = (key: string) => ({ Bucket: place.bucket, Key: place.prefix + key })

  async function* get(key: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    const { Body } = await client.send(new GetObjectCommand({ ...at(key), Range: `bytes=${start}-${end - 1}` }))
    yield* Body as Readable
  }

  return {
    put: async (key, size_bytes, bytes) => {
      const Body = Readable.from(bytes, { objectMode: false })
      const broken = new AbortController()
      // Without the abort the client would wait for the rest of a body that ended with an error.
      Body.once("error", (error) => broken.abort(error))
      const command = new PutObjectCommand({
        ...at(key),
        Body,
        ContentLength: size_bytes,
        ContentType: "application/octet-stream"
      })
      try {
        await client.send(command, { abortSignal: broken.signal })
      } catch (error) {
        throw broken.signal.aborted ? broken.signal.reason : error
      } finally {
        Body.destroy()
      }
    },
    get,
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    close: () => client.destroy()
  }
}
