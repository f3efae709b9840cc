/**
 * Uploads with tus 1.0. The owner is checked on every request. Bytes stay in a local folder until the upload is
 * complete.
 */
import { appendFile, copyFile, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { dropInvisible } from '@stagedoor/contract/shared/clean-text.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { PICTURE_LIMITS, VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { FileStore } from '@tus/file-store';
import { Server as TusServer } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { getCallerKey, listAllowedOrigins } from '../../../platform/http/http.ts';
import { type ModuleHost, requireRole } from '../../../platform/http/routing.ts';
import { createId } from '../../../platform/ids.ts';
import { limitRequests, type RateLimit } from '../../../platform/limits/rate-limit.ts';
import { resolveRouteActor } from '../../../platform/security/delegation.ts';
import { type Actor, teamDelegation } from '../../../platform/security/session.ts';
import { requireRouteEnabled } from '../../../platform/site-status.ts';
import { findTools, isDiskFull, MEDIA_MESSAGES, MediaError, sniffMediaType } from '../media-processing/index.ts';
import { enqueueProcessing, failUpload } from './jobs/queue.ts';
import { originalKey } from './keys.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const PATH = '/files';
const UNFINISHED_LIMIT = 40;
const STALE_MS = 24 * 60 * 60_000;
const SWEEP_MS = 60 * 60_000;
const FILE_NAME_LENGTH = 200;
const REQUEST_LIMIT: RateLimit = { name: 'tus', max: 600, windowMs: 60_000 };
const RESERVE_BYTES = 512 * 1024 * 1024;
/** An upload fails after it ended this many processes. Each of them may have been restarted by chance. */
const MAX_INSPECTIONS = 3;
/** Larger uploads go to a remote store after the response was sent. */
const SYNC_TRANSFER_MAX_BYTES = 64 * 1024 * 1024;

function toTusError(status: number, message: string): { status_code: number; body: string } {
  return { status_code: status, body: message };
}

/** Removes folders and invisible characters, and shortens the name but not its extension. */
export function cleanFileName(name: string | null | undefined): string {
  const cleaned = dropInvisible((name ?? '').split(/[/\\]/).at(-1) ?? '').trim();
  if (cleaned.length <= FILE_NAME_LENGTH) return cleaned;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(cleaned)?.[0] ?? '';
  // The cut may leave half of a pair, which cannot be stored.
  return dropInvisible(cleaned.slice(0, FILE_NAME_LENGTH - extension.length)) + extension;
}

type NodeRequest = { runtime?: { node?: { req: { url?: string | undefined } } | undefined } | undefined };

function findUploadId(request: NodeRequest): string | undefined {
  const id = request.runtime?.node?.req.url?.slice(PATH.length + 1);
  return id !== undefined && isId(id) ? id : undefined;
}

class Uploads {
  readonly #ctx: Context;
  readonly #dir: string;
  readonly #tus: TusServer;
  readonly #actors = new WeakMap<object, Actor>();
  readonly #finishing = new Map<string, Promise<void>>();
  readonly #transfers = new Map<string, Promise<void>>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#dir = path.join(ctx.config.dataDir, 'uploads');
    const files = new FileStore({ directory: this.#dir, expirationPeriodInMilliseconds: STALE_MS });
    files.extensions = files.extensions.filter((extension) => extension !== 'creation-defer-length');
    this.#tus = new TusServer({
      path: PATH,
      datastore: files,
      maxSize: VIDEO_LIMITS.maxBytes,
      relativeLocation: true,
      allowedOrigins: [...listAllowedOrigins(ctx.config)],
      disableTerminationForFinishedUploads: true,
      namingFunction: () => createId(ctx.clock),
      onUploadCreate: async (request, upload) => {
        await this.#createUpload(request, upload);
        // Privacy: no metadata from the client is stored with the bytes.
        return { metadata: {} };
      },
      onUploadFinish: async (_request, upload) => {
        await this.finish(upload.id);
        return {};
      },
      onResponseError: async (request, error) => {
        if (!(error instanceof Error)) return undefined;
        if (isDiskFull(error)) {
          await this.#failFullDisk(findUploadId(request));
          return toTusError(507, MEDIA_MESSAGES.storageFull);
        }
        ctx.log.error({ err: error }, 'an upload failed');
        return toTusError(500, texts.uploadFailed);
      },
    });
  }

  async #createUpload(
    request: NodeRequest,
    upload: { id: string; size?: number | undefined; metadata?: Record<string, string | null> | undefined },
  ): Promise<void> {
    const node = request.runtime?.node?.req;
    const actor = node && this.#actors.get(node);
    if (!actor) throw toTusError(401, texts.logInToContinue);
    if (!upload.size) throw toTusError(400, MEDIA_MESSAGES.empty);
    const byteSize = upload.size;
    const isPicture = upload.metadata?.filetype?.startsWith('image/') === true;
    if (isPicture && byteSize > PICTURE_LIMITS.maxBytes) throw toTusError(413, MEDIA_MESSAGES.pictureTooLarge);
    if (actor.type !== 'creator' && byteSize > CHAT_LIMITS.fanUploadBytes)
      throw toTusError(413, MEDIA_MESSAGES.fanFileTooLarge);
    if (!(await this.#hasSpace(byteSize))) throw toTusError(507, MEDIA_MESSAGES.storageFull);
    const isInserted = await this.#ctx.db.transaction((tx) =>
      store.insertUpload(tx, {
        id: upload.id,
        ownerId: actor.userId,
        fileName: cleanFileName(upload.metadata?.filename),
        byteSize,
        createdAt: this.#ctx.clock.now(),
        limit: UNFINISHED_LIMIT,
      }),
    );
    if (isInserted && actor.member)
      await teamDelegation.get(this.#ctx).recordAction(actor, texts.uploadFileAction, upload.id);
    if (!isInserted) throw toTusError(429, texts.tooManyUnfinishedUploads);
  }

  /** Throws UNSUPPORTED_TYPE with a message for an unusable file, RATE_LIMITED when too many uploads are unfinished. */
  async addFile(ownerId: string, file: string, fileName: string): Promise<string> {
    const id = createId(this.#ctx.clock);
    const { size: byteSize } = await stat(file);
    const upload = { id, ownerId, fileName, byteSize, createdAt: this.#ctx.clock.now(), limit: UNFINISHED_LIMIT };
    if (!(await this.#ctx.db.transaction((tx) => store.insertUpload(tx, upload))))
      throw new AppError('RATE_LIMITED', { message: texts.tooManyUnfinishedUploads });
    await copyFile(file, this.#getUploadPath(id));
    await this.finish(id);
    const row = await store.findMedia(this.#ctx.db, id);
    if (row && row.status !== 'failed') return id;
    const message = row?.failure ?? MEDIA_MESSAGES.processingFailed;
    throw new AppError('UNSUPPORTED_TYPE', { message, error: [{ field: 'file', message }] });
  }

  #getUploadPath(id: string): string {
    return path.join(this.#dir, id);
  }

  /** The size of this file counts the processes that ended while they inspected the upload. */
  #getInspectionCountPath(id: string): string {
    return `${this.#getUploadPath(id)}.inspections`;
  }

  async #removeBytes(id: string): Promise<void> {
    await rm(this.#getUploadPath(id), { force: true });
    await rm(`${this.#getUploadPath(id)}.json`, { force: true });
    await rm(this.#getInspectionCountPath(id), { force: true });
  }

  /** The disk is full, so the part that was received is deleted. */
  async #failFullDisk(id: string | undefined): Promise<void> {
    const row = id === undefined ? undefined : await store.findMedia(this.#ctx.db, id);
    if (!row) return;
    await this.#removeBytes(row.id);
    await failUpload(this.#ctx, row.id, row.owner_id, MEDIA_MESSAGES.storageFull);
  }

  async #hasSpace(byteSize: number): Promise<boolean> {
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
  async #inspect(id: string): ReturnType<typeof sniffMediaType> {
    await appendFile(this.#getInspectionCountPath(id), '.');
    if ((await stat(this.#getInspectionCountPath(id))).size > MAX_INSPECTIONS)
      throw new MediaError(MEDIA_MESSAGES.processingFailed);
    try {
      return await sniffMediaType(this.#getUploadPath(id));
    } finally {
      await rm(this.#getInspectionCountPath(id), { force: true });
    }
  }

  async #finish(id: string): Promise<void> {
    const row = await store.findMedia(this.#ctx.db, id);
    if (row?.status === 'uploading') {
      try {
        const type = await this.#inspect(id);
        if (type.kind !== 'picture' && !(await findTools(this.#ctx.config)))
          throw new MediaError(MEDIA_MESSAGES.noTools);
        if (!(await store.markProcessing(this.#ctx.db, id, type))) return;
        Object.assign(row, { status: 'processing', kind: type.kind, content_type: type.contentType });
      } catch (error) {
        if (!(error instanceof MediaError)) throw error;
        await failUpload(this.#ctx, id, row.owner_id, error.message);
        return this.#removeBytes(id);
      }
    }
    if (row?.status !== 'processing' || (await this.#findReceivedBytes(id)) !== row.byte_size) return;
    const transfer = this.#transfers.get(id) ?? this.#transferToStorage(row).finally(() => this.#transfers.delete(id));
    this.#transfers.set(id, transfer);
    if (this.#ctx.config.storage.kind === 'local' || row.byte_size <= SYNC_TRANSFER_MAX_BYTES) return transfer;
    // After a failure, the next scan of the folder takes it up.
    transfer.catch((error: unknown) =>
      this.#ctx.log.error({ err: error, mediaId: id }, 'an upload could not be stored'),
    );
  }

  async #transferToStorage({ id, kind, content_type }: store.MediaRow): Promise<void> {
    const key = originalKey(id);
    try {
      await this.#ctx.storage.putFile(key, this.#getUploadPath(id), content_type ?? 'application/octet-stream');
    } catch (error) {
      // Another process that shares the folder was faster.
      if ((await this.#findReceivedBytes(id)) !== undefined || !(await this.#ctx.storage.open(key))) throw error;
    }
    await this.#ctx.db.transaction((tx) => enqueueProcessing(this.#ctx, tx, id, kind));
    await this.#removeBytes(id);
  }

  /** Takes up what an earlier process could not hand over. */
  async resume(): Promise<void> {
    // The file is stored, but the process ended before it enqueued the processing.
    let rows = await store.listQueuedMedia(this.#ctx.db, '00000000-0000-0000-0000-000000000000');
    while (rows.length > 0) {
      for (const { id, kind } of rows)
        if (!(await this.#findReceivedBytes(id)) && (await this.#ctx.storage.open(originalKey(id))))
          await this.#ctx.db.transaction((tx) => enqueueProcessing(this.#ctx, tx, id, kind));
      rows = await store.listQueuedMedia(this.#ctx.db, rows.at(-1)?.id ?? '');
    }
    for (const name of await readdir(this.#dir).catch(() => [])) {
      if (!isId(name)) continue;
      const row = await store.findMedia(this.#ctx.db, name);
      if (!row || (await this.#findReceivedBytes(name)) !== row.byte_size) continue;
      await this.finish(name).catch((error: unknown) =>
        this.#ctx.log.error({ err: error, mediaId: name }, 'an upload could not be resumed'),
      );
    }
  }

  /** Session and owner are checked here, before tus sees the request. */
  async handle(request: FastifyRequest<{ Params: { id?: string } }>, reply: FastifyReply): Promise<FastifyReply> {
    const route = { auth: 'session', team: ['posts', 'chat'] } as const;
    const actor = resolveRouteActor(route, request.actor);
    requireRole(route, actor);
    if (!actor || actor.type === 'operator') throw new AppError('FORBIDDEN');
    await this.#requireUploadsEnabled(request.method, actor);
    const { id } = request.params;
    if (request.method !== 'POST') {
      const row = id !== undefined && isId(id) ? await store.findMedia(this.#ctx.db, id) : undefined;
      if (!row || row.owner_id !== actor.userId) throw new AppError('NOT_FOUND');
      if (request.method === 'HEAD') {
        // The response to the last chunk may have been lost, or the process may have ended.
        const isComplete = row.status !== 'uploading' || (await this.#findReceivedBytes(row.id)) === row.byte_size;
        if (isComplete) {
          await this.finish(row.id);
          return this.#sendComplete(reply, row.byte_size);
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
  async #requireUploadsEnabled(method: string, actor: Actor): Promise<void> {
    if (method === 'HEAD') return;
    const route = { method: 'POST', ...(method === 'POST' && { rate: 'upload' as const }) } as const;
    await requireRouteEnabled(this.#ctx.siteStatus, route, actor);
  }

  async #findReceivedBytes(id: string): Promise<number | undefined> {
    return (await stat(this.#getUploadPath(id)).catch(() => undefined))?.size;
  }

  #sendComplete(reply: FastifyReply, byteSize: number): FastifyReply {
    reply.header('tus-resumable', '1.0.0').header('cache-control', 'no-store');
    return reply.header('upload-offset', String(byteSize)).header('upload-length', String(byteSize)).send();
  }

  /** Returns true if these bytes are the only copy of a received upload. */
  async #isOnlyCopy(name: string): Promise<boolean> {
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
      if (!stats || stats.mtimeMs >= before.getTime() || (await this.#isOnlyCopy(name))) continue;
      await rm(file, { force: true });
    }
  }

  async open(): Promise<void> {
    await mkdir(this.#dir, { recursive: true });
  }
}

const uploadsByContext = new WeakMap<Context, Uploads>();

export function addMediaFile(ctx: Context, ownerId: string, file: string, fileName: string): Promise<string> {
  const uploads = uploadsByContext.get(ctx);
  if (!uploads) throw new Error('the media module is not registered');
  return uploads.addFile(ownerId, file, fileName);
}

export async function sweepUploads(ctx: Context): Promise<void> {
  await uploadsByContext.get(ctx)?.sweep();
}

/** The process that holds the bytes cleans them up hourly. */
export async function registerUploads({ app, ctx }: ModuleHost): Promise<void> {
  const uploads = new Uploads(ctx);
  uploadsByContext.set(ctx, uploads);
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
    const onRequest = limitRequests(ctx.limits, REQUEST_LIMIT, getCallerKey);
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
