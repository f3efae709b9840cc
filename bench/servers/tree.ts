/**
 * Captures the build's rendering of one page with all its arguments, so that it can be repeated without routing,
 * loading, styles and compression.
 */
const built = new URL('../../web/build/server/index.js', import.meta.url);

type Render = (...given: unknown[]) => Promise<Response>;
type Call = { method: string; path: string };
type Facts = { transport: (call: Call) => Promise<{ status: number; body: unknown }>; [name: string]: unknown };
type Pages = { respond(request: Request, facts: Facts): Promise<unknown> };
type Module = { default: Render; createPages(build: unknown, mode: string, report: (error: unknown) => void): Pages };

/**
 * Renders a visitor's page of the product at `origin` once and returns a function that renders it again. Throws when it
 * is not rendered.
 */
export async function captureTree(origin: string, path: string): Promise<() => Promise<unknown>> {
  const build: { entry: { module: Module } } = await import(built.href);
  const { module } = build.entry;
  let given: unknown[] | undefined;
  const caught: Module = {
    ...module,
    default: (...all) => {
      // The loader data is sent to the browser by a stream that can be read only once. A visitor's page does not need
      // it.
      given = all.map((each, place) =>
        place === 3 ? Object.assign({}, each, { serverHandoffStream: undefined }) : each,
      );
      return module.default(...given);
    },
  };
  const pages = module.createPages({ ...build, entry: { module: caught } }, 'production', console.error);
  await pages.respond(new Request(origin + path), {
    transport: async ({ path: call }) => {
      const answer = await fetch(origin + call);
      return { status: answer.status, body: await answer.json() };
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
  const caughtOnce = given;
  if (!caughtOnce) throw new Error(`${path} was not rendered.`);
  return () => module.default(...caughtOnce);
}
