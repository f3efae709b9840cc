import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { assertKey, type Storage } from './storage.ts';

export type S3Options = {
  endpoint: string | undefined;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

const PART_BYTES = 8 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;

function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey');
}

/** `keysAtOnce` is how many keys are listed by one request. S3 permits no more than the default. */
export function createS3Storage(
  { endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Options,
  keysAtOnce = 1_000,
): Storage {
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  /** In parts, so that memory use is constant. The protocol permits ten thousand. */
  const put: Storage['put'] = async (key, content, contentType) => {
    await new Upload({
      client,
      partSize: PART_BYTES,
      queueSize: 3,
      params: { Bucket: bucket, Key: assertKey(key), Body: content, ContentType: contentType },
    }).done();
  };
  return {
    put,
    putFile: async (key, file, contentType) => {
      await put(key, createReadStream(file, { highWaterMark: READ_BYTES }), contentType);
      await rm(file, { force: true });
    },
    fetchFile: async (key, file) => {
      const got = await client
        .send(new GetObjectCommand({ Bucket: bucket, Key: assertKey(key) }))
        .catch((error: unknown) => {
          if (isNotFound(error)) return undefined;
          throw error;
        });
      if (!got) return false;
      if (!(got.Body instanceof Readable)) throw new Error('the store answered no stream');
      await pipeline(got.Body, createWriteStream(file));
      return true;
    },
    open: async (key) => {
      const target = { Bucket: bucket, Key: assertKey(key) };
      const head = await client.send(new HeadObjectCommand(target)).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (!head) return undefined;
      return {
        byteSize: head.ContentLength ?? 0,
        stream: async (range) => {
          const { Body } = await client.send(
            new GetObjectCommand({ ...target, ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }),
          );
          if (!(Body instanceof Readable)) throw new Error('the store answered no stream');
          return Body;
        },
      };
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: assertKey(key) }));
    },
    removeAll: async (prefix) => {
      for (;;) {
        const { Contents = [] } = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: `${assertKey(prefix)}/` }),
        );
        const keys = Contents.flatMap(({ Key }) => (Key ? [{ Key }] : []));
        if (keys.length === 0) return;
        const { Errors: [refused] = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys } }),
        );
        // The response succeeds even if files were not deleted, so a repeated request would never end.
        if (refused) throw new Error(`the store does not remove ${refused.Key}: ${refused.Message ?? refused.Code}`);
      }
    },
    list: async function* (prefix) {
      const Prefix = `${assertKey(prefix)}/`;
      let last: string | undefined;
      for (;;) {
        // Version 1 continues after a key, which every store supports, even after a long pause.
        const { Contents = [], IsTruncated } = await client.send(
          new ListObjectsCommand({
            Bucket: bucket,
            Prefix,
            MaxKeys: keysAtOnce,
            ...(last === undefined ? {} : { Marker: last }),
          }),
        );
        for (const { Key, Size } of Contents) if (Key !== undefined) yield { key: Key, byteSize: Size ?? 0 };
        last = Contents.at(-1)?.Key;
        if (!IsTruncated || last === undefined) return;
      }
    },
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    },
  };
}
