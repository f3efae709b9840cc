/**
 * Brings a picture's colours to sRGB as browsers do, where the decoder does not do so by itself: it knows embedded
 * profiles, but not the numbers that stand for one, and nothing of HEIC.
 */
import sharp, { type Sharp } from 'sharp';
import { readHeif } from '../formats/heif.ts';
import { readPng, withProfile } from '../formats/png.ts';
import { profileOfCicp, profileOfGamma } from './profiles.ts';

/** H.273's curves of cameras. In still pictures of video's coding they stand for sRGB, as in browsers. */
const CAMERA_CURVES = new Set([1, 6, 14, 15]);
const SRGB_CURVE = 13;

/** Which profile a file's numbers are meant by; nothing when the decoder's own understanding is right. */
export function meantProfile(file: Buffer, contentType: string): Buffer | undefined {
  switch (contentType) {
    case 'image/png':
    case 'image/apng': {
      const { cicp, hasProfile, isSrgb, gamma, primaries } = readPng(file);
      if (cicp) return profileOfCicp(cicp);
      return hasProfile || isSrgb || gamma === undefined ? undefined : profileOfGamma(gamma, primaries);
    }
    case 'image/avif':
    case 'image/heic':
    case 'image/heif': {
      const { profile, cicp } = readHeif(file);
      // The decoder of AVIF has applied it already.
      if (profile) return contentType === 'image/avif' ? undefined : profile;
      return (
        cicp && profileOfCicp({ ...cicp, transfer: CAMERA_CURVES.has(cicp.transfer) ? SRGB_CURVE : cicp.transfer })
      );
    }
    default:
      return undefined;
  }
}

/**
 * The same picture with its numbers taken by a profile, in sRGB. `isDeep` when it has 16 bits a channel.
 */
export async function takenBy(profile: Buffer, image: Sharp, isDeep: boolean): Promise<Sharp> {
  const png = await image
    .toColourspace(isDeep ? 'rgb16' : 'srgb')
    .png({ compressionLevel: 0 })
    .toBuffer();
  return inSrgb(sharp(withProfile(png, profile), { limitInputPixels: false }), isDeep);
}

/** A picture that has a profile, in sRGB: of 16 bits a channel, sharp would hand it on in Display P3 and call it sRGB. */
export function inSrgb(image: Sharp, isDeep: boolean): Sharp {
  return isDeep ? image.withIccProfile('srgb') : image;
}
