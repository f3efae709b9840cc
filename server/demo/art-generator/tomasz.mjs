import { COVER, LANDSCAPE, solid } from './engine.mjs';

const STAND = {
  head: '.02,1.84,.02',
  neck: '0,1.62,0',
  chest: '0,1.46,0',
  hip: '0,1.06,0',
  el1: '-.42,1.66,.05',
  ha1: '-.66,1.98,.1',
  el2: '.42,1.5,.05',
  ha2: '.76,1.66,.1',
  kn1: '-.03,.58,.05',
  fo1: '0,.1,0',
  kn2: '.5,.98,-.12',
  fo2: '.98,1.16,-.2',
};

/** Distances to a body in this pose: `b` skin, `g` tight clothes, `hr` hair. `w` is the point relative to the hip. */
const body = (pose) => {
  const v = (joint) => `vec3(${{ ...STAND, ...pose }[joint]})`;
  const limb = (to, from, until, a, b, k) => `${to}=smn(${to},cap2(p,${from},${until},${a},${b}),${k});`;
  const leg = (x, knee, foot) =>
    `${limb('g', `${v('hip')}+vec3(${x},-.04,0)`, v(knee), '.104', '.07', '.07')}${limb('g', v(knee), `mix(${v(knee)},${v(foot)},.82)`, '.07', '.047', '.04')}
 ${limb('b', v(knee), v(foot), '.06', '.036', '.02')}`;
  return `float b=ell(p-${v('head')},vec3(.095,.125,.11)),g=9.;vec3 sd=normalize(${v('neck')}-${v('chest')});
 vec3 sx=normalize(vec3(sd.y,-sd.x,0)),sl=${v('chest')}+sd*.07-sx*.15,sr=${v('chest')}+sd*.07+sx*.15;
 ${limb('b', v('neck'), v('head'), '.05', '.05', '.05')}${limb('b', v('chest'), v('neck'), '.12', '.065', '.07')}
 ${limb('g', v('hip'), v('chest'), '.12', '.132', '.1')}
 ${limb('b', 'sl', v('el1'), '.058', '.042', '.06')}${limb('b', v('el1'), v('ha1'), '.042', '.025', '.03')}
 ${limb('b', 'sr', v('el2'), '.058', '.042', '.06')}${limb('b', v('el2'), v('ha2'), '.042', '.025', '.03')}
 ${leg('-.06', 'kn1', 'fo1')}${leg('.06', 'kn2', 'fo2')}
 vec3 hp=p-${v('head')};float hr=smn(ell(hp-vec3(0,.035,-.015),vec3(.102,.11,.115)),length(hp-vec3(-.02,.13,-.1))-.05,.03);
 vec3 w=p-${v('hip')};`;
};

/** Without a skirt the material draws tight trousers. */
const skirt = (
  tilt,
  length,
  flare,
  folds,
) => `w.xy=rt(${tilt})*w.xy;float yy=clamp(-w.y/${length},0.,1.);float an=atan(w.z,w.x);
 float ra=.13+${flare}*pow(yy,1.2)*(1.+.2*sin(an*${folds}+yy*4.)+.12*sin(an*3.-yy*6.+1.));
 float sk=max(abs(length(w.xz)-ra)-.012,abs(w.y+${length}*.5-.03)-${length}*.5);`;
const NO_SKIRT = 'float sk=9.;';

const UV = {
  RO: 'vec3(0,1.1,5.2)',
  TA: 'vec3(.08,1.08,0)',
  FOV: '4.3',
  EXPO: '.75',
  KD: 'vec3(-1.2,.9,.2)',
  KC: 'vec3(1.9,.5,1.6)',
  RD: 'vec3(1,.5,-.6)',
  RC: 'vec3(.35,.5,2.6)',
  AM: 'vec3(.05,.03,.12)',
  FC: 'vec3(.02,.02,.08)',
  FOG: '.02',
  SK: '10.',
};
const HAZE = `vec3 bg(vec2 p,vec2 u){float d=length(p-vec2(.15,.25));
 return mix(vec3(.22,.09,.5),vec3(.012,.008,.035),smoothstep(0.,1.1,d));}`;
const CLOTHES = `void mat(float id,vec3 p,vec3 n,inout vec3 al,inout float r,inout float s){
 if(id<.5){al=vec3(.16,.1,.3);r=.6;s=.2;}else if(id<1.5){al=vec3(.5,.36,.32);r=.55;s=.35;}
 else if(id<2.5){al=vec3(.75,.68,.8);r=.8;s=.15;}else if(id<3.5){al=vec3(.03);r=.5;s=.3;}
 else{al=vec3(.13,.05,.2)*(.85+.3*ns(p.xy*90.));r=.75;s=.2;}}`;
const FLOOR = 'smn(p.y+.02,p.z+2.4,1.2)';

/** `figures` are [pose, skirt, x, z, turn, isDark?]. They are skipped while the ray is far away. */
const stage = (name, figures, studio = {}, { extra = '', backdrop = HAZE, ...options } = {}) => {
  const functions = figures.map(
    ([pose, cloth], i) =>
      `vec2 fig${i}(vec3 p){${body(pose)}${cloth}vec2 r=vec2(b*.85,1.);r=un(r,g*.85,4.);r=un(r,sk*.5,2.);return un(r,hr,3.);}`,
  );
  const calls = figures.map(
    ([, , x = 0, z = 0, yaw = 0], i) => `{vec3 q=ry(p-vec3(${x.toFixed(2)},0,${z.toFixed(2)}),${yaw.toFixed(2)});
 float o=length(q-vec3(0,1.05,0))-1.35;if(o<.35){vec2 g=fig${i}(q);r=un(r,g.x,g.y);}else r=un(r,o,1.);}`,
  );
  const map = `vec2 map(vec3 p){vec2 r=vec2(${FLOOR},0.);${calls.join('')}${extra}return r;}`;
  return solid(name, backdrop + functions.join('\n') + map + CLOTHES, { ...UV, ...studio }, options);
};

const REACH = {
  head: '-.1,1.8,.04',
  neck: '-.05,1.6,0',
  el1: '-.3,1.86,.06',
  ha1: '-.12,2.16,.1',
  el2: '.34,1.84,.05',
  ha2: '.2,2.14,.1',
  kn1: '-.34,.72,.12',
  fo1: '-.7,.42,0',
  kn2: '.36,.72,.05',
  fo2: '.82,.5,-.1',
};
const CROUCH = {
  head: '.2,1.16,.18',
  neck: '.1,1.02,.1',
  chest: '0,.9,.04',
  hip: '-.18,.58,-.05',
  el1: '-.36,.72,.2',
  ha1: '-.5,.36,.3',
  el2: '.46,1.08,.15',
  ha2: '.86,1.2,.2',
  kn1: '-.5,.46,.22',
  fo1: '-.46,.06,.1',
  kn2: '.34,.36,.16',
  fo2: '.8,.06,.05',
};
const LEAP = {
  head: '.12,2.02,.06',
  neck: '.06,1.82,0',
  chest: '.02,1.66,0',
  hip: '-.04,1.3,0',
  el1: '-.4,1.86,-.05',
  ha1: '-.74,1.98,-.1',
  el2: '.42,1.98,.1',
  ha2: '.76,2.12,.14',
  kn1: '-.56,1.24,-.08',
  fo1: '-1.06,1.36,-.12',
  kn2: '.5,1.26,.12',
  fo2: '1.0,1.08,.14',
};
const ARCH = {
  head: '-.36,1.6,0',
  neck: '-.22,1.52,0',
  chest: '-.1,1.42,0',
  hip: '.08,1.06,0',
  el1: '-.5,1.74,.12',
  ha1: '-.84,1.86,.15',
  el2: '-.42,1.34,-.12',
  ha2: '-.78,1.2,-.1',
  kn1: '.02,.56,.08',
  fo1: '-.06,.06,.06',
  kn2: '.26,.58,-.1',
  fo2: '.24,.06,-.12',
};
const LEAN_LEFT = {
  head: '-.4,1.78,.02',
  neck: '-.32,1.58,0',
  chest: '-.26,1.42,0',
  hip: '-.04,1.04,0',
  el1: '-.66,1.54,.05',
  ha1: '-.96,1.74,.1',
  el2: '.2,1.42,.04',
  ha2: '.52,1.36,.04',
  kn1: '.06,.56,.06',
  fo1: '.22,.06,0',
  kn2: '.2,.56,-.1',
  fo2: '.36,.06,-.1',
};
const mirror = (pose) =>
  Object.fromEntries(
    Object.entries({ ...STAND, ...pose }).map(([joint, at]) => {
      const [x, y, z] = at.split(',').map(Number);
      const other = joint.endsWith('1') ? joint.replace('1', '2') : joint.replace('2', '1');
      return [other, `${-x},${y},${z}`];
    }),
  );
const SPREAD = {
  ...STAND,
  el1: '-.42,1.5,.05',
  ha1: '-.78,1.5,.06',
  el2: '.42,1.54,.05',
  ha2: '.78,1.62,.06',
  kn2: '.16,.58,.02',
  fo2: '.3,.06,0',
  kn1: '-.14,.58,.02',
  fo1: '-.28,.06,0',
};
const LYING = {
  head: '.82,.22,.1',
  neck: '.64,.2,.06',
  chest: '.46,.18,.02',
  hip: '0,.17,0',
  el1: '.5,.5,.2',
  ha1: '.42,.86,.2',
  el2: '.86,.1,.36',
  ha2: '1.2,.05,.4',
  kn1: '-.36,.56,.05',
  fo1: '-.62,.08,.05',
  kn2: '-.48,.12,-.1',
  fo2: '-.96,.08,-.1',
};

const PHRASE = [STAND, REACH, LEAP, CROUCH];

export const scenes = [
  stage('tomasz-1', [[STAND, skirt('-.25', '.62', '.42', '9.')]]),
  stage('tomasz-2', [[REACH, skirt('.1', '.55', '.5', '7.')]], {
    KC: 'vec3(2.2,.4,.7)',
    TA: 'vec3(.05,1.3,0)',
    FOV: '4.6',
  }),
  stage('tomasz-3', [[CROUCH, NO_SKIRT]], { TA: 'vec3(.1,.72,0)', FOV: '4.9', KD: 'vec3(-1.2,1.2,.5)' }),
  stage('tomasz-4', [[LEAP, NO_SKIRT]], {
    RO: 'vec3(0,.7,5.6)',
    TA: 'vec3(0,1.3,0)',
    FOV: '3.5',
    KC: 'vec3(2.,.35,1.2)',
  }),
  stage('tomasz-5', [[ARCH, skirt('.2', '.9', '.3', '8.')]], {
    TA: 'vec3(-.14,1.,0)',
    FOV: '4.5',
    RC: 'vec3(.2,.9,2.4)',
  }),
  stage(
    'tomasz-6',
    [
      [LEAN_LEFT, skirt('-.3', '.8', '.26', '7.'), -0.5, 0, 0],
      [mirror(LEAN_LEFT), NO_SKIRT, 0.5, 0, 0],
    ],
    { RO: 'vec3(0,1.1,6.6)', TA: 'vec3(0,1.,0)', FOV: '4.1' },
  ),
  stage('tomasz-7', [[SPREAD, skirt('0.', '.5', '.5', '8.'), 0, 0, 0.4]], {
    RO: 'vec3(0,3.9,4.1)',
    TA: 'vec3(0,1.02,-.05)',
    FOV: '4.2',
    KD: 'vec3(-1.2,1.1,.1)',
  }),
  stage(
    'tomasz-8',
    PHRASE.map((pose, i) => [
      pose,
      i === 1 ? skirt('.1', '.55', '.5', '7.') : NO_SKIRT,
      (i - 1.5) * 1.75,
      -0.1 * i,
      0.15 * i - 0.3,
    ]),
    { RO: 'vec3(0,1.2,10.)', TA: 'vec3(0,1.12,-.2)', FOV: '3.6' },
    { size: LANDSCAPE },
  ),
  stage(
    'tomasz-9',
    [[LYING, NO_SKIRT]],
    { RO: 'vec3(.3,2.3,4.4)', TA: 'vec3(.1,.25,0)', FOV: '3.9', KD: 'vec3(-1.2,1.4,.2)' },
    { size: LANDSCAPE },
  ),
  stage(
    'tomasz-10',
    [
      [STAND, NO_SKIRT, -1.7, -0.4, 0.3],
      [ARCH, NO_SKIRT, 0.15, 0.2, -0.1],
      [REACH, NO_SKIRT, 1.6, -0.4, -0.3],
    ],
    {
      RO: 'vec3(0,1.2,7.6)',
      TA: 'vec3(.05,1.05,0)',
      FOV: '4.4',
      KC: 'vec3(.1,.03,.14)',
      RC: 'vec3(.1,.09,.8)',
      AM: 'vec3(.03,.015,.07)',
      FOG: '0.',
      EXPO: '1.2',
    },
    {
      size: LANDSCAPE,
      backdrop: `vec3 bg(vec2 p,vec2 u){return vec3(.62,.16,.8)*exp(-1.3*length((p-vec2(.05,.15))*vec2(.6,1.)))*2.2;}`,
    },
  ),
  stage(
    'tomasz-cover',
    [[REACH, skirt('.1', '.55', '.5', '7.'), 1.3, 0, -0.2]],
    { RO: 'vec3(0,1.3,8.2)', TA: 'vec3(0,1.35,0)', FOV: '3.5' },
    {
      size: COVER,
      backdrop: `vec3 bg(vec2 p,vec2 u){float d=length(p-vec2(.62,.15));return mix(vec3(.26,.08,.5),vec3(.012,.008,.035),smoothstep(0.,1.5,d));}`,
    },
  ),
];
