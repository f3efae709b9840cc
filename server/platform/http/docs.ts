import fastify, { type FastifyInstance } from 'fastify';
import type { NamedRoute } from '../module.ts';
import { createOpenApi } from './openapi.ts';

const PREFIX = '/api/docs';

/** Loaded on first use because the library takes 60 MB and is rarely needed. */
async function openDocsPage(): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const page = fastify({ logger: false });
  await page.register(apiReference, {
    routePrefix: PREFIX,
    configuration: {
      url: '/api/openapi.json',
      hideClientButton: true,
      telemetry: false,
      withDefaultFonts: false,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  await page.ready();
  return page;
}

export async function serveDocs(app: FastifyInstance, publicUrl: string, routes: readonly NamedRoute[]): Promise<void> {
  let document: string | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(createOpenApi(publicUrl, routes));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
  let pagePromise: Promise<FastifyInstance> | undefined;
  for (const url of [PREFIX, `${PREFIX}/*`]) {
    app.get(url, async (request, reply) => {
      pagePromise ??= openDocsPage();
      const response = await (await pagePromise).inject({ method: 'GET', url: request.url });
      for (const name of ['content-type', 'location', 'cache-control']) {
        const value = response.headers[name];
        if (value !== undefined) reply.header(name, value);
      }
      reply.status(response.statusCode);
      const isPage = String(response.headers['content-type']).startsWith('text/html');
      // The library writes script tags without the nonce of this response.
      return isPage
        ? response.payload.replaceAll('<script', `<script nonce="${request.cspNonce}"`)
        : response.rawPayload;
    });
  }
  app.addHook('onClose', async () => (await pagePromise)?.close());
}
