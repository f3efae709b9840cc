/**
 * Converts colors to sRGB as browsers do, where the decoder does not: it ignores numeric color codes, and all colors of
 * HEIC.
 */
import sharp, { type Sharp } from 'sharp';
import { readHeif } from '../containers/heif.ts';
import { addIccProfile, readPng } from '../containers/png.ts';
import { findCicpProfile, findGammaProfile } from './icc-profiles.ts';

/** Camera transfer functions of H.273. In still pictures they mean sRGB, as in browsers. */
const CAMERA_CURVES = new Set([1, 6, 14, 15]);
const SRGB_CURVE = 13;

/** Returns undefined if the decoder interprets the colors correctly by itself. */
export function findColorProfile(file: Buffer, contentType: string): Buffer | undefined {
  switch (contentType) {
    case 'image/png':
    case 'image/apng': {
      const { cicp, hasProfile, isSrgb, gamma, primaries } = readPng(file);
      if (cicp) return findCicpProfile(cicp);
      return hasProfile || isSrgb || gamma === undefined ? undefined : findGammaProfile(gamma, primaries);
    }
    case 'image/avif':
    case 'image/heic':
    case 'image/heif': {
      const { profile, cicp } = readHeif(file);
      // The AVIF decoder has applied the profile already.
      if (profile) return contentType === 'image/avif' ? undefined : profile;
      return (
        cicp && findCicpProfile({ ...cicp, transfer: CAMERA_CURVES.has(cicp.transfer) ? SRGB_CURVE : cicp.transfer })
      );
    }
    default:
      return undefined;
  }
}

/** `is16Bit` means 16 bits per channel. */
export async function applyProfile(profile: Buffer, image: Sharp, is16Bit: boolean): Promise<Sharp> {
  const png = await image
    .toColourspace(is16Bit ? 'rgb16' : 'srgb')
    .png({ compressionLevel: 0 })
    .toBuffer();
  return toSrgb(sharp(addIccProfile(png, profile), { limitInputPixels: false }), is16Bit);
}

/** With 16 bits per channel, sharp would return Display P3 labeled as sRGB. */
export function toSrgb(image: Sharp, is16Bit: boolean): Sharp {
  return is16Bit ? image.withIccProfile('srgb') : image;
}
