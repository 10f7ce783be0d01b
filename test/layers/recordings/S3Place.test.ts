import { describe, expect, it } from "@effect/vitest"
import { s3Fault, s3Place } from "../../../src/layers/recordings/S3Place.ts"

describe("RECORDINGS_URL", () => {
  it.each([
    ["s3://calls", { bucket: "calls", prefix: "", region: "us-east-1" }],
    ["s3://calls/a/b/?region=eu-west-1", { bucket: "calls", prefix: "a/b/", region: "eu-west-1" }],
    [
      "s3://key:s%2Fecret@calls?endpoint=http://127.0.0.1:9000",
      {
        bucket: "calls",
        prefix: "",
        region: "us-east-1",
        endpoint: "http://127.0.0.1:9000",
        credentials: { accessKeyId: "key", secretAccessKey: "s/ecret" }
      }
    ]
  ])("%s is accepted", (text, place) => {
    expect(s3Fault(text)).toEqual([])
    expect(s3Place(text)).toEqual(place)
  })

  it.each(["s3://", "s3://calls?endpoint=minio", "s3://calls?bucket=x", "s3://key@calls", "s3://:hidden@calls"])(
    "%s is refused, and not repeated",
    (text) => {
      expect(s3Fault(text)).toHaveLength(1)
      expect(s3Fault(text)[0]).not.toContain("hidden")
    }
  )
})
