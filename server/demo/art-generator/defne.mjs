/** Paper marbling, traced backwards through the strokes (Jaffer and Lu, "Mathematical marbling", 2012). */
import { COVER, flat, LANDSCAPE } from './engine.mjs';

/** `tine`, `comb` and `nest` undo a stroke. `drops` returns the ink at a point. */
const BATH = `
vec2 tine(vec2 p,vec2 o,float a,float z,float s){vec2 m=vec2(cos(a),sin(a));return p-m*z*s/(s+abs(dot(p-o,vec2(-m.y,m.x))));}
vec2 comb(vec2 p,float a,float gap,float z,float s){vec2 m=vec2(cos(a),sin(a));float d=dot(p,vec2(-m.y,m.x))/gap;
 d=abs(fract(d)-.5)*gap;return p-m*z*(s/(s+d));}
vec2 wave(vec2 p,float a,float high,float gap){vec2 m=vec2(cos(a),sin(a)),n=vec2(-m.y,m.x);return p-n*high*sin(dot(p,m)/gap);}
vec2 nest(vec2 p,vec2 o,float turn,float s){vec2 q=p-o;return o+rt(turn*s/(s+length(q)*length(q)*5.))*q;}
float fibre(vec2 p){return .95+.06*fb(p*24.)+.03*ns(p*vec2(110.,34.));}
vec3 ink(float k,vec3 a,vec3 b,vec3 c,vec3 d,vec3 e){return k<.3?a:k<.52?b:k<.72?c:k<.87?d:e;}
/* Pigment lies thin: never as loud as it was in the jar. */
vec3 dry(vec3 c){return mix(vec3(dot(c,vec3(.35,.45,.2))),c*c,.8)*.98;}
vec3 drops(vec2 p,float seed,int n,float first,float last,vec3 bath,vec3 a,vec3 b,vec3 c,vec3 d,vec3 e){
 for(int i=n-1;i>=0;i--){float f=float(i),t=f/float(n);vec2 o=vec2(h1(f*1.7+seed)*4.4-2.2,h1(f*2.9+seed*1.3)*3.8-1.9);
  float r=mix(first,last,t)*(.7+.7*h1(f*5.3+seed));vec2 q=p-o;float l=length(q);
  if(l<r){vec3 k=ink(h1(f*7.7+seed*2.1),a,b,c,d,e);float rim=smoothstep(r*.8,r,l);return k*(1.06-.16*(1.-rim))*(1.-.18*smoothstep(.5,1.,rim));}
  p=o+q*sqrt(max(0.,1.-r*r/(l*l)));}
 return bath;}
`;

const INKS = {
  night: 'vec3(.93,.87,.74),vec3(.05,.09,.24),vec3(.10,.28,.45),vec3(.80,.50,.14),vec3(.93,.87,.74),vec3(.62,.13,.08)',
  brick: 'vec3(.94,.88,.78),vec3(.60,.12,.07),vec3(.88,.50,.28),vec3(.12,.22,.30),vec3(.95,.83,.62),vec3(.07,.06,.08)',
  moss: 'vec3(.92,.90,.80),vec3(.07,.22,.18),vec3(.42,.55,.34),vec3(.90,.72,.30),vec3(.95,.93,.84),vec3(.14,.10,.20)',
  sea: 'vec3(.90,.92,.90),vec3(.03,.16,.24),vec3(.08,.40,.46),vec3(.56,.74,.72),vec3(.93,.60,.40),vec3(.02,.07,.13)',
};
const bath = (point, seed, inks, { n = 90, first = '.34', last = '.07' } = {}) =>
  `drops(${point},${seed},${n},${first},${last},${INKS[inks]})`;

/** `strokes` undo the strokes, last one first. */
const sheet = (name, strokes, paper, options) =>
  flat(name, `vec2 q=p;${strokes}vec3 c=${paper};c*=fibre(p)*(1.08-.2*length(p-vec2(-.3,.5)));return dry(c);`, BATH, {
    samples: 5,
    ...options,
  });

const HATIP = `vec2 s=p+vec2(.0,.05);s+=.02*vec2(ns(p*3.),ns(p*3.+7.));vec3 c=${bath('s*1.2', '4.4', 'sea', { n: 110, first: '.2', last: '.045' })};
 c=mix(c,vec3(.86,.89,.87),.42);
 for(int k=0;k<12;k++){float f=float(k);vec2 o=vec2((mod(f,3.)-1.)*.54,(floor(f/3.)-1.5)*.5)+.025*vec2(h1(f)-.5,h1(f*3.)-.5);
  vec2 q=p-o;float turn=f*1.3;for(int j=0;j<3;j++){float a=turn+float(j)*1.0472;q=tine(q,vec2(0),a,.05,.02);q=tine(q,vec2(0),a+.5236+PI,.05,.02);}
  float l=length(q);float R0=.215+.02*h1(f*9.);if(l<R0){float z=l/R0;vec3 t=z>.82?vec3(.04,.14,.22):z>.64?vec3(.93,.88,.74):z>.46?vec3(.76,.22,.12):z>.3?vec3(.95,.70,.30):z>.15?vec3(.93,.90,.80):vec3(.62,.10,.10);
   c=t*(.97+.06*z);}}
 c*=fibre(p)*(1.08-.2*length(p-vec2(-.3,.5)));return dry(c);`;

const LINE = `vec3 c=mix(vec3(.30,.27,.24),vec3(.52,.48,.42),u.y)*(.94+.08*fb(p*5.));c*=1.2-.35*length(p-vec2(-1.1,.5));
 for(int k=0;k<3;k++){float f=float(k);vec2 o=vec2(-.98+.98*f,-.1+.03*sin(f*3.));vec2 q=rt(.02*(f-1.2))*(p-o);q.x+=.02*sin(q.y*3.+f*2.);
  float d=box2(q,vec2(.41,.66)),ds=box2(q-vec2(.07,-.07),vec2(.40,.65));c*=1.-.55*smoothstep(.12,-.06,ds);
  vec2 m=q*2.1;vec3 t;
  if(k==0){m=comb(m,1.5708,.075,.09,.02);m=comb(m,0.,.3,.35,.08);t=${bath('m', '2.2', 'brick', { n: 130, first: '.3', last: '.06' })};}
  else if(k==1){m=nest(m,vec2(-.38,.6),6.,.2);m=nest(m,vec2(.4,0.),-6.,.2);m=nest(m,vec2(-.35,-.65),6.,.2);t=${bath('m', '9.1', 'moss', { n: 130, first: '.3', last: '.06' })};}
  else{m=wave(m,1.5708,.05,.1);m=comb(m,0.,.11,.16,.03);t=${bath('m', '6.3', 'night', { n: 130, first: '.3', last: '.06' })};}
  t=mix(vec3(.80,.76,.66),t,smoothstep(.385,.375,abs(q.x))*smoothstep(.635,.625,abs(q.y)));
  float curl=.72+.34*cos(q.x*3.1-.6+.3*f)+.06*sin(q.y*5.+f);t*=curl*fibre(q)*(.8+.25*smoothstep(-.66,.66,q.y));
  c=mix(c,t,smoothstep(.004,-.004,d));
  for(int e=0;e<2;e++){float x=e==0?-.3:.3;float g=box2(q-vec2(x,.665),vec2(.018,.055))-.006;c*=1.-.4*smoothstep(.03,-.01,box2(q-vec2(x+.02,.645),vec2(.018,.055)));
   c=mix(c,vec3(.66,.45,.24)*(.8+.3*ns(q*vec2(200.,12.)))*(.9+.3*(x-q.x)/.02*.3),smoothstep(.003,-.003,g));}}
 float line=abs(p.y-.575+.012*cos(p.x*1.6))-.006;c=mix(c,vec3(.16,.13,.11),smoothstep(.003,-.003,line)*step(.0,1.));return dry(c);`;

export const scenes = [
  sheet('defne-1', '', bath('q*1.55', '3.7', 'night', { n: 190, first: '.4', last: '.035' })),
  sheet(
    'defne-2',
    'q=comb(q,1.5708,.055,.11,.014);q=comb(q,0.,.34,.5,.1);q=comb(q+vec2(0,.17),3.14159,.34,.5,.1);',
    bath('q*1.7', '5.9', 'brick', { n: 190, first: '.34', last: '.05' }),
  ),
  sheet(
    'defne-3',
    'for(int k=0;k<12;k++){float f=float(k);vec2 o=vec2((mod(f,3.)-1.)*.56+.14*(mod(floor(f/3.),2.)-.5),(floor(f/3.)-1.5)*.52);q=nest(q,o,mod(f,2.)<1.?6.5:-6.5,.09);}',
    bath('q*1.7', '7.3', 'moss', { n: 190, first: '.3', last: '.05' }),
  ),
  flat('defne-4', HATIP, BATH, { samples: 5 }),
  flat('defne-5', LINE, BATH, { samples: 5, size: LANDSCAPE }),
  sheet(
    'defne-cover',
    'q=wave(q,1.5708,.035,.045);q=comb(q,1.5708,.16,.2,.03);q=comb(q,0.,.3,.6,.09);q=comb(q+vec2(0,.15),3.14159,.3,.6,.09);',
    bath('q*1.2', '1.9', 'sea', { n: 170, first: '.34', last: '.05' }),
    { size: COVER },
  ),
];
