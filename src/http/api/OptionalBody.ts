/** Marks the request body of an operation as optional in the OpenAPI document, where all of its members are. */
export const withOptionalBody = (operation: Record<string, unknown>) => ({
  ...operation,
  requestBody: { ...Object(operation["requestBody"]), required: false }
})
