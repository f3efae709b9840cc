/**
 * Captures the build's rendering of one page with all its arguments, so that it can be repeated without routing,
 * loading, styles and compression.
 */
const buildUrl = new URL('../../web/build/server/index.js', import.meta.url);

type RenderPage = (...renderArgs: unknown[]) => Promise<Response>;
type ApiCall = { method: string; path: string };
type RequestContext = {
  transport: (apiPath: ApiCall) => Promise<{ status: number; body: unknown }>;
  [name: string]: unknown;
};
type Pages = { respond(request: Request, context: RequestContext): Promise<unknown> };
type EntryModule = {
  default: RenderPage;
  createPages(build: unknown, mode: string, report: (error: unknown) => void): Pages;
};

/**
 * Renders a visitor's page of the product at `origin` once and returns a function that renders it again. Throws when it
 * is not rendered.
 */
export async function captureTree(origin: string, path: string): Promise<() => Promise<unknown>> {
  const build: { entry: { module: EntryModule } } = await import(buildUrl.href);
  const { module } = build.entry;
  let renderArgs: unknown[] | undefined;
  const capturing: EntryModule = {
    ...module,
    default: (...args) => {
      // The loader data is sent to the browser by a stream that can be read only once. A visitor's page does not need
      // it.
      renderArgs = args.map((arg, index) =>
        index === 3 ? Object.assign({}, arg, { serverHandoffStream: undefined }) : arg,
      );
      return module.default(...renderArgs);
    },
  };
  const pages = module.createPages({ ...build, entry: { module: capturing } }, 'production', console.error);
  await pages.respond(new Request(origin + path), {
    transport: async ({ path: apiPath }) => {
      const response = await fetch(origin + apiPath);
      return { status: response.status, body: await response.json() };
    },
    isSignedIn: false,
    theme: undefined,
    isOfAge: false,
    nonce: 'nonce',
    origin,
    contactMail: '',
    isDevelopment: false,
    styles: () => undefined,
  });
  const capturedArgs = renderArgs;
  if (!capturedArgs) throw new Error(`${path} was not rendered.`);
  return () => module.default(...capturedArgs);
}
