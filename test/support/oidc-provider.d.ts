// As much of the package as the tests use: it comes without types.
declare module "oidc-provider" {
  import type { RequestListener } from "node:http"
  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    callback(): RequestListener
  }
}
