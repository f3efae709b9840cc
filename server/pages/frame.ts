import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CreatePages, KeepRule, Pages, StillPage, Styles } from '@stagedoor/contract/page-frame.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../kernel/context.ts';
import { type Body, type Piece, toPiece, wholeBody } from './encoding.ts';

export type Frame = {
  pages(): Promise<Pages<Request, Response>> | Pages<Request, Response>;
  /** The cache key of a page. Undefined when it is not cacheable. */
  keptPath(url: string): string | undefined;
  readonly styles: Styles;
  bodyOf(page: StillPage): Body;
  readonly clientDir: string;
};

type Build = {
  entry: { module: { createPages: CreatePages<Request, Response> } };
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

/** Undefined when free text is among the parameters. */
export function keptPath(url: string, rule: (pathname: string) => KeepRule | undefined): string | undefined {
  const mark = url.indexOf('?');
  const pathname = mark < 0 ? url : url.slice(0, mark);
  const found = rule(pathname);
  if (!found) return undefined;
  if (mark < 0) return pathname;
  const given = new URLSearchParams(url.slice(mark + 1));
  if (found.freeText.some((name) => given.get(name))) return undefined;
  const read = new URLSearchParams();
  for (const name of found.query) {
    const value = given.get(name);
    if (value !== null) read.set(name, value);
  }
  const search = read.toString();
  return search === '' ? pathname : `${pathname}?${search}`;
}

type Sheets = Pick<Frame, 'styles' | 'bodyOf'>;

const MAX_PIECES = 200;

async function readSheets(build: Build, clientDir: string): Promise<Sheets> {
  const addresses = new Set(Object.values(build.assets.routes).flatMap((route) => route?.css ?? []));
  const texts = new Map<string, string>();
  for (const address of addresses)
    texts.set(address, await readFile(path.join(clientDir, address.replace(/[?#].*/, '')), 'utf8'));
  const elements = new Map<string, Buffer>();
  const pieces = new Map<string, Piece>();
  return {
    styles: (wanted) => {
      const key = wanted.join(' ');
      if (!elements.has(key) && wanted.length > 0 && wanted.every((address) => texts.has(address))) {
        const text = [...new Set(wanted)].map((address) => texts.get(address)).join('\n');
        elements.set(key, Buffer.from(`<style>${text}</style>`));
      }
      return elements.get(key);
    },
    bodyOf: ({ head, styles, tail }) => {
      if (styles === '') return wholeBody(Buffer.from(head + tail));
      const piece = pieces.get(styles) ?? toPiece(Buffer.from(styles));
      if (pieces.size >= MAX_PIECES) pieces.clear();
      pieces.set(styles, piece);
      return { head: Buffer.from(head), piece, tail: Buffer.from(tail) };
    },
  };
}

async function openBuild(ctx: Context, report: (error: unknown) => void): Promise<Frame> {
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
  const sheets = await readSheets(build, clientDir);
  return {
    pages: () => pages,
    keptPath: (url) => keptPath(url, (pathname) => pages.keepRule(pathname)),
    ...sheets,
    clientDir,
  };
}

async function openVite(scope: FastifyInstance, report: (error: unknown) => void): Promise<Frame> {
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
    keptPath: () => undefined,
    styles: () => undefined,
    bodyOf: ({ head, styles, tail }) => wholeBody(Buffer.from(head + styles + tail)),
    clientDir: path.join(web, 'public'),
  };
}

/** Throws a readable error when there is no build. */
export async function openFrame(scope: FastifyInstance, ctx: Context): Promise<Frame> {
  const report = (error: unknown) => ctx.log.error({ err: error }, 'a page failed');
  return ctx.config.isHotReload ? openVite(scope, report) : openBuild(ctx, report);
}
