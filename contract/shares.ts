/** Open Graph images. The content of an image URL never changes. */
import * as z from 'zod/mini';
import { postId, userId } from './atoms/ids.ts';
import { route } from './atoms/route.ts';

export const SHARE_KINDS = ['profile', 'post'] as const;
export type ShareKind = (typeof SHARE_KINDS)[number];
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** `version` identifies the content. */
export const sharePicturePath = (kind: ShareKind, id: string, version: string) => `/share/${kind}/${id}/${version}.jpg`;

/** For print and speech. Redirects to the profile. */
export const shortPath = (username: string) => `/@${username}`;

const sharePicture = z.object({ path: z.string(), width: z.number(), height: z.number() });
export const profileSharePicture = route({
  method: 'GET',
  path: '/public/share/profile/:id',
  summary: 'Get the link preview image of a profile',
  auth: 'public',
  rate: 'read',
  params: z.object({ id: userId }),
  response: sharePicture,
  errors: ['NOT_FOUND'],
});
export const postSharePicture = route({
  method: 'GET',
  path: '/public/share/post/:id',
  summary: 'Get the link preview image of a post; locked posts are blurred',
  auth: 'public',
  rate: 'read',
  params: z.object({ id: postId }),
  response: sharePicture,
  errors: ['NOT_FOUND'],
});

export const profileCard = route({
  method: 'GET',
  path: '/creator/card',
  summary: 'Get your profile’s short URL and its QR code',
  auth: 'creator',
  rate: 'read',
  response: z.object({
    address: z.string(),
    url: z.string(),
    name: z.string(),
    craft: z.string(),
    city: z.string(),
    qrSvg: z.string(),
  }),
});
