import type { IApi } from '@umijs/max';

/** Gives index.html what the framework's template leaves out, and lets members zoom. */
export default (api: IApi) => {
  api.describe({ key: 'indexHtml' });
  api.modifyHTML(($) => {
    // The words come with the script, in the member's language; until then the default language stands.
    $('html').attr('lang', 'zh-CN');
    $('meta[http-equiv="X-UA-Compatible"]').remove();
    $('meta[name="viewport"]').attr('content', 'width=device-width, initial-scale=1, viewport-fit=cover');
    $('link[rel="shortcut icon"]').attr({ rel: 'icon', type: 'image/svg+xml' });
    return $;
  });
};
