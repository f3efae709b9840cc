/** Open Graph images. The content of an image URL never changes. */
import * as z from 'zod/mini';
import { postId, userId } from '../shared/ids.ts';
import { route } from '../shared/route.ts';

export const OG_IMAGE_KINDS = ['profile', 'post'] as const;
export type OgImageKind = (typeof OG_IMAGE_KINDS)[number];
export const OG_IMAGE_SIZE = { width: 1200, height: 630 } as const;

/** `version` identifies the content. */
export const ogImagePath = (kind: OgImageKind, id: string, version: string) => `/og-image/${kind}/${id}/${version}.jpg`;

/** For print and speech. Redirects to the profile. */
export const shortProfilePath = (username: string) => `/@${username}`;

const ogImage = z.object({ path: z.string(), width: z.number(), height: z.number() });
export const getProfileOgImage = route({
  method: 'GET',
  path: '/public/og-image/profile/:id',
  summary: 'Get the link preview image of a profile',
  auth: 'public',
  rate: 'read',
  params: z.object({ id: userId }),
  response: ogImage,
  errors: ['NOT_FOUND'],
});
export const getPostOgImage = route({
  method: 'GET',
  path: '/public/og-image/post/:id',
  summary: 'Get the link preview image of a post; locked posts are blurred',
  auth: 'public',
  rate: 'read',
  params: z.object({ id: postId }),
  response: ogImage,
  errors: ['NOT_FOUND'],
});

export const getProfileCard = route({
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
