export default {
  'error.fallback': 'The operation failed. Please try again later.',
  'error.network': 'The service could not be reached. Please check your connection and try again.',
  'error.timeout': 'The service took too long to answer. Please try again later.',
  'error.loading': 'This could not be loaded.',
  'error.retry': 'Try again',
  'error.reload': 'Reload the page',
  'error.chunk': 'A part of this page did not arrive. The connection may have broken, or a newer version is out.',
  'error.crash': 'This page could not be shown. It is our fault; nothing of yours is lost.',
  'error.notFound': 'Sorry, the page you visited does not exist or has been deleted.',
  'error.backHome': 'Back home',
  'error.noAccess': 'Sorry, you do not have access permissions.',
  'error.noAccess.hint':
    'A higher membership level or a verification may open this page. Your own workshops and account stay open to you.',
} as const;
