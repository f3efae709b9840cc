/** GLSL ES 3.00 library of the demo pictures, rendered by `generate.mjs`. */

const PRELUDE = `#version 300 es
precision highp float; uniform vec2 R; uniform int SPP; out vec4 O;
#define PI 3.14159265
float h1(float n){return fract(sin(n)*43758.5453);}
float h2(vec2 p){return fract(sin(dot(p,vec2(127.1,311.7)))*43758.5453);}
float ns(vec2 p){vec2 i=floor(p),f=fract(p);f=f*f*(3.-2.*f);
 return mix(mix(h2(i),h2(i+vec2(1,0)),f.x),mix(h2(i+vec2(0,1)),h2(i+vec2(1,1)),f.x),f.y);}
float fb(vec2 p){float a=.5,s=0.;for(int i=0;i<5;i++){s+=a*ns(p);p=p*2.03+17.;a*=.5;}return s;}
float n3(vec3 p){return ns(p.xy+p.z*1.7)*.5+ns(p.zy*1.1-p.x*1.3)*.5;}
float smn(float a,float b,float k){float h=clamp(.5+.5*(b-a)/k,0.,1.);return mix(b,a,h)-k*h*(1.-h);}
float cap(vec3 p,vec3 a,vec3 b,float r){vec3 q=p-a,d=b-a;return length(q-d*clamp(dot(q,d)/dot(d,d),0.,1.))-r;}
float cap2(vec3 p,vec3 a,vec3 b,float r,float s){vec3 q=p-a,d=b-a;float h=clamp(dot(q,d)/dot(d,d),0.,1.);
 return length(q-d*h)-mix(r,s,h);}
float seg(vec2 p,vec2 a,vec2 b){vec2 q=p-a,d=b-a;return length(q-d*clamp(dot(q,d)/dot(d,d),0.,1.));}
float ell(vec3 p,vec3 r){float a=length(p/r),b=length(p/(r*r));return a*(a-1.)/b;}
float box(vec3 p,vec3 b,float r){vec3 q=abs(p)-b+r;return length(max(q,0.))+min(max(q.x,max(q.y,q.z)),0.)-r;}
float box2(vec2 p,vec2 b){vec2 q=abs(p)-b;return length(max(q,0.))+min(max(q.x,q.y),0.);}
/* An upright cylinder with rounded edges. Its base is at y=0. */
float cyl(vec3 p,float r,float h,float e){vec2 q=vec2(length(p.xz)-r,abs(p.y-h*.5)-h*.5)+e;
 return min(max(q.x,q.y),0.)+length(max(q,0.))-e;}
float tor(vec3 p,float a,float b){return length(vec2(length(p.xy)-a,p.z))-b;}
mat2 rt(float a){float c=cos(a),s=sin(a);return mat2(c,-s,s,c);}
vec3 ry(vec3 p,float a){p.xz=rt(a)*p.xz;return p;}
vec3 rx(vec3 p,float a){p.yz=rt(a)*p.yz;return p;}
vec3 rz(vec3 p,float a){p.xy=rt(a)*p.xy;return p;}
vec2 un(vec2 a,float d,float i){return d<a.x?vec2(d,i):a;}
vec3 tone(vec3 c){c=max(c,0.);return pow(clamp((c*(2.51*c+.03))/(c*(2.43*c+.59)+.14),0.,1.),vec3(1./2.2));}
`;

const FLAT_MAIN = `
void main(){vec3 c=vec3(0);
 for(int i=0;i<SPP;i++){vec2 f=gl_FragCoord.xy+vec2(h1(float(i)*3.1),h1(float(i)*7.7))-.5;c+=img((2.*f-R)/R.y,f/R);}
 c/=float(SPP);vec2 v=gl_FragCoord.xy/R-.5;c*=1.-.55*dot(v,v);O=vec4(tone(c),1.);}`;

const MARCH_MAIN = `
vec3 nrm(vec3 p){vec2 e=vec2(.0012,-.0012);
 return normalize(e.xyy*map(p+e.xyy).x+e.yyx*map(p+e.yyx).x+e.yxy*map(p+e.yxy).x+e.xxx*map(p+e.xxx).x);}
float shd(vec3 o,vec3 d,float k){float r=1.,t=.02;
 for(int i=0;i<40;i++){float h=map(o+d*t).x;r=min(r,k*h/t);t+=clamp(h,.02,.25);if(r<.005||t>6.)break;}
 r=clamp(r,0.,1.);return r*r*(3.-2.*r);}
float ao(vec3 p,vec3 n){float s=0.,w=1.;
 for(int i=1;i<6;i++){float h=.03*float(i*i)*.6+.02;s+=(h-map(p+n*h).x)*w;w*=.7;}return clamp(1.-1.6*s,0.,1.);}
vec3 ren(vec2 p,vec2 uv){vec3 ro=RO,f=normalize(TA-RO),r=normalize(cross(f,vec3(0,1,0))),u=cross(r,f);
 vec3 rd=normalize(p.x*r+p.y*u+FOV*f);float t=.05,id=-1.;
 for(int i=0;i<130;i++){vec2 h=map(ro+rd*t);if(h.x<.0008*t){id=h.y;break;}t+=h.x*.85;if(t>16.)break;}
 if(id<0.)return bg(p,uv);
 vec3 q=ro+rd*t,n=nrm(q);vec3 al=vec3(.5);float ro0=.5,sp=.3;mat(id,q,n,al,ro0,sp);
 vec3 L=normalize(KD),H=normalize(L-rd);float nl=max(dot(n,L),0.),s=nl>0.?shd(q+n*.006,L,SK):0.,a=ao(q,n);
 float fr=pow(1.-max(dot(n,-rd),0.),5.);
 vec3 c=al*(KC*nl*s+AM*a*(.6+.4*n.y)+FC*a*max(dot(n,normalize(FD)),0.));
 float sh=mix(160.,10.,ro0);c+=KC*s*sp*pow(max(dot(n,H),0.),sh)*mix(2.2,.35,ro0);
 vec3 L2=normalize(RD);c+=RC*max(dot(n,L2),0.)*(al+.15)*a;c+=RC*.6*fr*a*smoothstep(-.2,.6,dot(n,L2));
 c+=AM*sp*fr*a*1.5;return mix(bg(p,uv),c,exp(-FOG*max(t-2.,0.)));}
void main(){vec3 c=vec3(0);
 for(int i=0;i<SPP;i++){vec2 f=gl_FragCoord.xy+vec2(h1(float(i)*3.1+.2),h1(float(i)*7.7+.7))-.5;
  c+=min(ren((2.*f-R)/R.y,f/R),vec3(6));}
 c/=float(SPP);vec2 v=gl_FragCoord.xy/R-.5;c*=1.-.7*dot(v,v);O=vec4(tone(c*EXPO),1.);}`;

/** Camera from RO to TA, key light (direction, colour, hardness), ambient, fill, rim, fog, exposure. */
const STUDIO = {
  RO: 'vec3(0,1.5,5.5)',
  TA: 'vec3(0,.8,0)',
  FOV: '2.6',
  KD: 'vec3(-1,1.2,.7)',
  KC: 'vec3(2.2,2.0,1.8)',
  SK: '7.',
  AM: 'vec3(.22,.24,.28)',
  FD: 'vec3(1,.3,.6)',
  FC: 'vec3(.15)',
  RD: 'vec3(1,.6,-1)',
  RC: 'vec3(.3)',
  FOG: '.0',
  EXPO: '.62',
};

export const PORTRAIT = [1280, 1600];
export const LANDSCAPE = [1600, 1066];
export const COVER = [1600, 900];

/** Ray-marched. `glsl` defines `vec2 map(vec3)` (distance, material), `vec3 bg(vec2,vec2)` and `void mat(...)`. */
export function solid(name, glsl, studio = {}, options = {}) {
  const defines = Object.entries({ ...STUDIO, ...studio }).map(([key, value]) => `#define ${key} ${value}\n`);
  return { name, size: PORTRAIT, samples: 2, ...options, source: PRELUDE + defines.join('') + glsl + MARCH_MAIN };
}

/** `body` is the body of `vec3 img(vec2 p, vec2 u)`, where p is -1 to 1 in height. */
export function flat(name, body, helpers = '', options = {}) {
  const source = `${PRELUDE}${helpers}vec3 img(vec2 p,vec2 u){${body}}${FLAT_MAIN}`;
  return { name, size: PORTRAIT, samples: 3, ...options, source };
}

/** Floor and wall in one curve that starts `depth` behind the center. */
export const sweep = (depth, softness = '.9') => `float room(vec3 p){return smn(p.y,${depth}+p.z,${softness});}`;
