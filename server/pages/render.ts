/** Renders one page: the request as the web knows it, calls to the API in process, and the whole answer in memory. */
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import type { Context } from '../kernel/context.ts';
import type { Frame, PageCall } from './frame.ts';

export type Rendered = {
  status: number;
  headers: Headers;
  body: Buffer;
  cookies: readonly string[];
  isScriptless: boolean;
};

export type RenderOptions = {
  /** Render this path instead of the request's. */
  url?: string;
  /** Told of every API answer. */
  onAnswer?: (body: unknown, status: number) => void;
  /** For everybody alike: nothing of the request but its address, theme and age answer is used. */
  isShared?: boolean;
};

export type Render = (request: FastifyRequest, options: RenderOptions) => Promise<Rendered>;

/** What an action's call may pass on of the API's answer: its cookies. */
function cookiesOf(header: string | string[] | number | undefined): string[] {
  if (header === undefined) return [];
  return Array.isArray(header) ? header : [String(header)];
}

function contactOf(mailFrom: string): string {
  return /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom;
}

/** The request as fetch knows it. Hop-by-hop headers and the body's length are not its own. */
function webRequest(request: FastifyRequest, url: string, isShared: boolean): Request {
  const headers = new Headers();
  if (!isShared) {
    for (const [name, value] of Object.entries(request.headers)) {
      if (
        typeof value === 'string' &&
        name !== 'connection' &&
        name !== 'transfer-encoding' &&
        name !== 'content-length'
      )
        headers.set(name, value);
    }
  }
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : undefined;
  return new Request(url, {
    method: request.method === 'HEAD' ? 'GET' : request.method,
    headers,
    ...(body && { body }),
  });
}

/** Whether an answer is a page: the same addresses with `.data` answer what the app's script asks for. */
export function isHtml({ headers }: { headers: Headers }): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true;
}

export function createRenderer(app: FastifyInstance, ctx: Context, frame: Frame): Render {
  const { config } = ctx;
  const contactMail = contactOf(config.mailFrom);

  return async (request, { url, onAnswer, isShared = false }) => {
    const cookies: string[] = [];
    const forwarded: Record<string, string> = { 'user-agent': request.headers['user-agent'] ?? '' };
    if (!isShared && request.headers.cookie) forwarded.cookie = request.headers.cookie;

    const transport = async ({ method, path, headers, body }: PageCall) => {
      const inject: InjectOptions = {
        method: asMethod(method),
        url: path,
        headers: { ...forwarded, ...headers },
        remoteAddress: request.ip,
      };
      if (typeof body === 'string') inject.payload = body;
      const answer = await app.inject(inject);
      cookies.push(...cookiesOf(answer.headers['set-cookie']));
      const parsed: unknown = answer.payload === '' ? undefined : JSON.parse(answer.payload);
      onAnswer?.(parsed, answer.statusCode);
      return { status: answer.statusCode, body: parsed };
    };

    const pages = await frame.pages();
    // Never by the Host header, which anybody may write.
    const address = `${config.publicUrl}${url ?? request.url}`;
    const response = await pages.respond(webRequest(request, address, isShared), {
      transport,
      isSignedIn: !isShared && request.actor !== undefined,
      theme: request.cookies.theme,
      isOfAge: request.cookies.age === '1',
      nonce: request.cspNonce,
      origin: config.publicUrl,
      contactMail,
      isDevelopment: config.isDevelopment,
      styles: frame.styles,
    });
    const body = Buffer.from(await response.arrayBuffer());
    const isScriptless = isHtml(response) && request.actor === undefined && frame.keptPath(request.url) !== undefined;
    return {
      status: response.status,
      headers: response.headers,
      body,
      cookies: [...response.headers.getSetCookie(), ...cookies],
      isScriptless,
    };
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function asMethod(method: string): (typeof METHODS)[number] {
  const found = METHODS.find((known) => known === method);
  if (!found) throw new Error(`no such method: ${method}`);
  return found;
}
