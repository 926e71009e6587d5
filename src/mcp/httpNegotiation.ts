/** What a connection to an address needs, in one piece that is read with the first of them. */

export { HttpWire } from './httpWire.ts';
export { negotiateHttp } from './negotiateHttp.ts';
