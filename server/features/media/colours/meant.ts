/**
 * Converts colors to sRGB as browsers do, where the decoder does not: it ignores numeric color codes, and all colors of
 * HEIC.
 */
import sharp, { type Sharp } from 'sharp';
import { readHeif } from '../formats/heif.ts';
import { readPng, withProfile } from '../formats/png.ts';
import { profileOfCicp, profileOfGamma } from './profiles.ts';

/** Camera transfer functions of H.273. In still pictures they mean sRGB, as in browsers. */
const CAMERA_CURVES = new Set([1, 6, 14, 15]);
const SRGB_CURVE = 13;

/** Returns undefined if the decoder interprets the colors correctly by itself. */
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
      // The AVIF decoder has applied the profile already.
      if (profile) return contentType === 'image/avif' ? undefined : profile;
      return (
        cicp && profileOfCicp({ ...cicp, transfer: CAMERA_CURVES.has(cicp.transfer) ? SRGB_CURVE : cicp.transfer })
      );
    }
    default:
      return undefined;
  }
}

/** `isDeep` means 16 bits per channel. */
export async function takenBy(profile: Buffer, image: Sharp, isDeep: boolean): Promise<Sharp> {
  const png = await image
    .toColourspace(isDeep ? 'rgb16' : 'srgb')
    .png({ compressionLevel: 0 })
    .toBuffer();
  return inSrgb(sharp(withProfile(png, profile), { limitInputPixels: false }), isDeep);
}

/** With 16 bits per channel, sharp would return Display P3 labeled as sRGB. */
export function inSrgb(image: Sharp, isDeep: boolean): Sharp {
  return isDeep ? image.withIccProfile('srgb') : image;
}
