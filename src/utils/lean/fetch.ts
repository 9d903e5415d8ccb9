/** Stands in for the polyfill umi-request would bring along: every browser we serve has it. */
export default window.fetch;
