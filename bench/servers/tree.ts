/**
 * The pages' own components with their data in hand: the build's rendering of one page, caught with all that it was given,
 * to be done again without routing, loading, styles and compression.
 */
const built = new URL('../../web/build/server/index.js', import.meta.url);

type Render = (...given: unknown[]) => Promise<Response>;
type Call = { method: string; path: string };
type Facts = { transport: (call: Call) => Promise<{ status: number; body: unknown }>; [name: string]: unknown };
type Pages = { respond(request: Request, facts: Facts): Promise<unknown> };
type Module = { default: Render; createPages(build: unknown, mode: string, report: (error: unknown) => void): Pages };

/** Renders a visitor's page of the product at `origin` once and answers how to render it again. Throws when it is not rendered. */
export async function captureTree(origin: string, path: string): Promise<() => Promise<unknown>> {
  const build: { entry: { module: Module } } = await import(built.href);
  const { module } = build.entry;
  let given: unknown[] | undefined;
  const caught: Module = {
    ...module,
    default: (...all) => {
      // The loaders' data goes to the browser by a stream that can be read once; a visitor's page doesn't.
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
