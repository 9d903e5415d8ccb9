/** Where `max dev` finds the gateway. WebSockets pass, too: a terminal works in development. */
const target = process.env.GATEWAY_URL || 'http://127.0.0.1:8000';

const proxy = {
  // The cashier page of the payment sandbox is the gateway's, too.
  '/sandbox': { target, changeOrigin: false, xfwd: true },
  '/gateway': { target, ws: true, changeOrigin: false, xfwd: true },
};

export default proxy;
