// site-status-banners
export const read = 'Read';
export const closeBanner = 'Close: {title}';
