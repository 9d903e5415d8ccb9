export default {
  'error.fallback': 'The operation failed. Please try again later.',
};
