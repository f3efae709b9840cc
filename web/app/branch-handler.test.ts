import { type EntryContext, RouterContextProvider, type ServerBuild } from 'react-router';
import { expect, test } from 'vitest';
import { createBranchHandler } from './branch-handler.ts';

type Rendered = { routes: string[]; matches: string[]; data: unknown; status: number; routeCount: number };

function render(_request: Request, status: number, _headers: Headers, router: EntryContext): Response {
  const { matches, loaderData } = router.staticHandlerContext;
  const rendered: Rendered = {
    routes: Object.keys(router.routeModules),
    matches: matches.map(({ route }) => route.id),
    data: loaderData,
    status,
    routeCount: Object.keys(router.manifest.routes).length,
  };
  return Response.json(rendered, { status });
}

function build(): ServerBuild {
  const routes: ServerBuild['routes'] = {};
  const manifest: ServerBuild['assets']['routes'] = {};
  const add = (id: string, parentId: string | undefined, path: string | undefined, index = false) => {
    routes[id] = {
      id,
      ...(parentId && { parentId }),
      ...(path !== undefined && { path }),
      ...(index && { index }),
      module: { default: () => null, loader: ({ params }) => ({ id, params }) },
    };
    manifest[id] = {
      id,
      ...(parentId && { parentId }),
      ...(path !== undefined && { path }),
      module: `/${id}.js`,
      hasAction: false,
      hasLoader: true,
      hasClientAction: false,
      hasClientLoader: false,
      hasClientMiddleware: false,
      hasErrorBoundary: false,
      clientActionModule: undefined,
      clientLoaderModule: undefined,
      clientMiddlewareModule: undefined,
      hydrateFallbackModule: undefined,
    };
  };
  add('root', undefined, '');
  add('shell', 'root', undefined);
  add('home', 'shell', undefined, true);
  add('profile', 'shell', 'profile/:id');
  add('chat', 'shell', 'chat');
  add('chat-index', 'chat', undefined, true);
  add('chat-thread', 'chat', ':id');
  add('nowhere', 'shell', '*');
  return {
    entry: { module: { default: render } },
    routes,
    assets: { entry: { imports: [], module: '/entry.js' }, routes: manifest, url: '/manifest.js', version: '1' },
    basename: '/',
    publicPath: '/',
    assetsBuildDirectory: 'assets',
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
    allowedActionOrigins: false,
  };
}

async function request(path: string, leaf: string | undefined): Promise<Rendered> {
  const handle = createBranchHandler(build(), 'production', () => leaf);
  const response = await handle(new Request(`http://localhost${path}`), new RouterContextProvider());
  return response.json();
}

test.each([
  ['/', 'home', ['root', 'shell', 'home']],
  ['/?a=b', 'home', ['root', 'shell', 'home']],
  ['/profile/anna', 'profile', ['root', 'shell', 'profile']],
  ['/profile/a%2Fb/', 'profile', ['root', 'shell', 'profile']],
  ['/chat', 'chat-index', ['root', 'shell', 'chat', 'chat-index']],
  ['/chat/7', 'chat-thread', ['root', 'shell', 'chat', 'chat-thread']],
  ['/else/where', 'nowhere', ['root', 'shell', 'nowhere']],
])('%s gives the same result with its own branch as with the whole route table', async (path, leaf, branch) => {
  const whole = await request(path, undefined);
  const alone = await request(path, leaf);
  expect(whole.matches).toEqual(branch);
  expect({ ...alone, routes: [], routeCount: 0 }).toEqual({ ...whole, routes: [], routeCount: 0 });
  expect(alone.routes).toEqual(branch);
  expect(whole.routeCount).toBe(8);
});

test('data requests of the client router are handled with the whole route table', async () => {
  const lookedUp: string[] = [];
  const handle = createBranchHandler(build(), 'production', (pathname) => {
    lookedUp.push(pathname);
    return undefined;
  });
  const response = await handle(new Request('http://localhost/profile/anna.data'), new RouterContextProvider());
  expect(response.headers.get('content-type')).toContain('text/x-script');
  expect(lookedUp).toEqual([]);
});
