/** Stands in for the polyfill antd's parts would bring along: every browser we serve has it. */
export default window.ResizeObserver;
