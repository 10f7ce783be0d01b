// The types of the package that the tests use; it has none.
declare module "oidc-provider" {
  import type { RequestListener } from "node:http"
  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    callback(): RequestListener
  }
}
