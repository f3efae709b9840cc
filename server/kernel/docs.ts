/** The API's document, and a page to read it on. Everything on it comes from us: it works without any other network. */
import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { openApi } from './openapi.ts';

/** Serves `/api/openapi.json` and `/api/docs`. */
export async function serveDocs(app: FastifyInstance, publicUrl: string): Promise<void> {
  const document = openApi(publicUrl);
  app.get('/api/openapi.json', async (_request, reply) => reply.header('cache-control', 'no-cache').send(document));
  await app.register(async (scope) => {
    // The page is written by the library, whose scripts do not know this answer's nonce.
    scope.addHook('onSend', async ({ cspNonce }, reply, payload) => {
      const isPage = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
      return isPage ? payload.replaceAll('<script', `<script nonce="${cspNonce}"`) : payload;
    });
    await scope.register(apiReference, {
      routePrefix: '/api/docs',
      configuration: {
        url: '/api/openapi.json',
        hideClientButton: true,
        telemetry: false,
        withDefaultFonts: false,
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    });
  });
}
