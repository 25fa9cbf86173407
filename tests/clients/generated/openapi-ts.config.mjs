/** The TypeScript client: fetch, with every answer checked against its schema. Input and output are given as arguments. */
// biome-ignore lint/style/noDefaultExport: openapi-ts reads it
export default {
  plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: { response: 'zod' } }],
}
