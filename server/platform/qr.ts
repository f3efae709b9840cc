import type { QRCodeToStringOptionsOther } from 'qrcode';

/** `margin` in modules. A higher level tolerates more covered area: L 7 %, M 15 %, Q 25 %, H 30 % (ISO/IEC 18004). */
export async function renderQrSvg(
  text: string,
  { margin = 2, errorCorrectionLevel = 'M' }: Pick<QRCodeToStringOptionsOther, 'margin' | 'errorCorrectionLevel'> = {},
): Promise<string> {
  const { default: qrCode } = await import('qrcode');
  return qrCode.toString(text, { type: 'svg', margin, errorCorrectionLevel });
}
