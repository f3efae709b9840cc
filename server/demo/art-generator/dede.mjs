import { COVER, LANDSCAPE, solid, sweep } from './engine.mjs';

const GYM = `float kb(vec3 p,float s,float a){p=ry(p,a);p/=s;float b=max(length(p-vec3(0,.44,0))-.46,-p.y);
 vec3 h=p-vec3(0,.98,0);h.y*=.92;return smn(b,tor(h,.27,.075),.1)*s;}
/* A plate lying along z, of radius a and thickness b, with its rim and hole. */
float disc(vec3 p,float a,float b){float l=length(p.xy);float d=max(l-a,abs(p.z)-b*(l>a*.8?1.:l<a*.3?1.:.55));return max(d,-(l-.06))*.8-.012;}
float rod(vec3 p,float r,float h){return max(length(p.xy)-r,abs(p.z)-h);}
float hexa(vec2 p,float r){p=abs(p);return max(dot(p,vec2(.5,.866)),p.x)-r;}
float bell(vec3 p,float l){float d=rod(p,.055,l);vec3 q=vec3(p.xy,abs(p.z)-l);return min(d,max(hexa(q.xy,.26),abs(q.z)-.17)-.02);}
`;
/** Materials: 1 cast iron, 2 steel, 3 coral rubber, 4 rope, 5 chalk, 6 wood, 7 skin, 8 clothes, 9 leather. */
const STUFF = (floor) => `vec3 bg(vec2 p,vec2 u){return vec3(.02);}
void mat(float id,vec3 p,vec3 n,inout vec3 al,inout float r,inout float s){
 if(id<.5){al=${floor};r=.9;s=.05;}
 else if(id<1.5){al=vec3(.05)+.03*ns(p.xy*60.);float c=smoothstep(.62,.75,fb(p.xy*9.+p.z*4.));al+=c*.3;r=.5;s=.55*(1.-c);}
 else if(id<2.5){al=vec3(.42,.44,.46)*(.9+.1*ns(p.xy*200.));r=.2;s=1.3;}
 else if(id<3.5){al=vec3(.75,.17,.08)*(.92+.1*ns(p.xy*80.));r=.7;s=.2;}
 else if(id<4.5){al=vec3(.58,.48,.32)*(.7+.45*ns(p.xz*40.+p.y*60.));r=.95;s=.04;}
 else if(id<5.5){al=vec3(.8)*(.85+.25*fb(p.xz*12.+p.y*9.));r=1.;s=.02;}
 else if(id<6.5){al=vec3(.5,.32,.17)*(.75+.4*fb(vec2(p.x*3.+p.y*2.,p.z*24.+p.y*20.)));r=.75;s=.12;}
 else if(id<7.5){al=vec3(.22,.11,.07);r=.5;s=.45;}
 else if(id<8.5){al=vec3(.05,.2,.2)*(.85+.3*ns(p.xy*90.));r=.85;s=.1;}
 else if(id<9.5){al=vec3(.34,.15,.07)*(.8+.35*fb(p.xy*7.+p.z*5.));r=.55;s=.35;}
 else{al=vec3(.02);r=.6;s=.2;}}`;
const TWO_LIGHTS = {
  RO: 'vec3(0,1.15,5.2)',
  TA: 'vec3(0,.72,0)',
  FOV: '3.5',
  KD: 'vec3(-1.2,1.,.3)',
  KC: 'vec3(.5,2.3,2.1)',
  RD: 'vec3(1,.5,-.3)',
  RC: 'vec3(2.2,.5,.22)',
  AM: 'vec3(.03,.08,.09)',
  SK: '9.',
};
const TEAL_FLOOR = 'vec3(.24,.3,.3)';
const gym = (name, shapes, studio = {}, { floor = TEAL_FLOOR, helpers = '', depth = '1.9', ...options } = {}) =>
  solid(
    name,
    `${GYM}${helpers}${sweep(depth)}vec2 map(vec3 p){vec2 r=vec2(room(p),0.);${shapes}return r;}${STUFF(floor)}`,
    { ...TWO_LIGHTS, ...studio },
    options,
  );
const kettlebells = (list) => list.map(([x, z, s, a]) => `r=un(r,kb(p-vec3(${x},0,${z}),${s},${a}),1.);`).join('');

const BARBELL = (y, z) => `{vec3 q=(p-vec3(0,${y},${z})).zyx;r=un(r,rod(q,.032,2.3),2.);vec3 k=vec3(q.xy,abs(q.z));
 r=un(r,disc(k-vec3(0,0,1.5),.52,.09),1.);r=un(r,disc(k-vec3(0,0,1.72),.44,.07),3.);r=un(r,rod(k-vec3(0,0,1.86),.07,.06),2.);}`;

const athlete = (j) => {
  const v = (k) => `vec3(${j[k]})`;
  const pair = (a, b, r, s, to) => `${to}=smn(${to},cap2(m,${v(a)},${v(b)},${r},${s}),.05);`;
  return `{vec3 m=vec3(abs(p.x),p.yz);float b=ell(p-${v('head')},vec3(.11,.14,.125)),g=9.;
 b=smn(b,cap2(p,${v('chest')}+vec3(0,.1,0),${v('head')},.075,.06),.06);g=cap2(p,${v('hip')},${v('chest')},.16,.2);
 ${pair('hipSide', 'knee', '.13', '.09', 'g')}${pair('knee', 'shin', '.09', '.06', 'g')}
 ${pair('shoulder', 'elbow', '.095', '.065', 'b')}${pair('elbow', 'hand', '.068', '.05', 'b')}
 b=smn(b,length(m-${v('shoulder')})-.1,.06);b=min(b,ell(m-${v('foot')},vec3(.07,.06,.16)));
 r=un(r,b*.85,7.);r=un(r,g*.85,8.);vec3 h=p-${v('head')}-vec3(0,.07,-.03);r=un(r,(length(h)-.17-.02*n3(h*60.))*.8,10.);}`;
};
const DEADLIFT = athlete({
  head: '0,1.5,.42',
  chest: '0,1.2,.22',
  hip: '0,.86,-.28',
  hipSide: '.15,.82,-.26',
  knee: '.26,.5,.12',
  shin: '.24,.1,-.04',
  foot: '.25,.05,.08',
  shoulder: '.26,1.28,.26',
  elbow: '.4,.88,.28',
  hand: '.42,.5,.26',
});
const OVERHEAD = athlete({
  head: '0,1.74,.06',
  chest: '0,1.42,.0',
  hip: '0,1.02,0',
  hipSide: '.13,.98,0',
  knee: '.26,.54,.06',
  shin: '.34,.1,0',
  foot: '.36,.05,.08',
  shoulder: '.26,1.52,0',
  elbow: '.5,1.78,.02',
  hand: '.52,2.12,0',
});

const ROPE = `{float a=atan(p.z,p.x),l=length(p.xz);for(int i=0;i<3;i++){float f=float(i);
 float y=.09+f*.155;float k=.92-.04*f+.02*sin(a*3.+f*2.);
 float d=length(vec2(l-k,p.y-y))-.085;d=min(d,length(vec2(l-k+.2,p.y-y+.02))-.085);d=min(d,length(vec2(l-k+.4,p.y-y+.01*f))-.085);
 d+=.012*sin(a*58.+(l*9.+p.y*14.)*2.);r=un(r,d*.7,4.);}
 float e=cap(p,vec3(.85,.1,.35),vec3(1.75,.1,1.0),.085)+.012*sin((p.x+p.z)*44.);r=un(r,e*.7,4.);
 r=un(r,cap(p,vec3(1.6,.1,.9),vec3(1.85,.1,1.07),.1),3.);}`;
const CHALK = `{float x=length(p.xz);float d=max((x-.52-.16*sqrt(clamp(p.y/.5,0.,1.))),abs(p.y-.25)-.25);d=max(d,-max((x-.46-.16*sqrt(clamp(p.y/.5,0.,1.))),.08-p.y));r=un(r,d*.7-.012,1.);
 r=un(r,(max(x-.56,p.y-.36-.07*fb(p.xz*5.))+.0)*.7,5.);for(int i=0;i<5;i++){float f=float(i);r=un(r,box(rz(ry(p-vec3(.28*cos(f*1.9),.47+.05*h1(f),.25*sin(f*1.9)),f*1.3),.2*sin(f*3.)),vec3(.13,.09,.1),.03)-.012*fb(p.xy*9.),5.);}
 r=un(r,box(ry(p-vec3(.98,.1,.45),.6),vec3(.16,.1,.12),.03)-.012*fb(p.xy*9.),5.);
 for(int i=0;i<12;i++){float f=float(i);r=un(r,length(p-vec3(.4+1.1*h1(f*3.),.0,.2+.9*h1(f*5.)))-.015-.03*h1(f*7.),5.);}}`;
const RINGS = `for(int s=0;s<2;s++){float x=s==0?-.55:.55;float y=s==0?1.28:1.16;float z=s==0?0.:-.15;vec3 q=ry(p-vec3(x,y,z),s==0?.5:-.35);
 r=un(r,tor(q,.36,.052),6.);r=un(r,box(q-vec3(0,2.2,0),vec3(.045,1.85,.008),.004),3.);r=un(r,box(q-vec3(0,.37,0),vec3(.05,.06,.07),.01),3.);}`;
const PLATES = `for(int i=0;i<6;i++){float f=float(i);float a=i<2?.78:i<4?.62:.46;vec3 q=rx(p-vec3(.03*sin(f*4.),.1+f*.172,.03*cos(f*3.)),1.5708);r=un(r,disc(q,a,.075),i==1?3.:i==4?3.:1.);}
 {vec3 q=rx(ry(p-vec3(1.0,.5,-.35),-.5),-.22);r=un(r,disc(q,.5,.07),1.);}`;
const DUMBBELLS = `r=un(r,bell(ry(p-vec3(-.25,.28,.35),1.2),.42),1.);r=un(r,bell(ry(p-vec3(.45,.28,-.45),.85),.42),1.);{vec3 q=ry(p-vec3(.1,.79,-.05),-.35);r=un(r,bell(q,.42),1.);}`;
const BALL = `{vec3 q=p-vec3(-.25,.62,0);float d=length(q)-.62;vec3 k=rz(ry(q,.5),.4);float seam=min(min(abs(k.x),abs(k.y)),abs(k.z));d+=.018*smoothstep(.03,.0,seam);r=un(r,d*.9,9.);}
 r=un(r,box(ry(p-vec3(.95,.3,-.75),.4),vec3(.5,.3,.42),.02),6.);${kettlebells([[0.75, 0.55, 0.62, 0.5]])}`;

export const scenes = [
  gym(
    'dede-1',
    kettlebells(
      [
        [-0.55, 0, 1.15, 0.5],
        [0.75, 0.3, 0.85, -0.4],
      ].map((row) => row.map((value) => value.toFixed(2))),
    ),
  ),
  gym('dede-2', DEADLIFT + BARBELL('.52', '.28'), {
    RO: 'vec3(5.2,1.2,4.2)',
    TA: 'vec3(.05,.8,.05)',
    FOV: '3.5',
    KD: 'vec3(-.7,1.,.9)',
    KC: 'vec3(.3,1.5,1.4)',
    RD: 'vec3(.8,.5,-.8)',
  }),
  gym('dede-3', OVERHEAD + BARBELL('2.14', '0.'), { RO: 'vec3(-.7,.75,7.4)', TA: 'vec3(0,1.2,0)', FOV: '3.1' }),
  gym('dede-4', ROPE, { RO: 'vec3(.2,3.,4.2)', TA: 'vec3(.15,.1,.1)', FOV: '3.' }),
  gym('dede-5', CHALK, { RO: 'vec3(.1,2.2,4.4)', TA: 'vec3(.22,.3,.1)', FOV: '3.6' }),
  gym('dede-6', RINGS, { RO: 'vec3(0,1.5,5.2)', TA: 'vec3(0,1.5,0)', FOV: '3.' }),
  gym('dede-7', PLATES, { RO: 'vec3(0,1.5,4.9)', TA: 'vec3(.1,.5,0)', FOV: '3.2' }),
  gym(
    'dede-8',
    DUMBBELLS,
    { RO: 'vec3(.1,1.7,4.6)', TA: 'vec3(.05,.48,0)', FOV: '3.3' },
    { floor: 'vec3(.42,.2,.15)' },
  ),
  gym('dede-9', BALL, { RO: 'vec3(0,1.2,5.1)', TA: 'vec3(.1,.6,0)', FOV: '3.2' }),
  gym(
    'dede-10',
    BARBELL('.54', '0.'),
    { RO: 'vec3(2.7,.75,2.4)', TA: 'vec3(.95,.5,0)', FOV: '2.2' },
    { size: LANDSCAPE },
  ),
  gym(
    'dede-11',
    kettlebells([
      ['-1.50', '-.30', '.62', '.2'],
      ['-.86', '0.', '.76', '.6'],
      ['-.06', '.1', '.92', '-.3'],
      ['.86', '0.', '1.08', '.4'],
      ['1.86', '-.2', '1.26', '-.2'],
    ]),
    { RO: 'vec3(.2,1.1,6.2)', TA: 'vec3(.2,.62,0)', FOV: '2.9' },
    { size: LANDSCAPE },
  ),
  gym(
    'dede-cover',
    kettlebells([
      ['1.2', '0.', '1.15', '.5'],
      ['2.5', '.3', '.85', '-.4'],
      ['-2.6', '-.6', '.9', '.9'],
    ]),
    { RO: 'vec3(.2,1.25,6.2)', TA: 'vec3(.2,.9,0)', FOV: '2.7' },
    { size: COVER },
  ),
];
