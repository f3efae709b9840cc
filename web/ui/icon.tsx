// All icons, on a 24 px grid. Icons are decorative: their meaning must be in a text or label.
const paths = {
  back: 'M19 12H5M11 6l-6 6 6 6',
  bell: 'M6 17v-6a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4',
  'bell-off': 'M8 6.6A6 6 0 0 1 18 11v4M6 10v7l-1.5 1.5H17M10 21h4M4 3.5l16 17',
  block: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM6 6l12 12',
  broadcast:
    'M12 11.5v9M12 7.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM7.8 13.2a6 6 0 0 1 0-8.4M16.2 4.8a6 6 0 0 1 0 8.4M5 16a10 10 0 0 1 0-14M19 2a10 10 0 0 1 0 14',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8 3.5V8M16 3.5V8',
  'camera-off': 'M3.5 7H14v10H3.5zM14.5 11l6-3v8l-6-3M4 3l16 18',
  captions: 'M3.5 5.5h17v13h-17zM11 10.5c-2.5-1.5-4-.2-4 1.5s1.5 3 4 1.5M17.5 10.5c-2.5-1.5-4-.2-4 1.5s1.5 3 4 1.5',
  card: 'M3.5 5.5h17v13h-17zM3.5 10h17M7 15h3.5',
  chart: 'M4 20V12M10 20V5M16 20v-6M21 20H3',
  chat: 'M4 5h16v11h-9l-4.5 4V16H4z',
  check: 'm5 12.5 4.5 4.5L19 7',
  'chevron-down': 'm6 9.5 6 6 6-6',
  'chevron-left': 'm14.5 6-6 6 6 6',
  'chevron-right': 'm9.5 6 6 6-6 6',
  'chevron-up': 'm6 14.5 6-6 6 6',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM5.5 15H4V4h11v1.5',
  device: 'M7 3h10v18H7zM11 18h2',
  document: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 16h6',
  download: 'M12 4v12M7 11.5l5 5 5-5M4 20h16',
  edit: 'm4 20 1-4.5L16 4.5l3.5 3.5-11 11zM13.5 7l3.5 3.5',
  expand: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  external: 'M10 5H4.5v14.5H19V14M13.5 4.5H19.5v6M19 5l-8 8',
  eye: 'M2.5 12C5 7.5 8.5 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-6 6.5-9.5 6.5S5 16.5 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  'eye-off':
    'M9.5 6c.8-.3 1.7-.5 2.5-.5 3.5 0 7 2 9.5 6.5-.8 1.4-1.7 2.6-2.7 3.5M6 7.7c-1.3 1-2.5 2.5-3.5 4.3 2.5 4.5 6 6.5 9.5 6.5 1.6 0 3.2-.4 4.7-1.3M10 10a3 3 0 0 0 4 4M4 3.5l16 17',
  feed: 'M4 4h16v10H4zM4 18h16M4 21.5h9',
  flip: 'M4 8h13l-3-3M20 16H7l3 3',
  globe: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c5 5 5 12 0 17-5-5-5-12 0-17z',
  hangup: 'M3 14c5-5 13-5 18 0l-2 3-4-1.5V12.7c-2-.5-4-.5-6 0v2.8L5 17z',
  heart: 'M12 20 4.5 12.5a4.6 4.6 0 0 1 6.5-6.5l1 1 1-1a4.6 4.6 0 0 1 6.5 6.5z',
  help: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9.5 9.5c0-3.3 5-3.3 5 0 0 2-2.5 2-2.5 4M12 16.5h.01',
  home: 'M4 20V10l8-6 8 6v10h-5.5v-6h-5v6z',
  image: 'M4 4h16v16H4zM4 16l5-5 5 5 3-3 3 3',
  images: 'M7.5 4H20v12.5H7.5zM16.5 20H4V7.5M7.5 14l4-4 4 4 2-2 2.5 2.5',
  inbox: 'M4 5h16v14H4zM4 14h5l1.5 2.5h3L15 14h5',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.5h.01',
  key: 'M7.5 7.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11.5 11.5H21M17 11.5v4M20.5 11.5v3',
  link: 'M10 14l4-4M8.5 11 5.7 13.8a3.2 3.2 0 0 0 4.5 4.5L13 15.5M15.5 13l2.8-2.8a3.2 3.2 0 0 0-4.5-4.5L11 8.5',
  lock: 'M5.5 10.5h13v9.5h-13zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5',
  logout: 'M10 4H4v16h6M10 12h10M16 8l4 4-4 4',
  mail: 'M3.5 5.5h17v13h-17zM3.5 7l8.5 6 8.5-6',
  mic: 'M9.5 4h5v9h-5zM6 11v1a6 6 0 0 0 12 0v-1M12 18v3',
  'mic-off': 'M9.5 9.5V13h5M14.5 9V4h-5v1M6 11v1a6 6 0 0 0 9.5 4.9M18 11v1c0 .7-.1 1.3-.3 1.9M12 18v3M4 3l16 18',
  minus: 'M5 12h14',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  pause: 'M8 5v14M16 5v14',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 20c.5-3.6 3-5.5 6.5-5.5s6 1.9 6.5 5.5M15.5 5.3a3.5 3.5 0 0 1 0 6.5M18 15c2 .8 3.2 2.5 3.5 5',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6',
  phone: 'M5 4h4l1.5 5-2.5 1.5a12 12 0 0 0 5.5 5.5L15 13.5l5 1.5v4c-9 1-16-6-15-15z',
  pip: 'M20 11V5H4v14h6M13 14h8v6h-8z',
  pin: 'M8 4h8l-1 6 3 3.5H6L9 10zM12 13.5V21',
  play: 'M8 5v14l11-7z',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M19 6v4.5h-4.5M5 18v-4.5h4.5M18.5 10.5A7 7 0 0 0 6 8M5.5 13.5A7 7 0 0 0 18 16',
  search: 'M10 3.8a6.2 6.2 0 1 0 0 12.4 6.2 6.2 0 0 0 0-12.4zM15 15l5 5',
  send: 'M4 12 20 4l-5 16-3.5-6.5z',
  settings:
    'M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  share: 'M12 15V4M8 7.5 12 3.5l4 4M5 12v8h14v-8',
  shrink: 'M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5',
  sort: 'M7 5v14M4 16l3 3 3-3M17 19V5M14 8l3-3 3 3',
  sound: 'M4 9.5h3.5L12 6v12l-4.5-3.5H4zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  'sound-off': 'M4 9.5h3.5L12 6v12l-4.5-3.5H4zM16 9.5l5 5M21 9.5l-5 5',
  tag: 'M4 4h8l8.5 8.5-7.5 7.5L4 11.5zM8 8h.01',
  tip: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5v9M14.5 9.3c-.6-.8-4.8-1.3-4.8.8 0 2.2 5 1 5 3.4 0 2-4.4 1.9-5.3.6',
  trash: 'M4.5 6.5h15M9.5 6.5V4h5v2.5M6.5 6.5l.8 13.5h9.4l.8-13.5M10.5 10.5v5.5M13.5 10.5v5.5',
  undo: 'M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11H9',
  upload: 'M12 16V4M7 8.5l5-5 5 5M4 20h16',
  video: 'M3.5 7h11v10h-11zM14.5 11l6-3v8l-6-3z',
  wallet: 'M3.5 6.5h17v13h-17zM3.5 6.5 16 3v3.5M15 13h5.5',
  warning: 'M12 4 21 20H3zM12 10v4.5M12 17.2h.01',
} as const;

export type IconName = keyof typeof paths | 'heart-filled';

const thick: ReadonlySet<string> = new Set(['more']);

function isOutline(name: string): name is keyof typeof paths {
  return name in paths;
}

export const iconNames: IconName[] = Object.keys(paths).filter(isOutline);

export function Icon({
  name,
  size = 22,
  className,
}: {
  name: IconName;
  size?: number | undefined;
  className?: string | undefined;
}) {
  const outline = name.replace('-filled', '');
  if (!isOutline(outline)) return null;
  return (
    <svg
      className={`icon${outline === name ? '' : ' icon--filled'}${className ? ` ${className}` : ''}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      {...(thick.has(name) && { strokeWidth: 2.6, style: { strokeWidth: 2.6 } })}
    >
      <path d={paths[outline]} />
    </svg>
  );
}
