/** Any S3-compatible store as the storage: puts are multipart when large, reads honour ranges. */

import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
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

function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey');
}

export function s3Storage({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Options): Storage {
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    put: async (key, content, contentType) => {
      await new Upload({
        client,
        params: { Bucket: bucket, Key: assertKey(key), Body: content, ContentType: contentType },
      }).done();
    },
    open: async (key) => {
      const where = { Bucket: bucket, Key: assertKey(key) };
      const head = await client.send(new HeadObjectCommand(where)).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (!head) return undefined;
      return {
        byteSize: head.ContentLength ?? 0,
        stream: async (range) => {
          const { Body } = await client.send(
            new GetObjectCommand({ ...where, ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }),
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
        await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys } }));
      }
    },
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    },
  };
}
