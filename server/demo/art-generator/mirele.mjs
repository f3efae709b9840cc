import { COVER, LANDSCAPE, solid, sweep } from './engine.mjs';

const BONE = 'vec3(.78,.74,.66)';
const CELADON = 'vec3(.36,.5,.42)';
const IRON = 'vec3(.07,.06,.065)';
const OXBLOOD = 'vec3(.42,.09,.05)';
const SKY = 'vec3(.3,.42,.55)';
const PAPER = 'vec3(.5,.47,.43)';

/** Shapes on y=0. `ph` moves the belly of a vase, `e` sharpens it. */
const WHEEL = `
float vase(vec3 p,float h,float r,float nr,float e,float ph){float x=length(p.xz),t=clamp(p.y/h,0.,1.);
 float R0=nr+(r-nr)*pow(sin(PI*clamp(t*(1.-ph)+ph,0.,1.)),e)+.05*h*smoothstep(.9,1.,t)*step(.001,nr);
 float d=max((x-R0)*.55,abs(p.y-h*.5)-h*.5);return max(d,-max((x-R0+.035)*.55,.05-p.y))-.012;}
float bowl(vec3 p,float r,float h){float x=length(p.xz),t=clamp(p.y/h,0.,1.);float R0=r*(.42+.58*sqrt(t));
 float d=max((x-R0)*.6,abs(p.y-h*.5)-h*.5);return max(d,-max((x-R0+.05)*.6,.06-p.y))-.012;}
float bottle(vec3 p,float h,float r){float x=length(p.xz),t=clamp(p.y/h,0.,1.);
 float R0=mix(r*(.82+.18*smoothstep(0.,.12,t)),r*.2,smoothstep(.42,.66,t))+r*.1*smoothstep(.93,1.,t);
 float d=max((x-R0)*.5,abs(p.y-h*.5)-h*.5);return max(d,-max((x-R0+.03)*.5,h*.8-p.y))-.012;}
float dish(vec3 p,float r){float x=length(p.xz);float y=.02+.13*smoothstep(r*.45,r,x);
 return max(abs(p.y-y)-.02,x-r)*.65-.008;}
float cup(vec3 p,float r,float h){float x=length(p.xz);float t=clamp(p.y/h,0.,1.);float R0=r*(.86+.14*t);
 float d=max(x-R0,abs(p.y-h*.5)-h*.5);d=max(d,-max(x-R0+.04,.06-p.y))*.8-.012;
 vec3 q=p-vec3(r*.98,h*.52,0);return min(d,max(tor(q,h*.27,.032),-q.x-.04));}
`;

/** `line` is the edge of the glaze; below 0 the clay is bare. */
const DIPPED = 'p.y-.16-.09*fb(vec2(atan(p.x+.4*id,p.z)*3.,id*7.))';
const glazes = ([a, b, c], floor, line) => `vec3 bg(vec2 p,vec2 u){return vec3(.02);}
void mat(float id,vec3 p,vec3 n,inout vec3 al,inout float r,inout float s){
 if(id<.5){al=${floor}*(.96+.06*fb(p.xz*9.));r=1.;s=.02;return;}
 if(id>3.5){al=vec3(.33,.2,.13)*(.85+.3*fb(p.xy*14.+p.z*9.));r=.95;s=.04;return;}
 vec3 g=id<1.5?${a}:id<2.5?${b}:${c};
 float sk=step(.955,ns(p.xy*70.+p.z*63.))*.5+smoothstep(.62,.8,fb(p.xy*8.+p.z*5.))*.12;
 float dip=smoothstep(-.012,.012,${line});al=mix(vec3(.33,.2,.13),g,dip);al*=1.-sk;r=mix(.95,.3,dip);
 s=mix(.04,.75,dip);}`;

/** `pots` are [x, z, glaze, expression of P]. */
const shelf = (
  name,
  pots,
  palette,
  studio,
  { floor = PAPER, line = DIPPED, extra = '', depth = '2.2', ...options } = {},
) => {
  const list = pots.map(
    ([x, z, id, e]) => `r=un(r,${e.replaceAll(/\bP\b/g, `(p-vec3(${x.toFixed(3)},0,${z.toFixed(3)}))`)},${id}.);`,
  );
  const map = `${sweep(depth)}vec2 map(vec3 p){vec2 r=vec2(room(p),0.);${list.join('')}${extra}return r;}`;
  return solid(
    name,
    WHEEL + glazes(palette, floor, line) + map,
    { KD: 'vec3(-1.3,.85,.55)', SK: '5.', ...studio },
    options,
  );
};

const GLAZED = 'p.y-.03';
const grid = (columns, rows, step, make) =>
  Array.from({ length: columns * rows }, (_, i) => {
    const x = (i % columns) - (columns - 1) / 2;
    const z = Math.floor(i / columns) - (rows - 1) / 2;
    return [x * step + 0.05 * Math.sin(i * 7.1), z * step + 0.05 * Math.cos(i * 5.3), ...make(i)];
  });

const CUP = 'vase(P,.8,.3,.24,.8,.25)';

export const scenes = [
  shelf(
    'mirele-cover',
    [
      [-1.5, -0.3, 3, 'vase(P,1.3,.5,.16,1.,.1)'],
      [-0.35, -0.15, 1, 'vase(P,1.95,.5,.14,1.6,.2)'],
      [0.72, 0, 2, 'vase(P,1.2,.55,.18,.9,.12)'],
      [1.62, 0.35, 3, 'bowl(P,.46,.38)'],
      [2.5, -0.5, 1, 'vase(P,1.55,.34,.2,.7,.25)'],
      [0.1, 0.95, 1, 'bowl(P,.26,.22)'],
      [-2.7, -0.2, 2, 'bowl(P,.6,.42)'],
    ],
    [BONE, CELADON, IRON],
    { RO: 'vec3(.3,1.35,6.2)', TA: 'vec3(.3,.82,0)', FOV: '2.55' },
    { size: COVER },
  ),
  shelf(
    'mirele-1',
    [
      [-0.62, -0.1, 1, 'vase(P,1.75,.46,.13,1.5,.2)'],
      [0.32, 0.05, 2, 'vase(P,1.15,.52,.17,.9,.12)'],
      [1.06, 0.35, 3, 'bowl(P,.42,.36)'],
      [-0.05, 0.85, 1, 'bowl(P,.24,.2)'],
    ],
    [BONE, CELADON, IRON],
    { RO: 'vec3(.15,1.3,5.4)', TA: 'vec3(.22,.74,0)', FOV: '3.25' },
  ),
  shelf(
    'mirele-2',
    [[0, 0, 1, 'vase(P,1.5,.72,.2,1.1,.14)']],
    [CELADON, BONE, IRON],
    { RO: 'vec3(0,1.25,4.8)', TA: 'vec3(0,.74,0)', FOV: '3.3', KD: 'vec3(1.3,.9,.3)' },
    { floor: 'vec3(.42,.45,.42)' },
  ),
  shelf(
    'mirele-3',
    [
      [-0.5, 0.1, 1, 'bowl(P,.62,.5)'],
      [0.62, -0.3, 2, 'bowl(P,.5,.42)'],
      [0.35, 0.75, 3, 'bowl(P,.36,.3)'],
      [-0.75, -0.85, 3, 'bowl(P,.4,.34)'],
    ],
    [BONE, OXBLOOD, IRON],
    { RO: 'vec3(.2,3.9,3.6)', TA: 'vec3(0,.2,0)', FOV: '2.9', KD: 'vec3(-1.3,.9,-.3)', SK: '8.' },
  ),
  shelf(
    'mirele-4',
    [
      [-0.45, 0, 3, 'vase(P,1.9,.36,.1,1.8,.22)'],
      [0.45, 0.1, 1, 'vase(P,1.0,.42,.26,.8,.2)'],
    ],
    [OXBLOOD, BONE, IRON],
    { RO: 'vec3(0,1.3,5.2)', TA: 'vec3(0,.85,0)', FOV: '3.5', KD: 'vec3(-1.3,.7,.3)', SK: '6.' },
    { floor: 'vec3(.5,.36,.3)' },
  ),
  shelf(
    'mirele-5',
    [
      [-0.8, 0, 2, CUP],
      [0, 0, 2, CUP],
      [0.8, 0, 1, CUP],
      [-0.4, -0.8, 1, CUP],
      [0.4, -0.8, 2, CUP],
    ],
    [SKY, BONE, IRON],
    { RO: 'vec3(0,1.9,4.6)', TA: 'vec3(0,.4,-.1)', FOV: '3.2', KD: 'vec3(1.2,.8,.2)', SK: '7.' },
    { floor: 'vec3(.36,.4,.46)' },
  ),
  shelf('mirele-6', [[0.1, 0, 3, 'bowl(P,.85,.7)']], [BONE, CELADON, IRON], {
    RO: 'vec3(0,2.1,4.)',
    TA: 'vec3(.1,.35,0)',
    FOV: '2.6',
    KD: 'vec3(-1.2,.7,-.4)',
    SK: '6.',
    KC: 'vec3(2.6,2.3,2.)',
  }),
  shelf(
    'mirele-7',
    grid(5, 6, 0.86, (i) => [[1, 2, 1, 3, 1, 1, 2][i % 7], `bowl(P,${(0.34 + 0.03 * Math.sin(i * 3)).toFixed(3)},.3)`]),
    [BONE, CELADON, IRON],
    { RO: 'vec3(0,7.4,1.2)', TA: 'vec3(0,.1,0)', FOV: '3.6', KD: 'vec3(-1.4,.9,-.2)', SK: '9.' },
    { line: GLAZED, depth: '9.' },
  ),
  shelf(
    'mirele-8',
    [],
    [BONE, CELADON, OXBLOOD],
    { RO: 'vec3(0,1.55,4.7)', TA: 'vec3(.02,.78,0)', FOV: '3.3', KD: 'vec3(1.3,.9,.4)', SK: '6.' },
    {
      line: '1.',
      extra: `for(int i=0;i<7;i++){float f=float(i);vec3 q=p-vec3(.035*sin(f*2.1),f*.185,.03*cos(f*1.7));
 r=un(r,bowl(rz(q,.035*sin(f*3.3)),.66-.035*f,.36),i==2?2.:i==5?3.:i==6?2.:1.);}`,
    },
  ),
  shelf(
    'mirele-9',
    [],
    [BONE, CELADON, IRON],
    { RO: 'vec3(.1,1.5,4.9)', TA: 'vec3(0,.66,0)', FOV: '2.5', KD: 'vec3(-1.3,.9,.5)', SK: '7.' },
    {
      line: 'p.y-(p.z<0.?.98:.3)-.05*fb(p.xy*8.)',
      extra: `for(int i=0;i<6;i++){float f=float(i)-2.5;vec3 q=rx(p-vec3(f*.42,.36,.45),.12);
 r=un(r,max(box(q,vec3(.16,.36,.035),.03),-(length(q.xy-vec2(0,.27))-.035)),mod(float(i)*2.,3.)+1.);}
 for(int i=0;i<5;i++){float f=float(i)-2.;vec3 q=rx(p-vec3(f*.44,1.06,-.6),.12);
 r=un(r,max(box(q,vec3(.16,.36,.035),.03),-(length(q.xy-vec2(0,.27))-.035)),mod(float(i)+1.,3.)+1.);}
 r=un(r,box(p-vec3(0,.34,-.6),vec3(1.35,.34,.22),.02),4.);`,
    },
  ),
  shelf('mirele-10', [[-0.35, 0, 1, 'bottle(P,1.9,.42)']], [BONE, CELADON, IRON], {
    RO: 'vec3(.3,1.5,5.4)',
    TA: 'vec3(.15,.82,0)',
    FOV: '3.2',
    KD: 'vec3(-1.4,.55,.35)',
    SK: '4.',
  }),
  shelf(
    'mirele-11',
    [
      [-1.55, 0, 1, 'bottle(P,1.5,.34)'],
      [-0.95, -0.15, 3, 'bottle(P,1.9,.3)'],
      [-0.38, 0.1, 2, 'vase(P,1.05,.36,.2,.8,.2)'],
      [0.2, -0.1, 1, 'bottle(P,2.05,.33)'],
      [0.78, 0.05, 1, 'vase(P,.9,.33,.25,.7,.25)'],
      [1.3, -0.05, 2, 'bottle(P,1.65,.31)'],
      [1.85, 0.1, 3, 'vase(P,.7,.3,.22,.8,.22)'],
    ],
    [BONE, 'vec3(.46,.5,.46)', 'vec3(.3,.24,.22)'],
    { RO: 'vec3(.1,1.15,6.4)', TA: 'vec3(.12,.9,0)', FOV: '3.1' },
    { size: LANDSCAPE },
  ),
  shelf(
    'mirele-12',
    [[0.72, 0.62, 2, 'cup(P,.28,.46)']],
    [BONE, CELADON, IRON],
    { RO: 'vec3(-.2,1.6,5.)', TA: 'vec3(0,.68,0)', FOV: '3.1', KD: 'vec3(-1.3,.9,.5)' },
    {
      line: '1.',
      extra: `r=un(r,dish(rx(p-vec3(-.25,.78,-.25),1.32),.8),3.);r=un(r,dish(rx(p-vec3(.1,.52,.1),1.25),.54),1.);
 r=un(r,bowl(p-vec3(-.85,0,.75),.3,.24),1.);`,
    },
  ),
  shelf(
    'mirele-13',
    [],
    [BONE, CELADON, IRON],
    { RO: 'vec3(.1,3.,4.2)', TA: 'vec3(.02,.18,.05)', FOV: '3.1', KD: 'vec3(-1.3,.8,-.1)', SK: '7.' },
    {
      line: 'p.y-.05',
      extra: `float j=.09*(abs(fract(p.z*2.3+.2*p.y)-.5)-.25)+.05*sin(p.z*9.+p.y*4.);
 vec3 a=ry(p-vec3(-.22,0,-.04),.06),b=ry(p-vec3(.3,0,.12),-.16);
 r=un(r,max(bowl(a,.82,.6),(a.x+j)*.8),1.);r=un(r,max(bowl(b,.82,.6),(-b.x-j)*.8),1.);
 r=un(r,max(box(ry(p-vec3(.12,.05,1.05),.5),vec3(.12,.03,.08),.02),-(length(p.xz-vec2(.05,1.0))-.05)),1.);
 r=un(r,box(ry(p-vec3(.5,.04,.95),1.2),vec3(.06,.025,.05),.015),1.);`,
    },
  ),
];
