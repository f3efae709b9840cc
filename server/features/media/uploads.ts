/**
 * Uploads with tus 1.0. The owner is checked on every request. Bytes stay in a local folder until the upload is
 * complete.
 */
import { appendFile, copyFile, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { PICTURE, VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { FileStore } from '@tus/file-store';
import { Server as TusServer } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorFor } from '../../kernel/acting.ts';
import { requireRole, type Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import { allowedOrigins, callerKey } from '../../kernel/http.ts';
import { newId } from '../../kernel/ids.ts';
import { limitRequests } from '../../kernel/limits.ts';
import type { Actor } from '../../kernel/session.ts';
import { requireGoing } from '../../kernel/switches.ts';
import { originalKey } from './keys.ts';
import { enqueueProcessing, failUpload } from './queue.ts';
import { recognise } from './recognise.ts';
import { MediaError, SENTENCES } from './sentences.ts';
import * as store from './store.ts';
import { isFull } from './video/package.ts';
import { findTools } from './video/tools.ts';

const PATH = '/files';
const UNFINISHED_LIMIT = 40;
const STALE_MS = 24 * 60 * 60_000;
const SWEEP_MS = 60 * 60_000;
const FILE_NAME_LENGTH = 200;
const PER_MINUTE = 600;
const RESERVE_BYTES = 512 * 1024 * 1024;
/** An upload fails after it ended this many processes. Each of them may have been restarted by chance. */
const MOST_LOOKS = 3;
/** Larger uploads go to a remote store after the response was sent. */
const AT_ONCE_BYTES = 64 * 1024 * 1024;

function refusal(status: number, words: string): { status_code: number; body: string } {
  return { status_code: status, body: words };
}

/** Removes control characters and folders, and shortens the name but not its extension. */
export function cleanFileName(name: string | null | undefined): string {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const shown = last.replace(/[\p{Cc}\p{Cf}\p{Co}]/gu, '').trim();
  if (shown.length <= FILE_NAME_LENGTH) return shown;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(shown)?.[0] ?? '';
  return shown.slice(0, FILE_NAME_LENGTH - ending.length) + ending;
}

type NodeRequest = { runtime?: { node?: { req: { url?: string | undefined } } | undefined } | undefined };

function idOf(request: NodeRequest): string | undefined {
  const id = request.runtime?.node?.req.url?.slice(PATH.length + 1);
  return id !== undefined && isId(id) ? id : undefined;
}

class Uploads {
  readonly #ctx: Context;
  readonly #dir: string;
  readonly #tus: TusServer;
  readonly #actors = new WeakMap<object, Actor>();
  readonly #finishing = new Map<string, Promise<void>>();
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#dir = path.join(ctx.config.dataDir, 'uploads');
    const files = new FileStore({ directory: this.#dir, expirationPeriodInMilliseconds: STALE_MS });
    files.extensions = files.extensions.filter((extension) => extension !== 'creation-defer-length');
    this.#tus = new TusServer({
      path: PATH,
      datastore: files,
      maxSize: VIDEO.maxBytes,
      relativeLocation: true,
      allowedOrigins: [...allowedOrigins(ctx.config)],
      disableTerminationForFinishedUploads: true,
      namingFunction: () => newId(ctx.clock),
      onUploadCreate: async (request, upload) => {
        await this.#begin(request, upload);
        // Privacy: no metadata from the client is stored with the bytes.
        return { metadata: {} };
      },
      onUploadFinish: async (_request, upload) => {
        await this.finish(upload.id);
        return {};
      },
      onResponseError: async (request, error) => {
        if (!(error instanceof Error)) return undefined;
        if (isFull(error)) {
          await this.#giveUp(idOf(request));
          return refusal(507, SENTENCES.full);
        }
        ctx.log.error({ err: error }, 'an upload failed');
        return refusal(500, 'Something went wrong. Try again.');
      },
    });
  }

  async #begin(
    request: NodeRequest,
    upload: { id: string; size?: number | undefined; metadata?: Record<string, string | null> | undefined },
  ): Promise<void> {
    const node = request.runtime?.node?.req;
    const actor = node && this.#actors.get(node);
    if (!actor) throw refusal(401, 'Log in to continue.');
    if (!upload.size) throw refusal(400, SENTENCES.empty);
    const byteSize = upload.size;
    const isPicture = upload.metadata?.filetype?.startsWith('image/') === true;
    if (isPicture && byteSize > PICTURE.maxBytes) throw refusal(413, SENTENCES.pictureBytes);
    if (actor.type !== 'creator' && byteSize > CHAT_LIMITS.fanUploadBytes) throw refusal(413, SENTENCES.fanBytes);
    if (!(await this.#hasRoom(byteSize))) throw refusal(507, SENTENCES.full);
    const isNoted = await this.#ctx.db.transaction((tx) =>
      store.insertUpload(tx, {
        id: upload.id,
        ownerId: actor.userId,
        fileName: cleanFileName(upload.metadata?.filename),
        byteSize,
        createdAt: this.#ctx.clock.now(),
        limit: UNFINISHED_LIMIT,
      }),
    );
    if (isNoted && actor.member) await this.#ctx.sessions.team.keep(actor, 'Upload a file', upload.id);
    if (!isNoted) throw refusal(429, 'Too many uploads are unfinished. Finish or remove some first.');
  }

  /** Throws UNSUPPORTED_TYPE with a message for an unusable file, RATE_LIMITED when too many uploads are unfinished. */
  async takeIn(ownerId: string, file: string, fileName: string): Promise<string> {
    const id = newId(this.#ctx.clock);
    const { size: byteSize } = await stat(file);
    const upload = { id, ownerId, fileName, byteSize, createdAt: this.#ctx.clock.now(), limit: UNFINISHED_LIMIT };
    if (!(await this.#ctx.db.transaction((tx) => store.insertUpload(tx, upload))))
      throw new AppError('RATE_LIMITED', { message: 'Too many uploads are unfinished. Finish or remove some first.' });
    await copyFile(file, this.#place(id));
    await this.finish(id);
    const row = await store.findMedia(this.#ctx.db, id);
    if (row && row.status !== 'failed') return id;
    const message = row?.failure ?? SENTENCES.unknown;
    throw new AppError('UNSUPPORTED_TYPE', { message, error: [{ field: 'file', message }] });
  }

  #place(id: string): string {
    return path.join(this.#dir, id);
  }

  /** The size of this file counts the processes that ended while they inspected the upload. */
  #mark(id: string): string {
    return `${this.#place(id)}.looked`;
  }

  async #removeBytes(id: string): Promise<void> {
    await rm(this.#place(id), { force: true });
    await rm(`${this.#place(id)}.json`, { force: true });
    await rm(this.#mark(id), { force: true });
  }

  /** The disk is full, so the part that was received is deleted. */
  async #giveUp(id: string | undefined): Promise<void> {
    const row = id === undefined ? undefined : await store.findMedia(this.#ctx.db, id);
    if (!row) return;
    await this.#removeBytes(row.id);
    await failUpload(this.#ctx, row.id, row.owner_id, SENTENCES.full);
  }

  async #hasRoom(byteSize: number): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#dir);
    return bavail * bsize > byteSize + Math.min(RESERVE_BYTES, byteSize * 4);
  }

  /** May be repeated after a crash. Concurrent calls share one run. */
  async finish(id: string): Promise<void> {
    const running = this.#finishing.get(id) ?? this.#finish(id).finally(() => this.#finishing.delete(id));
    this.#finishing.set(id, running);
    await running;
  }

  /** Throws MediaError, also for an upload that ended earlier processes, because it would end every new one. */
  async #look(id: string): ReturnType<typeof recognise> {
    await appendFile(this.#mark(id), '.');
    if ((await stat(this.#mark(id))).size > MOST_LOOKS) throw new MediaError(SENTENCES.unknown);
    try {
      return await recognise(this.#place(id));
    } finally {
      await rm(this.#mark(id), { force: true });
    }
  }

  async #finish(id: string): Promise<void> {
    const row = await store.findMedia(this.#ctx.db, id);
    if (row?.status === 'uploading') {
      try {
        const is = await this.#look(id);
        if (is.kind !== 'picture' && !(await findTools(this.#ctx.config))) throw new MediaError(SENTENCES.noTools);
        if (!(await store.markProcessing(this.#ctx.db, id, is))) return;
        Object.assign(row, { status: 'processing', kind: is.kind, content_type: is.contentType });
      } catch (error) {
        if (!(error instanceof MediaError)) throw error;
        await failUpload(this.#ctx, id, row.owner_id, error.message);
        return this.#removeBytes(id);
      }
    }
    if (row?.status !== 'processing' || (await this.#received(id)) !== row.byte_size) return;
    const handedOver = this.#leaving.get(id) ?? this.#handOver(row).finally(() => this.#leaving.delete(id));
    this.#leaving.set(id, handedOver);
    if (this.#ctx.config.storage.kind === 'local' || row.byte_size <= AT_ONCE_BYTES) return handedOver;
    // After a failure, the next scan of the folder takes it up.
    handedOver.catch((error: unknown) =>
      this.#ctx.log.error({ err: error, mediaId: id }, 'an upload could not be stored'),
    );
  }

  async #handOver({ id, kind, content_type }: store.MediaRow): Promise<void> {
    const key = originalKey(id);
    try {
      await this.#ctx.storage.take(key, this.#place(id), content_type ?? 'application/octet-stream');
    } catch (error) {
      // Another process that shares the folder was faster.
      if ((await this.#received(id)) !== undefined || !(await this.#ctx.storage.open(key))) throw error;
    }
    await this.#ctx.db.transaction((tx) => enqueueProcessing(this.#ctx, tx, id, kind));
    await this.#removeBytes(id);
  }

  /** Takes up what an earlier process could not hand over. */
  async resume(): Promise<void> {
    // The file is stored, but the process ended before it enqueued the processing.
    let rows = await store.listQueued(this.#ctx.db, '00000000-0000-0000-0000-000000000000');
    while (rows.length > 0) {
      for (const { id, kind } of rows)
        if (!(await this.#received(id)) && (await this.#ctx.storage.open(originalKey(id))))
          await this.#ctx.db.transaction((tx) => enqueueProcessing(this.#ctx, tx, id, kind));
      rows = await store.listQueued(this.#ctx.db, rows.at(-1)?.id ?? '');
    }
    for (const name of await readdir(this.#dir).catch(() => [])) {
      if (!isId(name)) continue;
      const row = await store.findMedia(this.#ctx.db, name);
      if (!row || (await this.#received(name)) !== row.byte_size) continue;
      await this.finish(name).catch((error: unknown) =>
        this.#ctx.log.error({ err: error, mediaId: name }, 'an upload could not be taken up'),
      );
    }
  }

  /** Session and owner are checked here, before tus sees the request. */
  async handle(request: FastifyRequest<{ Params: { id?: string } }>, reply: FastifyReply): Promise<FastifyReply> {
    const route = { auth: 'session', team: ['posts', 'chat'] } as const;
    const actor = actorFor(route, request.actor);
    requireRole(route, actor);
    if (!actor || actor.type === 'operator') throw new AppError('FORBIDDEN');
    await this.#requireGoing(request.method, actor);
    const { id } = request.params;
    if (request.method !== 'POST') {
      const row = id !== undefined && isId(id) ? await store.findMedia(this.#ctx.db, id) : undefined;
      if (!row || row.owner_id !== actor.userId) throw new AppError('NOT_FOUND');
      if (request.method === 'HEAD') {
        // The response to the last chunk may have been lost, or the process may have ended.
        const isComplete = row.status !== 'uploading' || (await this.#received(row.id)) === row.byte_size;
        if (isComplete) {
          await this.finish(row.id);
          return this.#tellComplete(reply, row.byte_size);
        }
      }
      if (request.method === 'DELETE' && row.status === 'uploading') {
        await store.deleteUnused(this.#ctx.db, row.id);
      }
      // Security: tus takes everything after the last slash as the id, so it gets the id that was checked.
      request.raw.url = `${PATH}/${row.id}`;
    }
    this.#actors.set(request.raw, actor);
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    await this.#tus.handle(request.raw, reply.raw);
    return reply;
  }

  /** Uploads in progress continue while uploads are disabled, and pause during maintenance. */
  async #requireGoing(method: string, actor: Actor): Promise<void> {
    if (method === 'HEAD') return;
    const route = { method: 'POST', ...(method === 'POST' && { rate: 'upload' as const }) } as const;
    await requireGoing(this.#ctx.switches, route, actor);
  }

  async #received(id: string): Promise<number | undefined> {
    return (await stat(this.#place(id)).catch(() => undefined))?.size;
  }

  #tellComplete(reply: FastifyReply, byteSize: number): FastifyReply {
    reply.header('tus-resumable', '1.0.0').header('cache-control', 'no-store');
    return reply.header('upload-offset', String(byteSize)).header('upload-length', String(byteSize)).send();
  }

  /** Returns true if these bytes are the only copy of a received upload. */
  async #isAwaited(name: string): Promise<boolean> {
    const id = path.parse(name).name;
    return isId(id) && (await store.findMedia(this.#ctx.db, id))?.status === 'processing';
  }

  /** Deletes unfinished uploads after a day. An upload in processing keeps its bytes until the store has them. */
  async sweep(): Promise<void> {
    await this.resume();
    const before = new Date(this.#ctx.clock.now().getTime() - STALE_MS);
    const stale = await store.deleteStaleUploads(this.#ctx.db, before);
    for (const id of stale) await this.#removeBytes(id);
    for (const name of await readdir(this.#dir).catch(() => [])) {
      const file = path.join(this.#dir, name);
      const stats = await stat(file).catch(() => undefined);
      if (!stats || stats.mtimeMs >= before.getTime() || (await this.#isAwaited(name))) continue;
      await rm(file, { force: true });
    }
  }

  async open(): Promise<void> {
    await mkdir(this.#dir, { recursive: true });
  }
}

const uploadsOf = new WeakMap<Context, Uploads>();

export function takeInFile(ctx: Context, ownerId: string, file: string, fileName: string): Promise<string> {
  const uploads = uploadsOf.get(ctx);
  if (!uploads) throw new Error('the media room is not registered');
  return uploads.takeIn(ownerId, file, fileName);
}

export async function sweepUploads(ctx: Context): Promise<void> {
  await uploadsOf.get(ctx)?.sweep();
}

/** The process that holds the bytes cleans them up hourly. */
export async function registerUploads({ app, ctx }: Server): Promise<void> {
  const uploads = new Uploads(ctx);
  uploadsOf.set(ctx, uploads);
  await uploads.open();
  app.addHook('onListen', () => uploads.resume());
  const timer = setInterval(
    () => void sweepUploads(ctx).catch((error: unknown) => ctx.log.error({ err: error }, 'sweeping uploads failed')),
    SWEEP_MS,
  );
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
  await app.register(async (scope) => {
    // tus reads the body itself.
    scope.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null));
    const limit = { name: 'tus', max: Math.ceil(PER_MINUTE * ctx.config.rateFactor), windowMs: 60_000 };
    const onRequest = limitRequests(ctx.limits, limit, callerKey);
    scope.route<{ Params: { id?: string } }>({
      method: 'POST',
      url: PATH,
      onRequest,
      handler: (request, reply) => uploads.handle(request, reply),
    });
    scope.route<{ Params: { id?: string } }>({
      method: ['HEAD', 'PATCH', 'DELETE'],
      url: `${PATH}/:id`,
      onRequest,
      handler: (request, reply) => uploads.handle(request, reply),
    });
  });
}
