import { solid } from './engine.mjs';

const HAIR = {
  crop: 'ell(q-vec3(0,1.62,-.035),vec3(.225,.235,.245))',
  bun: 'smn(ell(q-vec3(0,1.63,-.045),vec3(.226,.228,.245)),length(q-vec3(0,1.78,-.25))-.13,.05)',
  bob: `max(smn(ell(q-vec3(0,1.61,-.05),vec3(.25,.25,.26)),ell(q-vec3(0,1.42,-.1),vec3(.27,.27,.2)),.1),
   -ell(q-vec3(0,1.42,.24),vec3(.19,.28,.22)))+.006*sin(q.x*90.)`,
  afro: 'ell(q-vec3(0,1.7,-.07),vec3(.37,.34,.36))-.035*n3(q*24.)-.02*n3(q*50.)',
  curls: `smn(ell(q-vec3(0,1.66,-.06),vec3(.27,.25,.28)),ell(q-vec3(0,1.4,-.17),vec3(.3,.32,.17)),.1)
   -.05*n3(q*17.)`,
  beanie: `min(max(ell(q-vec3(0,1.65,-.035),vec3(.228,.245,.25)),1.63-q.y),
   max(ell(q-vec3(0,1.62,-.03),vec3(.236,.3,.256)),abs(q.y-1.672+.1*q.z)-.042)-.01)+.004*sin(atan(q.x,q.z)*46.)`,
  wrap: `smn(ell(q-vec3(0,1.68,-.06),vec3(.25,.25,.29)),ell(q-vec3(.02,1.88,-.16),vec3(.18,.13,.18)),.08)
   -.012*sin(q.y*40.+q.x*18.+q.z*12.)`,
  long: `max(smn(ell(q-vec3(0,1.62,-.05),vec3(.24,.245,.26)),cap2(q,vec3(0,1.45,-.13),vec3(.04,.9,-.2),.2,.17),.12),
   -ell(q-vec3(0,1.4,.25),vec3(.17,.3,.22)))+.007*sin(q.x*80.+4.*q.y)`,
};

const turn = (yaw) =>
  `vec3 q=p-vec3(0,1.3,0);q.xz=rt(${yaw})*q.xz;q.yz=rt(-.06)*q.yz;q+=vec3(0,1.3,0);vec3 m=vec3(abs(q.x),q.yz);`;

const bust = ({ hair, yaw, skin, cloth, hairColour }) => `
vec2 map(vec3 p){vec3 b=p;b.xz=rt(${yaw}*.45)*b.xz;${turn(yaw)}
 float h=ell(q-vec3(0,1.58,-.01),vec3(.2,.245,.23));h=smn(h,ell(q-vec3(0,1.43,.07),vec3(.128,.15,.15)),.1);
 h=smn(h,cap2(q,vec3(0,1.56,.215),vec3(0,1.475,.262),.014,.03),.035);h=smn(h,length(q-vec3(0,1.345,.185))-.035,.06);
 h=smn(h,ell(q-vec3(0,1.415,.216),vec3(.05,.018,.02)),.02);h=smn(h,ell(q-vec3(0,1.392,.21),vec3(.042,.018,.02)),.02);
 h=-smn(-h,ell(m-vec3(.082,1.545,.245),vec3(.055,.034,.05)),.045);h=smn(h,length(m-vec3(.078,1.545,.168))-.036,.02);
 h=smn(h,cap(m,vec3(.03,1.6,.212),vec3(.12,1.605,.18),.012),.03);
 float ey=ell(m-vec3(.078,1.54,.196),vec3(.03,.0105,.014));
 float bw=cap2(m,vec3(.036,1.597,.222),vec3(.118,1.606,.188),.008,.005);
 h=smn(h,ell(m-vec3(.205,1.52,-.02),vec3(.025,.06,.04)),.02);
 h=smn(h,cap2(b,vec3(0,1.02,-.06),vec3(0,1.36,-.02),.115,.095),.05);
 vec3 w=vec3(abs(b.x),b.yz);float s=cap2(w,vec3(0,1.02,-.05),vec3(.37,.9,-.06),.13,.125);
 s=smn(s,ell(b-vec3(0,.62,-.04),vec3(.42,.5,.22)),.12);s=smn(s,cap2(w,vec3(.4,.88,-.06),vec3(.5,.3,.02),.12,.1),.06);
 s=smn(s,ell(b-vec3(0,.3,-.05),vec3(.42,.66,.17)),.08);
 float cl=max(s-.022-.004*sin(b.y*16.+b.x*7.+5.*ns(b.xy*3.)),-(length(b.xy*vec2(1,.9)-vec2(0,1.12))-.16));
 h=smn(h,s,.08);float hr=${HAIR[hair]};vec2 r=vec2(h,1.);r=un(r,cl,2.);r=un(r,min(hr,bw),3.);r=un(r,ey,4.);
 return r*vec2(.8,1.);}
void mat(float id,vec3 p,vec3 n,inout vec3 al,inout float r,inout float s){
 if(id<1.5){${turn(yaw)}float li=smoothstep(.03,.0,ell(q-vec3(0,1.403,.222),vec3(.044,.02,.02)));
  float ch=smoothstep(.06,.0,length(m-vec3(.11,1.46,.17))-.01);
  al=${skin}*(.94+.1*fb(p.xy*40.))*mix(vec3(1),vec3(.86,.52,.5),li*.75)*mix(vec3(1),vec3(1.05,.82,.78),ch*.6);
  r=.62;s=.24;}
 else if(id<2.5){al=${cloth}*(.9+.2*ns(p.xy*160.));r=.95;s=.05;}
 else if(id<3.5){al=${hairColour};r=.5;s=.35;}
 else{al=vec3(.012,.008,.006);r=.1;s=.9;}}`;

const portrait = (name, sitter, wall, studio, glowX = '.35') =>
  solid(
    `${name}-p`,
    `vec3 bg(vec2 p,vec2 u){float d=length(p-vec2(${glowX},.15));
 return mix(${wall[0]},${wall[1]},smoothstep(0.,1.35,d+.08*fb(p*2.)));}${bust(sitter)}`,
    {
      RO: 'vec3(0,1.46,2.9)',
      TA: 'vec3(0,1.43,0)',
      FOV: '4.1',
      EXPO: '.5',
      KD: 'vec3(-1.,.7,.35)',
      SK: '9.',
      ...studio,
    },
    { size: [800, 1000], samples: 3 },
  );

export const scenes = [
  portrait(
    'mirele',
    { hair: 'wrap', yaw: '.62', skin: 'vec3(.26,.13,.08)', cloth: 'vec3(.55,.53,.47)', hairColour: 'vec3(.3,.42,.36)' },
    ['vec3(.42,.43,.38)', 'vec3(.12,.13,.115)'],
    { KC: 'vec3(2.8,2.5,2.1)', RC: 'vec3(.5,.55,.5)' },
  ),
  portrait(
    'ines',
    { hair: 'long', yaw: '-.7', skin: 'vec3(.5,.3,.21)', cloth: 'vec3(.03)', hairColour: 'vec3(.035,.02,.015)' },
    ['vec3(.42,.035,.02)', 'vec3(.03,.004,.006)'],
    {
      KD: 'vec3(1,.6,.2)',
      KC: 'vec3(2.9,1.5,.9)',
      RD: 'vec3(-1,.4,-.8)',
      RC: 'vec3(1.4,.12,.06)',
      AM: 'vec3(.06,.02,.02)',
    },
    '-.35',
  ),
  portrait(
    'tomasz',
    { hair: 'crop', yaw: '.85', skin: 'vec3(.5,.33,.26)', cloth: 'vec3(.1,.07,.2)', hairColour: 'vec3(.06,.035,.03)' },
    ['vec3(.24,.1,.55)', 'vec3(.02,.012,.06)'],
    { KC: 'vec3(2.2,.6,1.7)', RC: 'vec3(.3,.45,2.4)', AM: 'vec3(.06,.04,.14)' },
  ),
  portrait(
    'hana',
    { hair: 'bun', yaw: '-1.1', skin: 'vec3(.55,.38,.3)', cloth: 'vec3(.1,.15,.2)', hairColour: 'vec3(.3,.19,.09)' },
    ['vec3(.42,.52,.6)', 'vec3(.09,.14,.2)'],
    { KD: 'vec3(1,.5,-.2)', KC: 'vec3(2.2,2.1,2.)', RC: 'vec3(.25,.4,.55)', AM: 'vec3(.14,.18,.24)' },
    '-.3',
  ),
  portrait(
    'baptiste',
    {
      hair: 'beanie',
      yaw: '.5',
      skin: 'vec3(.46,.29,.19)',
      cloth: 'vec3(.06,.1,.17)',
      hairColour: 'vec3(.42,.07,.03)',
    },
    ['vec3(.95,.55,.06)', 'vec3(.6,.26,.02)'],
    { KC: 'vec3(3.2,2.7,2.)', RC: 'vec3(.6,.4,.1)', AM: 'vec3(.25,.2,.14)' },
  ),
  portrait(
    'dede',
    { hair: 'afro', yaw: '-.5', skin: 'vec3(.2,.1,.065)', cloth: 'vec3(.85,.2,.08)', hairColour: 'vec3(.02)' },
    ['vec3(.08,.42,.4)', 'vec3(.008,.06,.065)'],
    {
      KD: 'vec3(1.,.6,.3)',
      KC: 'vec3(3.2,1.4,.8)',
      RD: 'vec3(-1,.4,-.7)',
      RC: 'vec3(.2,1.6,1.5)',
      AM: 'vec3(.04,.09,.09)',
    },
    '-.3',
  ),
  portrait(
    'yuki',
    { hair: 'bob', yaw: '.7', skin: 'vec3(.62,.45,.36)', cloth: 'vec3(.5,.12,.1)', hairColour: 'vec3(.015)' },
    ['vec3(.95,.6,.55)', 'vec3(.6,.24,.22)'],
    { KC: 'vec3(2.6,2.2,2.)', RC: 'vec3(.6,.3,.3)', AM: 'vec3(.24,.18,.18)' },
  ),
  portrait(
    'aurelio',
    {
      hair: 'curls',
      yaw: '-.85',
      skin: 'vec3(.36,.21,.14)',
      cloth: 'vec3(.06,.06,.08)',
      hairColour: 'vec3(.03,.02,.02)',
    },
    ['vec3(.05,.12,.3)', 'vec3(.008,.01,.03)'],
    {
      KD: 'vec3(1,.5,.1)',
      KC: 'vec3(3.,1.2,.4)',
      RD: 'vec3(-1,.3,-.7)',
      RC: 'vec3(.1,.6,1.8)',
      AM: 'vec3(.03,.03,.06)',
    },
    '-.4',
  ),
  portrait(
    'defne',
    {
      hair: 'bun',
      yaw: '.75',
      skin: 'vec3(.47,.3,.21)',
      cloth: 'vec3(.03,.06,.13)',
      hairColour: 'vec3(.2,.19,.18)',
    },
    ['vec3(.5,.42,.24)', 'vec3(.16,.12,.06)'],
    { KC: 'vec3(2.7,2.4,2.)', RC: 'vec3(.3,.45,.5)', AM: 'vec3(.18,.2,.2)' },
  ),
  portrait(
    'june',
    { hair: 'bob', yaw: '.95', skin: 'vec3(.5,.34,.26)', cloth: 'vec3(.14,.2,.3)', hairColour: 'vec3(.1,.05,.03)' },
    ['vec3(.3,.34,.38)', 'vec3(.1,.11,.13)'],
    { KD: 'vec3(-1.,.7,.35)', KC: 'vec3(2.2,2.,1.8)', RC: 'vec3(.3,.35,.45)' },
  ),
  portrait(
    'mateus',
    {
      hair: 'crop',
      yaw: '-.95',
      skin: 'vec3(.3,.17,.11)',
      cloth: 'vec3(.3,.26,.18)',
      hairColour: 'vec3(.02,.015,.012)',
    },
    ['vec3(.46,.44,.3)', 'vec3(.14,.13,.08)'],
    { KD: 'vec3(1,.6,.2)', KC: 'vec3(2.4,2.1,1.7)', RC: 'vec3(.4,.4,.3)' },
  ),
];
