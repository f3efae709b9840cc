import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  CreatePageRenderer,
  InlineStyles,
  PageCacheRule,
  PageRenderer,
  StaticPage,
} from '@stagedoor/contract/shared/page-frame.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { type PageBody, type SharedPiece, toBody, toSharedPiece } from './encoding.ts';

export type PageFrame = {
  pages(): Promise<PageRenderer<Request, Response>> | PageRenderer<Request, Response>;
  /** The cache key of a page. Undefined when it is not cacheable. */
  findCacheKey(url: string): string | undefined;
  readonly styles: InlineStyles;
  toPageBody(page: StaticPage): PageBody;
  readonly clientDir: string;
};

type Build = {
  entry: { module: { createPages: CreatePageRenderer<Request, Response> } };
  assets: { routes: Record<string, { css?: string[] } | undefined> };
};

const web = fileURLToPath(new URL('../../web/', import.meta.url));

function isBuild(value: unknown): value is Build {
  if (typeof value !== 'object' || value === null || !('entry' in value) || !('assets' in value)) return false;
  const { entry } = value;
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'module' in entry &&
    typeof entry.module === 'object' &&
    entry.module !== null &&
    'createPages' in entry.module
  );
}

const CODE = /^[A-Z0-9]{1,20}$/;

/** Undefined when free text, or what cannot be a code, is among the parameters. */
export function findCacheKey(url: string, rule: (pathname: string) => PageCacheRule | undefined): string | undefined {
  const mark = url.indexOf('?');
  const pathname = mark < 0 ? url : url.slice(0, mark);
  const cacheRule = rule(pathname);
  if (!cacheRule) return undefined;
  if (mark < 0) return pathname;
  const parameters = new URLSearchParams(url.slice(mark + 1));
  if (cacheRule.freeText.some((name) => parameters.get(name))) return undefined;
  const usedParameters = new URLSearchParams();
  for (const name of cacheRule.query) {
    const value = parameters.get(name);
    if (value !== null) usedParameters.set(name, value);
  }
  for (const name of cacheRule.codes) {
    const code = parameters.get(name)?.trim().toUpperCase() ?? '';
    if (code === '') continue;
    if (!CODE.test(code)) return undefined;
    usedParameters.set(name, code);
  }
  const search = usedParameters.toString();
  return search === '' ? pathname : `${pathname}?${search}`;
}

type StyleSheets = Pick<PageFrame, 'styles' | 'toPageBody'>;

const MAX_PIECES = 200;

async function readStyleSheets(build: Build, clientDir: string): Promise<StyleSheets> {
  const addresses = new Set(Object.values(build.assets.routes).flatMap((route) => route?.css ?? []));
  const texts = new Map<string, string>();
  for (const address of addresses)
    texts.set(address, await readFile(path.join(clientDir, address.replace(/[?#].*/, '')), 'utf8'));
  const elements = new Map<string, Buffer>();
  const pieces = new Map<string, SharedPiece>();
  return {
    styles: (wanted) => {
      const key = wanted.join(' ');
      if (!elements.has(key) && wanted.length > 0 && wanted.every((address) => texts.has(address))) {
        const text = [...new Set(wanted)].map((address) => texts.get(address)).join('\n');
        elements.set(key, Buffer.from(`<style>${text}</style>`));
      }
      return elements.get(key);
    },
    toPageBody: ({ head, styles, tail }) => {
      if (styles === '') return toBody(Buffer.from(head + tail));
      const piece = pieces.get(styles) ?? toSharedPiece(Buffer.from(styles));
      if (pieces.size >= MAX_PIECES) pieces.clear();
      pieces.set(styles, piece);
      return { head: Buffer.from(head), piece, tail: Buffer.from(tail) };
    },
  };
}

async function openBuild(ctx: Context, report: (error: unknown) => void): Promise<PageFrame> {
  const file = path.join(web, 'build', 'server', 'index.js');
  const clientDir = path.join(web, 'build', 'client');
  let build: unknown;
  try {
    build = await import(pathToFileURL(file).href);
  } catch (error) {
    ctx.log.error({ err: error }, 'the pages are not built');
    throw new Error('The pages are not built, or their build is broken: `npm start` builds them.', { cause: error });
  }
  if (!isBuild(build)) throw new Error('The build of the pages does not fit this server: build it again.');
  const pages = build.entry.module.createPages(build, 'production', report);
  const styleSheets = await readStyleSheets(build, clientDir);
  return {
    pages: () => pages,
    findCacheKey: (url) => findCacheKey(url, (pathname) => pages.findCacheRule(pathname)),
    ...styleSheets,
    clientDir,
  };
}

async function openVite(scope: FastifyInstance, report: (error: unknown) => void): Promise<PageFrame> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: web,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: scope.server, path: '/__hmr' } },
  });
  scope.addHook('onRequest', (request, reply, done) => {
    vite.middlewares(request.raw, reply.raw, () => done());
  });
  scope.addHook('onClose', async () => vite.close());
  const pages = async () => {
    try {
      const build: unknown = await vite.ssrLoadModule('virtual:react-router/server-build');
      if (!isBuild(build)) throw new Error('the pages export no createPages');
      return build.entry.module.createPages(build, 'development', report);
    } catch (error) {
      if (error instanceof Error) vite.ssrFixStacktrace(error);
      throw error;
    }
  };
  return {
    pages,
    findCacheKey: () => undefined,
    styles: () => undefined,
    toPageBody: ({ head, styles, tail }) => toBody(Buffer.from(head + styles + tail)),
    clientDir: path.join(web, 'public'),
  };
}

/** Throws a readable error when there is no build. */
export async function openFrame(scope: FastifyInstance, ctx: Context): Promise<PageFrame> {
  const report = (error: unknown) => ctx.log.error({ err: error }, 'a page failed');
  return ctx.config.isHotReload ? openVite(scope, report) : openBuild(ctx, report);
}
