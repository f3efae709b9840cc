import { COVER, flat, LANDSCAPE, solid } from './engine.mjs';

const TUNGSTEN = {
  EXPO: '.42',
  KD: 'vec3(-1,.75,-.9)',
  KC: 'vec3(3.4,1.9,1.0)',
  RD: 'vec3(1,.3,-.5)',
  RC: 'vec3(.5,.06,.04)',
  AM: 'vec3(.05,.03,.03)',
  SK: '8.',
};
const DARK_RED = 'vec3 bg(vec2 p,vec2 u){return mix(vec3(.10,.012,.01),vec3(.008,.004,.006),u.y);}';
const VARNISH = `vec3 varnish(vec2 q){float g=fb(vec2(q.x*26.,q.y*1.1))*.6+fb(vec2(q.x*5.,q.y*.5))*.6;
 return mix(vec3(.36,.1,.025),vec3(.75,.3,.07),g)*.75;}`;

const belly = (name, camera, { extra = '', ...options } = {}) =>
  solid(
    name,
    `${DARK_RED}${VARNISH}
float fh(vec2 q){q.x=abs(q.x)-.74;q.x+=.13*sin(q.y*2.6);
 float d=max(abs(q.x)-.035*(1.-.5*abs(q.y)/.62),abs(q.y)-.6);d=min(d,length(q-vec2(.05,.62))-.085);
 return min(d,length(q-vec2(-.05,-.62))-.1);}
vec2 map(vec3 p){float y=.16*exp(-.9*p.x*p.x)-.03*p.z*p.z*.3;float b=(p.y-y)*.85;float f=fh(p.xz);
 b=max(b,-max(f,-(p.y+.25)));vec2 r=vec2(b,1.);
 for(int i=0;i<4;i++){float x=(float(i)-1.5)*.15;
  r=un(r,length(vec2(p.x-x,p.y-.46+.05*abs(x)*3.))-(.011+.004*float(3-i)),2.);}
 vec3 q=p-vec3(0,.22,-.55);
 float br=max(max(abs(q.z)-.045+.02*q.y,abs(q.x)-.36+.2*abs(q.y-.1)),abs(q.y)-.24+.25*q.x*q.x);
 br=max(br,-(length(vec2(abs(q.x)-.15,q.y+.02))-.065));r=un(r,br*.7,3.);${extra}return r;}
void mat(float id,vec3 p,vec3 n,inout vec3 al,inout float r,inout float s){
 if(id<1.5){al=varnish(p.xz);al*=smoothstep(-.02,.02,abs(fh(p.xz))-.004)*.6+.4;r=.28;s=.8;}
 else if(id<2.5){al=vec3(.55,.52,.48);r=.15;s=1.6;}
 else if(id<3.5){al=vec3(.62,.42,.22)*(.8+.3*fb(p.xy*vec2(4.,40.)));r=.6;s=.25;}
 else if(id<4.5){al=vec3(.16,.035,.015)*(.8+.4*fb(vec2(p.x*3.,p.z*60.)));r=.25;s=.8;}
 else{al=vec3(.6,.5,.36);r=.9;s=.1;}}`,
    { ...TUNGSTEN, FOG: '.16', ...camera },
    options,
  );

const BOW = `vec3 w=p-vec3(0,.56,.18);w=ry(w,-.22);w=rz(w,.05);
 r=un(r,max(box(w-vec3(0,-.0,0),vec3(3.,.008,.05),.004),-1.),5.);
 r=un(r,cap(w,vec3(-3.,.2,.06),vec3(3.,.16,.06),.03),4.);`;

const CELLO = `
float outline(vec2 q){q.x=abs(q.x);float d=smn(length(q-vec2(0,-.42))-.56,length(q-vec2(0,.5))-.44,.3);
 d=smn(d,box2(q-vec2(0,.05),vec2(.3,.4)),.1);float c=length((q-vec2(.69,.1))*vec2(1.,.92))-.33;
 d=max(d,-c);return smn(d,length(q-vec2(.335,-.2))-.05,.03);}
vec2 cello(vec3 p){float d2=outline(p.xy);float th=.13+.07*smoothstep(.0,-.4,d2);
 float b=smn(0.,0.,.01)+max(d2,abs(p.z)-th)-.012;
 vec2 f=vec2(abs(p.x)-.24+.05*sin((p.y-.02)*9.),p.y+.02);float fh=max(abs(f.x)-.016,abs(f.y)-.2);
 fh=min(fh,min(length(f-vec2(.03,.2))-.028,length(f-vec2(-.03,-.2))-.034));
 b=max(b,-max(fh,.05-p.z));vec2 r=vec2(b*.8,1.);
 float n=box(p-vec3(0,1.2,.13),vec3(.055+.02*smoothstep(1.6,.6,p.y),.55,.07),.02);r=un(r,n,4.);
 r=un(r,box(p-vec3(0,.95,.24),vec3(.06+.025*smoothstep(1.6,.4,p.y),.62,.02),.015),5.);
 r=un(r,box(p-vec3(0,1.86,.1),vec3(.05,.16,.07),.03),4.);
 vec3 q=p-vec3(0,2.05,.1);float a=atan(q.z,q.y),l=length(q.yz);
 float sp=abs(fract(log(max(l,.02))*1.1+a/(2.*PI))-.5);
 r=un(r,max(max(l-.13,abs(q.x)-.05-.25*(.13-l)),-(sp*l-.006))*.7,4.);
 for(int i=0;i<4;i++){float s=i<2?-1.:1.;float y=1.76+.15*float(i-(i/2)*2);
  r=un(r,cap(p,vec3(0,y,.1),vec3(s*.19,y+.02,.1),.016),5.);r=un(r,length(p-vec3(s*.21,y+.02,.1))-.036,5.);}
 r=un(r,box(p-vec3(0,-.62,.28),vec3(.085-.05*smoothstep(-.4,-.9,p.y),.26,.02),.015),5.);
 r=un(r,box(p-vec3(0,-.1,.3),vec3(.13,.02,.09),.01),3.);
 for(int i=0;i<4;i++){float x=(float(i)-1.5);
  r=un(r,cap(p,vec3(x*.03,-.4,.31),vec3(x*.055,-.09,.395),.006),2.);
  r=un(r,cap(p,vec3(x*.055,-.09,.395),vec3(x*.024,1.62,.19),.006),2.);}
 r=un(r,cap(p,vec3(0,-.95,0),vec3(0,-1.5,0),.018),2.);return r;}
`;
const whole = (name, place, camera, options) =>
  solid(
    name,
    `vec3 bg(vec2 p,vec2 u){return vec3(.02,.004,.004);}${VARNISH}${CELLO}
vec2 map(vec3 p){float fl=smn(p.y,2.4+p.z,.6);vec2 r=vec2(fl,0.);${place}return r;}
void mat(float id,vec3 p,vec3 n,inout vec3 al,inout float r,inout float s){
 if(id<.5){al=vec3(.20,.04,.028)*(.9+.2*fb(vec2(p.x*2.,p.z*30.)));r=.8;s=.1;
  al*=.10+.9*exp(-.62*dot((p-POOL)*vec3(1.,.8,.5),(p-POOL)*vec3(1.,.8,.5)));}
 else if(id<1.5){al=varnish(p.xy*.7);r=.3;s=.8;}
 else if(id<2.5){al=vec3(.55,.52,.48);r=.15;s=1.4;}
 else if(id<3.5){al=vec3(.62,.42,.22);r=.6;s=.25;}
 else if(id<4.5){al=vec3(.3,.085,.025);r=.35;s=.7;}
 else if(id<5.5){al=vec3(.014,.011,.01);r=.3;s=.6;}
 else{al=vec3(.2,.09,.04)*(.8+.3*fb(p.xy*vec2(30.,2.)));r=.6;s=.3;}}`,
    {
      ...TUNGSTEN,
      POOL: 'vec3(.1,1.3,-.2)',
      EXPO: '.5',
      KD: 'vec3(-1.,.9,.6)',
      KC: 'vec3(3.2,1.8,.95)',
      SK: '9.',
      ...camera,
    },
    options,
  );

const CHAIR = `{vec3 c=ry(p-vec3(-.95,0,-.2),.5);r=un(r,box(c-vec3(0,.82,0),vec3(.42,.04,.4),.02),6.);
 r=un(r,box(c-vec3(0,1.62,-.4),vec3(.42,.2,.03),.02),6.);
 vec3 l=vec3(abs(c.x)-.37,c.y,abs(c.z)-.36);r=un(r,box(l-vec3(0,.4,0),vec3(.03,.41,.03),.01),6.);
 r=un(r,box(vec3(abs(c.x)-.37,c.y-1.2,c.z+.4),vec3(.03,.6,.03),.01),6.);}`;

const SHEET = `vec2 q=p;q*=rt(.16);float z=1./(1.45-q.y*.42);vec2 s=vec2(q.x*z*1.5,(q.y*1.35)*z*1.9);float bl=.012+.05*smoothstep(.0,1.2,abs(q.y+.25));
 vec3 paper=vec3(1.,.56,.22)*(.92+.1*fb(s*7.))*1.25;float row=floor(s.y/.34+.5),y=s.y-row*.34;float ink=0.;
 for(int i=-2;i<3;i++)ink=max(ink,smoothstep(.0035+bl*.3,.0005,abs(y-float(i)*.032))*.62*smoothstep(.02,.0,bl-.05));
 float cell=floor(s.x/.075),cx=(cell+.5)*.075;float k=h2(vec2(cell,row*3.1)),pitch=floor(k*9.-4.)*.016+.05*sin(cell*.8+row);
 if(k>.16&&abs(s.x)<1.15){vec2 d=vec2(s.x-cx,y-pitch);d*=rt(-.35);ink=max(ink,smoothstep(.0+bl*.5,-bl*.5,length(d*vec2(.8,1.15))-.0165)*.95);
  float up=k>.55?1.:-1.;ink=max(ink,smoothstep(.005+bl*.2,.001,abs(s.x-cx-up*.015))*step(0.,(y-pitch)*up)*step((y-pitch)*up,.115)*.9);
  if(mod(cell,2.)<1.)ink=max(ink,smoothstep(.010,.004,abs(y-pitch-up*.11+.0*s.x))*step(abs(s.x-cx-.03),.075)*.9);}
 ink=max(ink,smoothstep(.004,.001,abs(fract(s.x/.6+.12)-.5)*.6)*step(abs(y),.066)*.7);
 vec3 c=mix(paper,vec3(.05,.015,.01),clamp(ink,0.,1.));float edge=max(abs(s.x)-1.22,s.y-1.15);c=mix(c,vec3(.02,.006,.004),smoothstep(-.005,.02,edge));
 float lamp=exp(-2.1*length((p-vec2(-.25,.05))*vec2(1.,.8)));c*=.03+1.0*lamp;
 float pencil=seg(p,vec2(.05,-.62),vec2(.95,-.2))-.028;c*=1.-.55*smoothstep(.09,-.03,seg(p,vec2(.07,-.69),vec2(.97,-.27))-.02);
 vec3 wood=vec3(.5,.06,.02)*(.6+.9*smoothstep(.03,-.02,pencil+.02*(p.y)));c=mix(c,wood*(.25+lamp),smoothstep(.006,-.006,pencil));return c;`;

const STRINGS = `vec3 c=mix(vec3(.012,.004,.004),vec3(.30,.055,.012),exp(-2.2*length((p-vec2(.2,-.1))*vec2(1.,.7))));
 c*=.85+.3*fb(vec2(p.x*40.,p.y*1.4));
 for(int i=0;i<4;i++){float f=float(i);float x=-.54+f*.36+.05*p.y*(f-1.5);float w=.021-.0035*f;
  float amp=i==1?.085*cos(p.y*.95):0.;
  if(i==1){float d=abs(p.x-x);float e=smoothstep(amp+w,amp*.55,d);float edge=exp(-pow((d-amp)/.016,2.));
   c=mix(c,c*.55+vec3(.9,.52,.22)*(.20+.0*d),e*.55);c+=vec3(1.,.62,.3)*edge*.38;}
  else{float d=(p.x-x)/w;float sh=smoothstep(1.,-1.,abs(p.x-x-.05)/.05-.6);c*=1.-.45*clamp(sh,0.,1.);
   float wind=.8+.2*sin(p.y*(260.+f*60.)+d*2.);float lit=sqrt(max(0.,1.-d*d));
   vec3 m=vec3(.55,.47,.38)*wind*(.12+.9*pow(max(0.,lit*.8-d*.45),2.))+vec3(1.,.75,.45)*pow(max(0.,1.-abs(d+.35)*1.6),6.)*1.4;
   c=mix(c,m*(.35+.9*exp(-1.2*abs(p.y-.15))),step(abs(d),1.));}}
 return c;`;

export const scenes = [
  belly('ines-1', { RO: 'vec3(1.5,1.7,2.4)', TA: 'vec3(.1,.05,0)', FOV: '2.0' }),
  belly('ines-2', { RO: 'vec3(-.9,.95,1.9)', TA: 'vec3(.05,.28,-.2)', FOV: '2.1' }),
  belly('ines-3', { RO: 'vec3(1.25,1.5,1.25)', TA: 'vec3(.62,.02,-.05)', FOV: '2.5', KD: 'vec3(-1,.6,-.5)' }),
  belly('ines-4', { RO: 'vec3(.16,.74,2.3)', TA: 'vec3(0,.36,-1.2)', FOV: '1.9', KD: 'vec3(-1,.8,-1.1)' }),
  belly(
    'ines-5',
    { RO: 'vec3(1.2,1.5,2.1)', TA: 'vec3(.0,.3,.0)', FOV: '2.0', KD: 'vec3(-.9,.9,-.7)' },
    { extra: BOW },
  ),
  whole('ines-6', `vec3 q=p-vec3(.18,1.5,.1);q=rz(q,-.14);q=ry(q,.35);vec2 g=cello(q);r=un(r,g.x,g.y);`, {
    RO: 'vec3(.4,1.5,6.2)',
    TA: 'vec3(.1,1.72,0)',
    FOV: '2.9',
  }),
  whole('ines-7', `vec3 q=p-vec3(.55,1.46,.1);q=rz(q,.2);q=ry(q,-.3);vec2 g=cello(q);r=un(r,g.x,g.y);${CHAIR}`, {
    RO: 'vec3(.0,1.6,7.)',
    TA: 'vec3(-.1,1.6,0)',
    FOV: '2.75',
    KD: 'vec3(1.,.9,.7)',
  }),
  whole('ines-8', `vec3 q=p-vec3(.0,1.5,.0);q=ry(q,1.05);vec2 g=cello(q);r=un(r,g.x,g.y);`, {
    RO: 'vec3(.9,3.7,2.2)',
    TA: 'vec3(.03,3.36,.1)',
    FOV: '4.4',
    KD: 'vec3(-1.,.55,.7)',
    RC: 'vec3(.9,.12,.06)',
    POOL: 'vec3(-.9,3.3,-2.)',
  }),
  flat('ines-9', SHEET),
  flat('ines-10', STRINGS, '', { size: LANDSCAPE }),
  belly(
    'ines-cover',
    { RO: 'vec3(1.9,1.25,2.2)', TA: 'vec3(-.35,.16,-.2)', FOV: '1.9', KD: 'vec3(-1,.62,-.8)' },
    { size: COVER },
  ),
];
